import { hashToken, makeTokenValue, createSandboxId } from '../store/ids.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';

const defaultSeed = 1;

/** Notifications that go out by email until the account's preferences change. */
const firstPreferences = { operationSucceeded: false, operationFailed: true, quotaLow: true };

/**
 * Accepted value of the account's first token. The token has a value for each that was given to it, and one more while
 * a sandbox is open.
 */
export interface OwnerTokenValue {
  readonly valueHash: string;
  readonly tokenId: string;
}

/** Key of the setting that ties a value of the first token, by its hash, to the token's id: no value is stored itself. */
const ownerSetting = (valueHash: string): string => `ownerToken ${valueHash}`;

/** Finds the id of the account's first token by the hash of one of its values; undefined for other values. */
export const findOwnerTokenId = (store: SandboxStore, valueHash: string): string | undefined =>
  store.setting(ownerSetting(valueHash));

/**
 * Creates the account of a new data file, and its first token, which the service issues outside of its API. A given
 * value for the token is accepted at later openings, too; a generated one until this sandbox is closed. An existing
 * file keeps its seed, since ids must stay unique.
 */
export function openSandboxAccount(
  store: SandboxStore,
  options: { readonly seed?: number; readonly token?: string; readonly now: () => number },
): { seed: number; token: string; owner: OwnerTokenValue } {
  return store.transaction(() => {
    const kept = store.setting('seed');
    const seed = kept === undefined ? (options.seed ?? defaultSeed) : Number(kept);
    const createdAt = options.now();
    if (kept === undefined) {
      store.keepSetting('seed', String(seed));
      store.insert(sandboxTables.accounts, {
        id: 'account',
        email: 'owner@example.com',
        locale: 'en-GB',
        preferences: JSON.stringify(firstPreferences),
        createdAt,
      });
    }
    const token = options.token ?? makeTokenValue();
    const valueHash = hashToken(token);
    const tokenId = findFirstToken(store) ?? addFirstToken(store, seed, createdAt);
    if (options.token !== undefined) store.keepSetting(ownerSetting(valueHash), tokenId);
    return { seed, token, owner: { valueHash, tokenId } };
  });
}

/** Id of the first token; undefined in a new data file, and once the token was revoked. */
function findFirstToken(store: SandboxStore): string | undefined {
  const id = store.setting('firstToken');
  return id === undefined ? undefined : store.first(sandboxTables.tokens, { id })?.id;
}

function addFirstToken(store: SandboxStore, seed: number, createdAt: number): string {
  const id = createSandboxId(store, seed, 'token');
  store.insert(sandboxTables.tokens, {
    id,
    name: 'first',
    // The first token is recognised by several values, see `OwnerTokenValue`, so that it has no hash.
    valueHash: '',
    scopes: JSON.stringify(['full']),
    expiresAt: null,
    createdAt,
    lastUsedAt: null,
  });
  store.keepSetting('firstToken', id);
  return id;
}
