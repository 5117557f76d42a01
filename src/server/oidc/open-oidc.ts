// Signing in by OpenID Connect: the authorization code flow with PKCE, state and nonce. What one sign-in needs to know until
// its end travels in an encrypted cookie of the browser that began it, so that strangers leave nothing behind on the server.
import type { Configuration } from 'openid-client';
import type { ServerKeyring } from '../secrets/keyring.ts';
import type { ProviderIdentity } from '../people/members.ts';
import { loadOpenIdClient } from './load-openid-client.ts';
import {
  isLocalPlainHttpAddress,
  isAllowedProviderAddress,
  type OidcSettings,
} from './read-oidc-settings.ts';
import { isJsonObject } from '../../model/json-object.ts';

/** An OpenID Connect provider, ready to sign people in. */
export interface OidcProvider {
  /** Host name of the provider, for people. */
  readonly host: string;
  /**
   * Begins a sign-in at the provider.
   * @returns the address for the browser to go to, and the value of the cookie for its return
   */
  begin(
    redirectUri: string,
    next: string,
  ): Promise<{ readonly location: string; readonly flow: string }>;
  /**
   * Ends a sign-in.
   * @param current the whole address that the browser came back to
   * @throws OidcRefusal and the errors of the library
   */
  finish(current: URL, flow: string | undefined): Promise<FinishedSignIn>;
  /**
   * Address that ends the session of a person at the provider; undefined where it has none.
   * @param idToken the token that the person signed in with
   * @param backUri where the provider sends the browser then
   * @throws OidcOutageError
   */
  findSignOut(idToken: string, backUri: string): Promise<string | undefined>;
}

/** A sign-in through a provider that was finished. */
export interface FinishedSignIn {
  readonly identity: ProviderIdentity;
  /** Names of the groups that the person is in. */
  readonly groups: readonly string[];
  /** ID token of the session: the provider wants it back when the person signs out. */
  readonly idToken: string | undefined;
  readonly next: string;
}

/** Error by which a sign-in through a provider is refused. */
class OidcRefusal extends Error {
  override readonly name = 'OidcRefusal';
}

interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
  readonly expiresAt: number;
}

/** Error for a sign-in that the provider failed to finish. It does not count as a failed attempt of the person. */
export class OidcOutageError extends Error {
  override readonly name = 'OidcOutageError';
}

/** Seconds that a sign-in may take from its start to the return from the provider. */
export const signInFlowSeconds = 600;
const sealName = 'oidc-flow';
const longestName = 100;
const longestId = 500;
/** Number of a token's groups that are looked at: no provider lists more, and groups after them give no role. */
const mostGroups = 1_000;
const requestSeconds = 10;

/**
 * Opens the OpenID provider; no request is sent yet. `now` is in milliseconds.
 * @throws DiagnosticError where the library is missing
 */
export async function openOidcProvider(
  settings: OidcSettings,
  keyring: ServerKeyring,
  now: () => number,
): Promise<OidcProvider> {
  const client = await loadOpenIdClient();
  const discover = openDiscovery(client, settings);
  return {
    host: new URL(settings.issuer).host,
    async begin(redirectUri, next) {
      const config = await discover();
      const verifier = client.randomPKCECodeVerifier();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const location = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: ['openid profile email', ...(settings.scopes ?? [])].join(' '),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const expiresAt = now() + signInFlowSeconds * 1_000;
      const flow = seal(keyring, { state, nonce, verifier, next, expiresAt });
      return { location: location.href, flow };
    },
    async finish(current, sealed) {
      const flow = sealed === undefined ? undefined : unseal(keyring, sealed);
      if (!flow || flow.expiresAt < now())
        throw new OidcRefusal('This browser has begun no sign-in, or it took too long.');
      const exchange = async () =>
        client.authorizationCodeGrant(await discover(), current, {
          pkceCodeVerifier: flow.verifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        });
      const tokens = await exchange().catch((error: unknown) => {
        throw isOutage(error) ? new OidcOutageError(String(error), { cause: error }) : error;
      });
      const claims = tokens.claims() ?? {};
      const groups = readGroups(claims, settings.groupsClaim);
      return { identity: readIdentity(claims), groups, idToken: tokens.id_token, next: flow.next };
    },
    async findSignOut(idToken, backUri) {
      const config = await discover().catch((error: unknown) => {
        throw new OidcOutageError(String(error), { cause: error });
      });
      const { end_session_endpoint: address } = config.serverMetadata();
      if (address === undefined || !isAllowedProviderAddress(address)) return undefined;
      return client.buildEndSessionUrl(config, {
        id_token_hint: idToken,
        post_logout_redirect_uri: backUri,
      }).href;
    },
  };
}

