import { deleteToken, listAccessTokens, renameToken } from './access-tokens.ts';
import { classifyOwnToken, type OwnTokenCertainty } from '../../kinds/access-token/token-use.ts';
import type { AccessToken } from '../../model/account/account.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { withOptionallyConfiguredAccount } from '../session/account-session.ts';
import type { DayTwoReporter } from '../session/day-two-reporter.ts';
import { pickByNameOrId, warnOfSharedNames } from './pick-named.ts';
import type { Reporter } from '../session/reporter.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** The words for an access token where one is picked. */
export const accessTokenWords = { what: 'access token', list: 'hostwright tokens list' };

/** Every access token of the account. */
export function readTokens(
  runtime: SessionRuntime,
  reporter: Notices,
): Promise<readonly AccessToken[]> {
  return withOptionallyConfiguredAccount(runtime, reporter, async ({ connection }) => {
    const tokens = await listAccessTokens(connection.client);
    reporter.showDiagnostics(warnOfSharedNames(tokens, accessTokenWords));
    return tokens;
  });
}

/** Gives an access token another name; `word` is its id or its present name. */
export function renameNamedToken(
  runtime: SessionRuntime,
  word: string,
  name: string,
  reporter: Notices,
): Promise<AccessToken> {
  return withOptionallyConfiguredAccount(runtime, reporter, async ({ connection: { client } }) => {
    const tokens = await listAccessTokens(client);
    const { id } = pickByNameOrId(tokens, word, accessTokenWords);
    const renamed = await renameToken(client, id, name);
    const namesakes = tokens.filter((token) => token.name === name && token.id !== id);
    reporter.showDiagnostics(warnOfSharedNames([...namesakes, renamed], accessTokenWords));
    return renamed;
  });
}

/** Revokes a token, once that was approved. `word`: its id or its name. */
export function revokeNamedToken(
  runtime: SessionRuntime,
  word: string,
  isApproved: boolean,
  reporter: DayTwoReporter,
): Promise<{ token: AccessToken; isRevoked: boolean }> {
  return withOptionallyConfiguredAccount(runtime, reporter, async ({ connection: { client } }) => {
    const tokens = await listAccessTokens(client);
    const token = pickByNameOrId(tokens, word, accessTokenWords);
    const use = classifyOwnToken(token, tokens, runtime.clock.now());
    const question = {
      question: `Do you really want to revoke the access token ${token.name} (${token.id})?`,
      consequences: [warnings[use], 'Whoever uses it is refused from then on. There is no undo.'],
      ifDeclined: 'Revocation cancelled.',
    };
    if (!isApproved && !(await reporter.confirm(question))) return { token, isRevoked: false };
    await deleteToken(client, token.id);
    return { token, isRevoked: true };
  });
}

const warnings: Readonly<Record<OwnTokenCertainty, string>> = {
  certain: 'It is the token in use: after this, Hostwright needs another one to do anything.',
  likely:
    'It was used most recently, so it may be the token in use: then Hostwright needs another one to do anything.',
  unlikely: 'It does not seem to be the token in use: another one was used after it.',
};
