import { hashToken, nextId, tokenValue } from './ids.ts';
import { tables } from './rows.ts';
import type { Store } from './store.ts';

const defaultSeed = 1;

/** Which notifications the account has sent by email, until it says otherwise. */
const firstPreferences = { operationSucceeded: false, operationFailed: true, quotaLow: true };

/**
 * Makes the account of a new data file, and makes sure of its first token, which the service issues outside its
 * interface. An existing file keeps its seed: ids must stay unique.
 */
export function openAccount(
  store: Store,
  options: { readonly seed?: number; readonly token?: string; readonly now: () => number },
): { seed: number; token: string } {
  return store.transaction(() => {
    const kept = store.setting('seed');
    const seed = kept === undefined ? (options.seed ?? defaultSeed) : Number(kept);
    const createdAt = options.now();
    if (kept === undefined) {
      store.keepSetting('seed', String(seed));
      store.insert(tables.accounts, {
        id: 'account',
        email: 'owner@example.com',
        locale: 'en-GB',
        preferences: JSON.stringify(firstPreferences),
        createdAt,
      });
    }
    const token = options.token ?? store.setting('token') ?? tokenValue(seed, 'first');
    store.keepSetting('token', token);
    if (!store.first(tables.tokens, { valueHash: hashToken(token) })) {
      store.insert(tables.tokens, {
        id: nextId(store, seed, 'token'),
        name: 'first',
        valueHash: hashToken(token),
        scopes: JSON.stringify(['full']),
        expiresAt: null,
        createdAt,
        lastUsedAt: null,
      });
    }
    return { seed, token };
  });
}
