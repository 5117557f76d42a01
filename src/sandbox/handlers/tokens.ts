import { grantedScopes } from '../rules/auth.ts';
import type { Handlers } from './handler.ts';
import { hashToken, makeTokenValue, nextId } from '../store/ids.ts';
import { findToken } from '../rules/lookups.ts';
import { checkCappedText, requireName } from '../rules/names.ts';
import { RequestFaultList, forbidden } from '../contract/problems.ts';
import { claimQuota } from '../rules/quotas.ts';
import { showCreatedToken, showToken } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Access tokens, managed from inside an authorized session. A value is shown once. */
export const tokenHandlers = {
  listTokens: (call) => call.store.select(tables.tokens, 'ORDER BY seq').map(showToken),

  createToken: (call) => {
    const { store, rules, now, body } = call;
    const expiresAt = body.expiresAt == null ? null : Date.parse(body.expiresAt);
    const faults = new RequestFaultList();
    checkCappedText(call, faults, 'name', body.name, 'accessToken');
    // A leap second fits the format and is no time for a program: it reads as NaN.
    if (expiresAt !== null && !(expiresAt > now && expiresAt <= lastMoment))
      faults.add('expiresAt', 'It must be in the future, and before the year 10000.');
    faults.refuse();
    // Otherwise a token that may only manage tokens could make itself one that may do everything.
    const own = grantedScopes(call.token);
    const beyond = body.scopes.filter((scope) => !own.includes('full') && !own.includes(scope));
    if (beyond.length > 0) {
      throw forbidden(`A token cannot grant scopes that it does not have: ${beyond.join(', ')}.`);
    }
    claimQuota(call, { accessTokens: 1 });
    const id = nextId(store, rules.seed, 'token');
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
    store.insert(tables.tokens, token);
    return showCreatedToken(token, value);
  },

  getToken: (call) => showToken(findToken(call, call.params.tokenId)),

  renameToken: (call) => {
    const token = findToken(call, call.params.tokenId);
    const { name } = call.body;
    requireName(call, name, 'accessToken');
    call.store.update(tables.tokens, { id: token.id }, { name });
    return showToken({ ...token, name });
  },

  deleteToken: (call) => {
    const { id } = findToken(call, call.params.tokenId);
    call.store.delete(tables.tokens, { id });
    return undefined;
  },
} satisfies Partial<Handlers>;
