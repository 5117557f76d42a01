import type { AccessToken, CreatedToken } from '../model/account/account.ts';
import type { WireCreatedToken, WireTokenScope } from './contract/types.ts';
import { decodeToken } from './wire/decode.ts';
import { readRecord, UnreadableAnswer } from '../model/wire/decode-fields.ts';
import { encodeCommand } from './wire/encode.ts';
import { type Caller, changeOne, readAll, readOne } from './wire/reading.ts';

const everyScope: Record<WireTokenScope, true> = {
  full: true,
  read: true,
  compute: true,
  network: true,
  account: true,
  tokens: true,
};

/** Every scope of the contract. */
export const tokenScopes: readonly string[] = Object.keys(everyScope);

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
  return readAll(client, { operation: 'listTokens', params: {} }, decodeToken);
}

/** Makes a token. Its value is answered this once. @throws ApiError; OutcomeUnknownError when it may exist unseen */
export function createToken(client: Caller, token: NewToken): Promise<CreatedToken> {
  const { name, scopes, expiresAt } = token;
  return readOne(
    client,
    encodeCommand({
      kind: 'createToken',
      name,
      scopes,
      expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      expiresIn: null,
    }),
    (wire) => {
      const { value } = readRecord<WireCreatedToken>(wire, 'a token');
      if (typeof value !== 'string' || value === '') {
        throw new UnreadableAnswer('a new token without its value');
      }
      return { token: decodeToken(wire), value };
    },
  );
}

/** Gives a token another name. @throws ApiError */
export function renameToken(client: Caller, tokenId: string, name: string): Promise<AccessToken> {
  const params = { tokenId };
  return changeOne(
    client,
    { operation: 'renameToken', params, body: { name } },
    { operation: 'getToken', params },
    decodeToken,
  );
}

/** Takes a token away from whoever uses it. @throws ApiError */
export async function deleteToken(client: Caller, tokenId: string): Promise<void> {
  await client.call({ operation: 'deleteToken', params: { tokenId } });
}
