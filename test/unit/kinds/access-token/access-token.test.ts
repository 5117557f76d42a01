import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { accessTokenKind } from '../../../../src/kinds/access-token/access-token.ts';
import { classifyOwnToken } from '../../../../src/kinds/access-token/token-use.ts';
import type { LiveAccessToken } from '../../../../src/kinds/access-token/model.ts';
import type { Attributes } from '../../../../src/model/value.ts';
import { readRows } from '../../../support/read-rows.ts';

const dayMs = 24 * 3_600_000;
const made = Date.parse('2027-01-01T00:00:00Z');

function live(given: Partial<LiveAccessToken> = {}): LiveAccessToken {
  return {
    ...{ kind: 'accessToken', id: 't-1', name: 'ci', scopes: ['vms:read'] },
    ...{ expiresAt: made + 30 * dayMs, createdAt: made, lastUsedAt: null, ...given },
  } as LiveAccessToken;
}

const read = (token: LiveAccessToken, desired?: Attributes) =>
  accessTokenKind.read(token, { nameOf: () => undefined } as never, desired);

describe('a token that a create may have made', () => {
  const end = new Date(made + 30 * dayMs).toISOString();
  it.each<[string, Partial<LiveAccessToken>, string | null, string]>([
    ['is the one of that end', { expiresAt: made + 30 * dayMs + 3_600_000 }, end, 'same'],
    ['is another of another end', { expiresAt: made + 31 * dayMs }, end, 'other'],
    ['is another where only one of them ends', { expiresAt: null }, end, 'other'],
    ['is the one where neither ends', { expiresAt: null }, null, 'same'],
    ['may be the one where its end is untold', { expiresAt: undefined }, end, 'untold'],
  ])('%s', (_what, given, expiresAt, likeness) => {
    const command = { name: 'ci', scopes: ['vms:read'], expiresAt, expiresIn: null };
    const { createToken } = accessTokenKind.commands;
    const asked = { kind: 'createToken', ...command } as const;
    expect(createToken.compareUnchanging?.(live(given), asked)).toBe(likeness);
  });
});

it.each(
  readRows(`
  has its lifetime as it was asked for, when it is about that | { expiresAt: ${made + 30 * dayMs + 60_000} } | { expiresIn: 30d } | { expiresIn: 30d }
  has its true lifetime when it is another | {} | { expiresIn: 90d } | { expiresIn: 30d }
  is believed where the service does not say when it was made | { createdAt: null } | { expiresIn: 90d } | { expiresIn: 90d }
  has no lifetime when it never ends | { expiresAt: null } | { expiresIn: 90d } | { expiresIn: null, expiresAt: null }
  takes a lifetime that cannot be read for none | {} | { expiresIn: soon } | { expiresIn: 30d }
  has its end as it is written, when it is the same moment | {} | { expiresAt: "2027-01-31T01:00:00+01:00" } | { expiresAt: "2027-01-31T01:00:00+01:00" }
  has its end by the service when it is another | {} | { expiresAt: "2027-02-01T00:00:00Z" } | { expiresAt: "2027-01-31T00:00:00.000Z" }
  keeps what is ours alone | {} | { rotateBefore: 7d, writeTo: { file: token } } | { rotateBefore: 7d, writeTo: { file: token } }
`),
)('a token as it is read: %s', (_what, given, desired, expected) => {
  const token = live(parse(given) as Partial<LiveAccessToken>);
  expect(read(token, parse(desired) as Attributes)).toMatchObject(parse(expected) as object);
});

it('a token as it is read has no lifetime when nobody asks for one', () => {
  const none = { expiresIn: null, rotateBefore: null, writeTo: null };
  expect(read(live())).toMatchObject(none);
});

describe('a token gives way to a new one', () => {
  const expiresAt = new Date(made).toISOString();
  const [lasting, rotated] = [{ expiresIn: '30d' }, { expiresIn: '30d', rotateBefore: '7d' }];
  it.each<[string, Attributes, Attributes, number, string | undefined]>([
    ['when it has ended', { expiresAt }, lasting, made, 'expired'],
    ['when its time has come', { expiresAt }, rotated, made - 7 * dayMs, 'rotation-due'],
    ['not before', { expiresAt }, rotated, made - 7 * dayMs - 1, undefined],
    ['not when nobody asks for it', { expiresAt }, lasting, made - 1, undefined],
    ['not when its end is fixed', { expiresAt }, { expiresAt }, made + dayMs, undefined],
    ['not when it never ends', { expiresAt: null }, lasting, made, undefined],
  ])('%s', (_what, before, desired, now, reason) => {
    expect(accessTokenKind.traits.credential?.findEnd(before, desired, now)).toBe(reason);
  });
});

describe('what is sent for a token', () => {
  it('is made with what was asked for', () => {
    expect(accessTokenKind.create({ name: 'ci' }, undefined as never)).toEqual([
      { kind: 'createToken', name: 'ci', scopes: [], expiresAt: null, expiresIn: null },
    ]);
    const full = { name: 'ci', scopes: ['a'], expiresIn: '30d', expiresAt: '2027-01-01' };
    expect(accessTokenKind.create(full, undefined as never)).toEqual([
      { kind: 'createToken', ...full },
    ]);
  });

  it('is a rename where the name changes, and nothing where what changes is ours alone', () => {
    const update = (name: string) =>
      accessTokenKind.update(
        { fields: new Set([name]), after: { name: 'new' } } as never,
        { self: 't-1' } as never,
      );
    expect(update('name')).toEqual([{ kind: 'renameToken', accessToken: 't-1', name: 'new' }]);
    expect(update('writeTo')).toEqual([]);
  });
});

describe('the token in use', () => {
  const token = (id: string, lastUsedAt: number | null = null, expiresAt: number | null = null) =>
    ({ id, lastUsedAt, expiresAt }) as const;
  const now = made;
  it.each([
    ['is the only one', [token('a', now)], 'certain'],
    ['is the only one that works', [token('a'), token('b', now, now - 1)], 'certain'],
    ['may be the one used last', [token('a', now), token('b', now - dayMs)], 'likely'],
    ['may be one of those used last', [token('a', now - 60_000), token('b', now)], 'likely'],
    ['may be any where no use is known', [token('a'), token('b')], 'likely'],
    ['is not one used long before', [token('a', now - dayMs), token('b', now)], 'unlikely'],
    ['is not one never used', [token('a'), token('b', now)], 'unlikely'],
  ] as const)('%s', (_what, [first, ...rest], use) => {
    expect(classifyOwnToken(first, [first, ...rest], now)).toBe(use);
  });
});
