// Requests about access tokens outside of any plan, with the decoders of their answers.
import type { RequestWithDecoder } from '../../api/contract/codec.ts';
import type { WireRequest } from '../../api/contract/types.ts';
import type { AccessToken, CreatedToken } from '../../model/account/account.ts';
import { accountPlaceholderId } from '../../model/account/live.ts';
import {
  accessTokenWireFormat as wire,
  decodeCreatedAccessToken,
  decodeAccessToken,
} from './wire.ts';

const place = { projectId: accountPlaceholderId };

/** An access token that is to be created. */
export interface NewAccessToken {
  readonly name: string;
  /** Scopes that the token gets, from `tokenScopes`. */
  readonly scopes: readonly string[];
  /** Milliseconds since the Unix epoch; null for a token that never expires. */
  readonly expiresAt: number | null;
}

/** Lists every access token of the account, without its value. */
export const accessTokenListRequest: RequestWithDecoder<AccessToken> = {
  request: wire.list(place),
  decode: decodeAccessToken,
};

/** Reads one access token, without its value. */
export function buildReadTokenRequest(id: string): RequestWithDecoder<AccessToken> {
  return { request: wire.get(place, id), decode: decodeAccessToken };
}

/** The request that makes a token. Its answer alone has the token's value. */
export function buildCreateTokenRequest({
  name,
  scopes,
  expiresAt,
}: NewAccessToken): RequestWithDecoder<CreatedToken> {
  const end = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const command = { kind: 'createToken', name, scopes, expiresAt: end, expiresIn: null } as const;
  const request: WireRequest = { operation: command.kind, ...wire.encode.createToken(command) };
  return { request, decode: decodeCreatedAccessToken };
}

/** Makes the request that renames an access token. */
export function buildRenameTokenRequest(id: string, name: string): WireRequest {
  const command = { kind: 'renameToken', accessToken: id, name } as const;
  return { operation: command.kind, ...wire.encode.renameToken(command) };
}

/** The request that revokes a token: whoever uses it is locked out. */
export function buildRevokeTokenRequest(id: string): WireRequest {
  const command = { kind: 'deleteToken', accessToken: id } as const;
  return { operation: command.kind, ...wire.encode.deleteToken(command) };
}
