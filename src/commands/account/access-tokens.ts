// Access tokens outside of any plan: the value of a new one is in the answer and nowhere else.
import type { ServiceCaller } from '../../api/wire/caller.ts';
import { changeServiceRecord, readServiceList, readServiceRecord } from '../../api/wire/reading.ts';
import {
  buildRenameTokenRequest,
  buildRevokeTokenRequest,
  buildCreateTokenRequest,
  buildReadTokenRequest,
  accessTokenListRequest,
  type NewAccessToken,
} from '../../kinds/access-token/requests.ts';
import type { AccessToken, CreatedToken } from '../../model/account/account.ts';

/** Every token of the account, without its value. @throws ApiError */
export function listAccessTokens(client: ServiceCaller): Promise<AccessToken[]> {
  return readServiceList(client, accessTokenListRequest);
}

/**
 * Creates an access token. The service shows its value in this answer only.
 * @throws ApiError; OutcomeUnknownError where the token may exist although no answer came
 */
export function createToken(client: ServiceCaller, token: NewAccessToken): Promise<CreatedToken> {
  return readServiceRecord(client, buildCreateTokenRequest(token));
}

/** Gives a token another name. @throws ApiError */
export function renameToken(client: ServiceCaller, id: string, name: string): Promise<AccessToken> {
  return changeServiceRecord(client, buildRenameTokenRequest(id, name), buildReadTokenRequest(id));
}

/** Revokes a token: requests with it are refused from then on. @throws ApiError */
export async function deleteToken(client: ServiceCaller, id: string): Promise<void> {
  await client.call(buildRevokeTokenRequest(id));
}
