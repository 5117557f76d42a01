import { describe, expect, it } from 'vitest';
import { checkAccessTokens } from '../../../src/checks/access-tokens.ts';
import type { CheckInput } from '../../../src/checks/check.ts';
import type { LiveAccessToken } from '../../../src/model/live.ts';
import type { Change, PlanWishes } from '../../../src/model/plan.ts';
import type { Attributes } from '../../../src/model/value.ts';
import { makeChange, makePlan } from '../render/sample-plan.ts';

const now = Date.parse('2027-01-01T00:00:00Z');
const address = 'tokens.ci';

function token(id: string, lastUsedAt: number | null): LiveAccessToken {
  return {
    ...{ kind: 'accessToken', id, name: id, scopes: [], expiresAt: null, createdAt: null },
    lastUsedAt,
  } as unknown as LiveAccessToken;
}

interface Given {
  readonly change?: Partial<Change>;
  readonly tokens?: readonly LiveAccessToken[];
  readonly configured?: Attributes;
  readonly wishes?: Partial<PlanWishes>;
  /** False: nobody says when the plan is made. */
  readonly isTimed?: boolean;
}

function check(given: Given): string[] {
  const { change, tokens = [], configured, wishes, isTimed = true } = given;
  const source = { file: 'a.yaml', line: 2, column: 3, endLine: 2, endColumn: 4 };
  const resource = { address, attributes: configured, source, attributeSources: {} };
  const input = {
    plan: makePlan([
      makeChange({ address, kind: 'accessToken', id: 'ours', action: 'update', ...change }),
      makeChange({ action: 'delete' }),
    ]),
    desired: new Map(configured ? [[address, resource]] : []),
    live: { resources: [...tokens, { kind: 'vm', id: 'vm-1' }] },
    wishes,
    ...(isTimed && { plannedAt: now }),
  } as unknown as CheckInput;
  return checkAccessTokens(input).map(({ severity, code, source: at }) =>
    [severity, code, ...(at ? [`line ${at.line}`] : [])].join(' '),
  );
}

const expired = { expiresAt: '2026-12-31T00:00:00Z' };
const onlyOurs = [token('ours', now)];
const used = [token('ours', now), token('theirs', now)];
const unused = [token('ours', null), token('theirs', now)];

describe('access tokens of a plan', () => {
  it.each<[string, Given, string[]]>([
    ['are silent where nothing is to be said', { configured: {} }, []],
    [
      'guard the only token',
      { change: { action: 'delete' }, tokens: onlyOurs },
      ['error own-token'],
    ],
    [
      'warn of the only token when that was asked for',
      { change: { action: 'delete' }, tokens: onlyOurs, wishes: { isForced: true } },
      ['warning own-token'],
    ],
    [
      'warn of one of those in use',
      { change: { action: 'replace' }, tokens: used, configured: {} },
      ['warning own-token line 2'],
    ],
    ['let an unused one go', { change: { action: 'delete' }, tokens: unused }, []],
    ['let one go that is not there', { change: { action: 'delete' }, tokens: [] }, []],
    [
      'do not know without a time',
      { change: { action: 'delete' }, tokens: onlyOurs, isTimed: false },
      [],
    ],
    [
      'refuse to make one that has ended',
      { change: { action: 'create' }, configured: expired },
      ['error expiry-past line 2'],
    ],
    [
      'warn of one that has ended',
      { change: { action: 'no-op' }, configured: expired },
      ['warning expiry-past line 2'],
    ],
    ['ask no end of one that is gone', { change: { action: 'no-op' } }, []],
    ['have no end in the past without a time', { configured: expired, isTimed: false }, []],
    ['have an end to come', { configured: { expiresAt: '2027-06-01T00:00:00Z' } }, []],
    [
      'note that the value of an adopted one is nowhere',
      { change: { isImported: true }, configured: {} },
      ['note value-unknown line 2'],
    ],
    [
      'have a value where an adopted one is replaced',
      { change: { isImported: true, action: 'replace' }, tokens: unused, configured: {} },
      [],
    ],
  ])('%s', (_what, given, findings) => {
    expect(check(given)).toEqual(findings);
  });
});
