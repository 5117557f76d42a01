import type { NewAccessToken } from '../../kinds/access-token/requests.ts';
import { createToken, deleteToken, listAccessTokens } from './access-tokens.ts';
import { warnOfSharedNames } from './pick-named.ts';
import { accessTokenWords } from './tokens.ts';
import { tokenScopes } from '../../kinds/access-token/token-scopes.ts';
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError, ServiceError } from '../../api/errors/errors.ts';
import type { ServiceClient } from '../../api/client.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import type { AccessToken, CreatedToken } from '../../model/account/account.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import { formatTime } from '../../render/format/moment.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { withOptionallyConfiguredAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';
import { saveSecretOrRevoke } from '../../execute/secrets/keep-secret.ts';
import { claimSecretFile, type SecretFile } from '../../execute/secrets/secret-file.ts';

/** Options of `tokens create`. */
export interface CreateTokenOptions extends NewAccessToken {
  /** File that the token's value is saved to; undefined to print the value. */
  readonly out: string | undefined;
  readonly overwrites: boolean;
}

/**
 * Creates an access token. With `out`, its value is in that file before this resolves. The file is created first: the service
 * shows the value only once, so a value that could not be saved would be lost.
 */
export async function createAndSaveToken(
  runtime: SessionRuntime & Pick<Runtime, 'holdInterrupts'>,
  options: CreateTokenOptions,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<CreatedToken> {
  const { out, overwrites, ...token } = options;
  checkScopes(token.scopes);
  checkExpiry(token.expiresAt, runtime.clock.now());
  return withOptionallyConfiguredAccount(runtime, reporter, async ({ connection: { client } }) => {
    const namesakes = await listNamesakes(client, token.name);
    const file = out === undefined ? undefined : await claimOut(runtime, out, overwrites);
    // An interrupt between the answer and the file would lose the value.
    const letGo = runtime.holdInterrupts(() => undefined);
    try {
      const created = await createToken(client, token).catch(async (error: unknown) => {
        await file?.abandon();
        throw explainRefusal(error, token.name);
      });
      if (file) await keep(file, created, client);
      reporter.showDiagnostics(warnOfSharedNames([...namesakes, created.token], accessTokenWords));
      return created;
    } finally {
      letGo();
    }
  });
}

/** Tokens that have the name already; none where the token may not list them, which prevents no create. */
async function listNamesakes(client: ServiceClient, name: string): Promise<readonly AccessToken[]> {
  try {
    return (await listAccessTokens(client)).filter((token) => token.name === name);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

function claimOut(
  { cwd }: Pick<Runtime, 'cwd'>,
  path: string,
  overwrites: boolean,
): Promise<SecretFile> {
  return claimSecretFile({ path, cwd, ...(overwrites && { isOurs: () => true }) });
}

function checkScopes(scopes: readonly string[]): void {
  const unknown = scopes.filter((scope) => !tokenScopes.includes(scope));
  if (unknown.length === 0) return;
  const near = unknown
    .map((scope) => suggestNearestName(scope, tokenScopes))
    .filter((one) => one !== undefined);
  throw createCommandRefusal('unknown-scope', `There is no scope ${unknown.join(', ')}`, {
    detail: `The scopes are ${formatNameList(tokenScopes)}.`,
    ...(near.length > 0 && { hint: `Did you mean ${near.join(', ')}?` }),
  });
}

function checkExpiry(expiresAt: number | null, now: number): void {
  if (expiresAt === null || expiresAt > now) return;
  throw createCommandRefusal('expiry-past', 'The token would have expired already', {
    detail: `It is to expire ${formatTime(expiresAt)}, and it is ${formatTime(now)} now.`,
    hint: 'Give a time in the future with --expires, or a duration such as 90d.',
  });
}

/** The error of a failed create. A request without an answer may have made a token whose value nobody has seen. */
function explainRefusal(error: unknown, name: string): unknown {
  if (!(error instanceof ApiError) || error instanceof ServiceError) return error;
  const diagnostic = describeError(error);
  if (diagnostic.code === 'unreachable') return error;
  const hint = `The token may exist, and its value was not seen: look for ${name} in "hostwright tokens list", and revoke it.`;
  return new DiagnosticError([{ ...diagnostic, hint }], { cause: error });
}

/** Saves the value of a new token to a file. @throws DiagnosticError when it cannot be saved. */
async function keep(file: SecretFile, created: CreatedToken, client: ServiceClient): Promise<void> {
  const { token, value } = created;
  const lost = await saveSecretOrRevoke(file, value, () => deleteToken(client, token.id));
  if (!lost) return;
  throw createCommandRefusal(
    'token-not-saved',
    `The value of the new token cannot be written to ${file.path}`,
    {
      detail: lost.why,
      hint: lost.isRevoked
        ? 'Fix the file, and run the command again. The new token was revoked.'
        : `Its value is lost and it could not be revoked: hostwright tokens revoke ${token.id}`,
    },
  );
}
