import { listGrantedScopes } from '../rules/auth.ts';
import type { SandboxHandlers } from './handler.ts';
import { hashToken, makeTokenValue, createSandboxId } from '../store/ids.ts';
import { findTokenRow } from '../rules/lookups.ts';
import { checkTextLength, requireValidName } from '../rules/names.ts';
import { InvalidRequestFieldList, createForbiddenRefusal } from '../contract/problems.ts';
import { claimQuota } from '../rules/quotas.ts';
import {
  representCreatedAccessToken,
  representAccessToken,
} from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Access tokens, managed from inside an authorized session. A value is shown once. */
export const tokenHandlers = {
  listTokens: (call) =>
    call.store.select(sandboxTables.tokens, 'ORDER BY seq').map(representAccessToken),

  createToken: (call) => {
    const { store, rules, now, body } = call;
    const expiresAt = body.expiresAt == null ? null : Date.parse(body.expiresAt);
    const faults = new InvalidRequestFieldList();
    checkTextLength(call, faults, 'name', body.name, 'accessToken');
    // A leap second fits the format and is no time for a program: it reads as NaN.
    if (expiresAt !== null && !(expiresAt > now && expiresAt <= lastMoment))
      faults.add('expiresAt', 'It must be in the future, and before the year 10000.');
    faults.refuse();
    // Otherwise a token that may only manage tokens could make itself one that may do everything.
    const own = listGrantedScopes(call.token);
    const beyond = body.scopes.filter((scope) => !own.includes('full') && !own.includes(scope));
    if (beyond.length > 0) {
      throw createForbiddenRefusal(
        `A token cannot grant scopes that it does not have: ${beyond.join(', ')}.`,
      );
    }
    claimQuota(call, { accessTokens: 1 });
    const id = createSandboxId(store, rules.seed, 'token');
    const value = makeTokenValue();
    const token = {
      id,
      name: body.name,
      valueHash: hashToken(value),
      scopes: JSON.stringify(body.scopes),
      expiresAt,
      createdAt: now,
      lastUsedAt: null,
    };
    store.insert(sandboxTables.tokens, token);
    return representCreatedAccessToken(token, value);
  },

  getToken: (call) => representAccessToken(findTokenRow(call, call.params.tokenId)),

  renameToken: (call) => {
    const token = findTokenRow(call, call.params.tokenId);
    const { name } = call.body;
    requireValidName(call, name, 'accessToken');
    call.store.update(sandboxTables.tokens, { id: token.id }, { name });
    return representAccessToken({ ...token, name });
  },

  deleteToken: (call) => {
    const { id } = findTokenRow(call, call.params.tokenId);
    call.store.delete(sandboxTables.tokens, { id });
    return undefined;
  },
} satisfies Partial<SandboxHandlers>;
