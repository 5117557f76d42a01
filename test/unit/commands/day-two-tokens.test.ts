import { expect, test } from 'vitest';
import { classifyOwnToken } from '../../../src/kinds/access-token/token-use.ts';
import type { AccessToken } from '../../../src/model/account/account.ts';

const now = Date.UTC(2026, 10, 21);
const minute = 60_000;
const token = (id: string, more: Partial<AccessToken> = {}): AccessToken => ({
  id,
  name: id,
  scopes: ['full'],
  expiresAt: null,
  createdAt: now - 1000 * minute,
  lastUsedAt: null,
  ...more,
});

test.each<[string, AccessToken, AccessToken[], string]>(
  // prettier-ignore
  [
    ['the only one', token('a'), [], 'certain'],
    ['the only one that has not expired', token('a'), [token('b', { expiresAt: now - 1 })], 'certain'],
    ['an expired one', token('a', { expiresAt: now - 1 }), [token('b')], 'likely'],
    ['the one used last', token('a', { lastUsedAt: now }), [token('b')], 'likely'],
    ['one used as good as last', token('a', { lastUsedAt: now - minute }), [token('b', { lastUsedAt: now })], 'likely'],
    ['one used before', token('a', { lastUsedAt: now - 60 * minute }), [token('b', { lastUsedAt: now })], 'unlikely'],
    ['one never used', token('a'), [token('b', { lastUsedAt: now })], 'unlikely'],
  ],
)('%s', (_, subject, others, expected) => {
  expect(classifyOwnToken(subject, [subject, ...others], now)).toBe(expected);
});
