import type { ListCodec } from '../../api/contract/codec.ts';
import type { WireCreatedToken, WireToken, WireTokenScope } from '../../api/contract/types.ts';
import type { AccessToken, CreatedToken } from '../../model/account/account.ts';
import { accountId } from '../../model/account/live.ts';
import {
  readId,
  readRecord,
  readText,
  readTexts,
  readTime,
  tellItems,
  tellOptionalTime,
  readToldText,
  readContractWord,
  UnreadableAnswer,
} from '../../model/wire/decode-fields.ts';
import type { LiveAccessToken } from './model.ts';

/** An access token, without its value. @throws UnreadableAnswer */
export function decodeToken(wire: unknown): AccessToken {
  const record = readRecord<WireToken>(wire, 'a token');
  return {
    id: readId(record.id, 'a token'),
    name: readText(record.name) ?? '',
    scopes: readTexts(record.scopes),
    expiresAt: readTime(record.expiresAt),
    createdAt: readTime(record.createdAt),
    lastUsedAt: readTime(record.lastUsedAt),
  };
}

const scopeWords: readonly WireTokenScope[] = [
  ...(['full', 'read', 'compute', 'network', 'account', 'tokens'] as const),
];

/** An access token as plans compare it. @throws UnreadableAnswer */
export function decodeLiveToken(wire: unknown): LiveAccessToken {
  const record = readRecord<WireToken>(wire, 'a token');
  const { id, createdAt, lastUsedAt } = decodeToken(wire);
  return {
    kind: 'accessToken',
    id,
    projectId: accountId,
    name: readToldText(record.name),
    scopes: tellItems(record.scopes, (scope) => readContractWord(scope, scopeWords)),
    expiresAt: tellOptionalTime(record.expiresAt),
    createdAt,
    lastUsedAt,
  };
}

/** A token just made, with its value, which no later answer has. @throws UnreadableAnswer */
export function decodeCreatedToken(wire: unknown): CreatedToken {
  const { value } = readRecord<WireCreatedToken>(wire, 'a token');
  if (typeof value !== 'string' || value === '') {
    throw new UnreadableAnswer('a new token without its value');
  }
  return { token: decodeToken(wire), value };
}

/** Requests and decoder for access tokens, which lie in no project. */
export const accessTokenWire: ListCodec<'accessToken'> = {
  list: () => ({ operation: 'listTokens', params: {} }),
  get: (_, tokenId) => ({ operation: 'getToken', params: { tokenId } }),
  decode: decodeLiveToken,
  encode: {
    createToken: ({ name, scopes, expiresAt }) => ({
      params: {},
      body: {
        name,
        // The configuration allows no other scopes than the contract; the service has the last word.
        scopes: scopes as WireTokenScope[],
        ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
      },
    }),
    renameToken: ({ accessToken, name }) => ({ params: { tokenId: accessToken }, body: { name } }),
    deleteToken: ({ accessToken }) => ({ params: { tokenId: accessToken } }),
  },
};
