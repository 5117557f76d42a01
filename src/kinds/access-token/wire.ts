import type { ListedKindCodec } from '../../api/contract/codec.ts';
import type { WireCreatedToken, WireToken, WireTokenScope } from '../../api/contract/types.ts';
import type { AccessToken, CreatedToken } from '../../model/account/account.ts';
import { accountPlaceholderId } from '../../model/account/live.ts';
import {
  readWireId,
  readWireRecord,
  readWireText,
  readWireTexts,
  readWireTime,
  decodeLiveList,
  readOptionalLiveTime,
  readLiveText,
  readContractWord,
  UnreadableAnswerError,
} from '../../model/wire/decode-fields.ts';
import type { LiveAccessToken } from './model.ts';

/** An access token, without its value. @throws UnreadableAnswerError */
export function decodeAccessToken(wire: unknown): AccessToken {
  const record = readWireRecord<WireToken>(wire, 'a token');
  return {
    id: readWireId(record.id, 'a token'),
    name: readWireText(record.name) ?? '',
    scopes: readWireTexts(record.scopes),
    expiresAt: readWireTime(record.expiresAt),
    createdAt: readWireTime(record.createdAt),
    lastUsedAt: readWireTime(record.lastUsedAt),
  };
}

const scopeWords: readonly WireTokenScope[] = [
  ...(['full', 'read', 'compute', 'network', 'account', 'tokens'] as const),
];

/** An access token as plans compare it. @throws UnreadableAnswerError */
export function decodeLiveAccessToken(wire: unknown): LiveAccessToken {
  const record = readWireRecord<WireToken>(wire, 'a token');
  const { id, createdAt, lastUsedAt } = decodeAccessToken(wire);
  return {
    kind: 'accessToken',
    id,
    projectId: accountPlaceholderId,
    name: readLiveText(record.name),
    scopes: decodeLiveList(record.scopes, (scope) => readContractWord(scope, scopeWords)),
    expiresAt: readOptionalLiveTime(record.expiresAt),
    createdAt,
    lastUsedAt,
  };
}

/** A token just made, with its value, which no later answer has. @throws UnreadableAnswerError */
export function decodeCreatedAccessToken(wire: unknown): CreatedToken {
  const { value } = readWireRecord<WireCreatedToken>(wire, 'a token');
  if (typeof value !== 'string' || value === '') {
    throw new UnreadableAnswerError('a new token without its value');
  }
  return { token: decodeAccessToken(wire), value };
}

/** Requests and decoder for access tokens, which lie in no project. */
export const accessTokenWireFormat: ListedKindCodec<'accessToken'> = {
  list: () => ({ operation: 'listTokens', params: {} }),
  get: (_, tokenId) => ({ operation: 'getToken', params: { tokenId } }),
  decode: decodeLiveAccessToken,
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
