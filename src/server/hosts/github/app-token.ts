// A GitHub App signs in as one of its installations: a signed statement is exchanged for a token that is good for an hour.
import { createPrivateKey, sign } from 'node:crypto';
import { askGitHost, type GitHostApi } from '../ask-host.ts';

/** Ids and private key of a GitHub App and its installation. */
export interface GithubAppIdentity {
  readonly id: string;
  readonly installation: string;
  /** Private key of the GitHub App as PEM text. */
  readonly privateKey: string;
}

/** A token is replaced so long before it expires, so that a request that takes its time is not refused. */
const marginMs = 5 * 60_000;
/** GitHub takes a statement for ten minutes at most, by its own clock. */
const statementS = { before: 60, after: 540 };

/** Headers that say who asks: as the App itself, and as its installation. */
export interface GithubAppHeaders {
  readonly asApp: GitHostApi['headers'];
  readonly readToken: () => Promise<string>;
}

/**
 * Makes the headers for requests as a GitHub App and as its installation. The token of the installation is kept, and renewed
 * before it expires.
 */
export function createAppInstallationHeaders(
  api: Omit<GitHostApi, 'headers'>,
  app: GithubAppIdentity,
  common: Readonly<Record<string, string>>,
): GithubAppHeaders {
  const asApp = () =>
    Promise.resolve({ ...common, authorization: `Bearer ${signStatement(app, api.now())}` });
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  let asking: Promise<string> | undefined;
  const ask = async () => {
    const path = `/app/installations/${app.installation}/access_tokens`;
    const { data } = await askGitHost<{ token: string; expires_at: string }>(
      { ...api, headers: asApp },
      { method: 'POST', path },
    );
    kept = { token: data.token, untilMs: Date.parse(data.expires_at) - marginMs };
    return data.token;
  };
  const readToken = () => {
    if (kept && api.now() < kept.untilMs) return Promise.resolve(kept.token);
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
  return { asApp, readToken };
}

/** A JSON Web Token, signed with RS256. `nowMs` is since the Unix epoch. */
function signStatement({ id, privateKey }: GithubAppIdentity, nowMs: number): string {
  const nowS = Math.floor(nowMs / 1_000);
  const claims = { iat: nowS - statementS.before, exp: nowS + statementS.after, iss: id };
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
}

/** Tells whether a PEM text is a key that a GitHub App can sign with. */
export function isAppPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