/** Looks the provider's configuration up once; a failed look-up is forgotten, so that the next sign-in tries it again. */
function openDiscovery(
  client: Awaited<ReturnType<typeof loadOpenIdClient>>,
  { issuer, clientId, clientSecret }: OidcSettings,
): () => Promise<Configuration> {
  let known: Promise<Configuration> | undefined;
  return () => {
    const execute = [
      // Without it the library takes the signature of a token for given, since it came over TLS.
      client.enableNonRepudiationChecks,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is marked so that nobody uses it beyond this machine
      ...(isLocalPlainHttpAddress(issuer) ? [client.allowInsecureRequests] : []),
    ];
    const options = { execute, timeout: requestSeconds };
    known ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, options)
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  };
}

/** Error codes by which the OpenID library tells that the provider did not answer in time. */
const outageCodes: readonly unknown[] = ['OAUTH_TIMEOUT', 'OAUTH_ABORT'];

/**
 * True where the provider failed, and not whoever signs in: it is out of reach, busy, or answers with a fault of its own. A cause
 * may be its response, which is no instance of the global class where a server has replaced that.
 */
function isOutage(error: unknown): boolean {
  if (!isJsonObject(error)) return false;
  const { code, status, message, cause } = error;
  const isFault = typeof status === 'number' && (status >= 500 || status === 429);
  return isFault || outageCodes.includes(code) || message === 'fetch failed' || isOutage(cause);
}

/** Reads the identity of a person from the claims of a verified token. */
function readIdentity(claims: Readonly<Record<string, unknown>>): ProviderIdentity {
  const readAll = (name: string) => (typeof claims[name] === 'string' ? claims[name] : '');
  // For people to read, and no text of the database has the character NUL.
  const read = (name: string) =>
    readAll(name)
      .replaceAll(/\p{Cc}/gu, '')
      .trim();
  const [issuer, subject, email] = [read('iss'), read('sub'), read('email')];
  if (subject === '' || subject.length > longestId || /\p{Cc}/u.test(readAll('sub')))
    throw new OidcRefusal('The provider does not say who it is.');
  const names = [read('name'), read('preferred_username'), email, subject];
  const name = (names.find((one) => one !== '') ?? subject).slice(0, longestName);
  return { issuer, subject, name, ...(email !== '' && { email: email.slice(0, 320) }) };
}

/** Names in the claim of the groups. Some providers write a single one as a text. */
function readGroups(
  claims: Readonly<Record<string, unknown>>,
  claim: string | undefined,
): readonly string[] {
  if (claim === undefined) return [];
  const listed: readonly unknown[] = [claims[claim]].flat();
  return listed.slice(0, mostGroups).filter(isGroupName);
}

function isGroupName(name: unknown): name is string {
  return typeof name === 'string' && /^\P{Cc}+$/u.test(name) && name.length <= longestId;
}

function seal(keyring: ServerKeyring, flow: Flow): string {
  const { keyId, body } = keyring.seal(sealName, Buffer.from(JSON.stringify(flow)));
  return `${keyId}.${body.toString('base64url')}`;
}

function unseal(keyring: ServerKeyring, text: string): Flow | undefined {
  const [keyId = '', body = ''] = text.split('.');
  try {
    const opened = keyring.open(sealName, { keyId, body: Buffer.from(body, 'base64url') });
    return JSON.parse(opened.toString('utf8')) as Flow;
  } catch {
    // A cookie of another server or an older key cannot be decrypted and counts as none.
    return undefined;
  }
}
