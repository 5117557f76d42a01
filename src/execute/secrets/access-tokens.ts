// Access tokens beside what a plan does with them: the value of a new one is in the answer and nowhere else.
import { encodeCommand } from '../../api/wire/encode.ts';
import { type Caller, changeOne, readAll, readOne } from '../../api/wire/reading.ts';
import {
  accessTokenWire as wire,
  decodeCreatedToken,
  decodeToken,
} from '../../kinds/access-token/wire.ts';
import { kinds } from '../../kinds/registry.ts';
import type { AccessToken, CreatedToken } from '../../model/account/account.ts';
import { accountId } from '../../model/account/live.ts';

const place = { projectId: accountId };

/** A token to be made. */
export interface NewToken {
  readonly name: string;
  /** Of `tokenScopes`. */
  readonly scopes: readonly string[];
  /** Milliseconds since the Unix epoch; null for one that never expires. */
  readonly expiresAt: number | null;
}

/** Every token of the account, without its value. @throws ApiError */
export function listTokens(client: Caller): Promise<AccessToken[]> {
  return readAll(client, { request: wire.list(place), decode: decodeToken });
}

/** Makes a token. Its value is answered this once. @throws ApiError; OutcomeUnknownError when it may exist unseen */
export function createToken(client: Caller, token: NewToken): Promise<CreatedToken> {
  const { name, scopes } = token;
  const expiresAt = token.expiresAt === null ? null : new Date(token.expiresAt).toISOString();
  const command = { kind: 'createToken', name, scopes, expiresAt, expiresIn: null } as const;
  return readOne(client, { request: encodeCommand(kinds, command), decode: decodeCreatedToken });
}

/** Gives a token another name. @throws ApiError */
export function renameToken(client: Caller, id: string, name: string): Promise<AccessToken> {
  const change = encodeCommand(kinds, { kind: 'renameToken', accessToken: id, name });
  return changeOne(client, change, { request: wire.get(place, id), decode: decodeToken });
}

/** Takes a token away from whoever uses it. @throws ApiError */
export async function deleteToken(client: Caller, id: string): Promise<void> {
  await client.call(encodeCommand(kinds, { kind: 'deleteToken', accessToken: id }));
}
