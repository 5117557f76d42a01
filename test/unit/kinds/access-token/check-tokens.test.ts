import { expect, it } from 'vitest';
import { checkTokens } from '../../../../src/kinds/access-token/check-tokens.ts';
import type { Change } from '../../../../src/model/plan/plan.ts';
import type { DesiredResource } from '../../../../src/model/resource.ts';
import type { Attributes } from '../../../../src/model/value.ts';
import { makeLive, type AccountInput } from '../../../support/account.ts';
import { makeState } from '../../../support/memory.ts';
import { makeChange, makePlan } from '../../render/sample-plan.ts';

const now = Date.parse('2027-01-01T00:00:00Z');
const address = 'tokens.ci';

interface Given {
  readonly change?: Partial<Change>;
  readonly tokens?: AccountInput['tokens'];
  readonly configured?: Attributes;
  readonly isForced?: boolean;
  /** False: nobody says when the plan is made. */
  readonly isTimed?: boolean;
}

function check(given: Given): string[] {
  const { change, tokens = {}, configured, isForced = false, isTimed = true } = given;
  const live = makeLive({ tokens, projects: { 'p-1': { name: 'shop' } } });
  const desired = new Map<string, DesiredResource>();
  if (configured) {
    desired.set(address, {
      ...{ address, kind: 'accessToken', project: 'account', attributes: configured },
      timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
      source: { file: 'a.yaml', line: 2, column: 3, endLine: 2, endColumn: 4 },
      attributeSources: {},
    });
  }
  const findings = checkTokens({
    plan: makePlan([
      makeChange({ address, kind: 'accessToken', id: 'ours', action: 'update', ...change }),
      makeChange({ action: 'delete' }),
    ]),
    ...{ desired, live, state: makeState({}, live) },
    planOptions: {
      adoptsAll: false,
      isForced,
      replace: [],
      selection: { targets: [], excludes: [] },
    },
    ...(isTimed && { plannedAt: now }),
  });
  return findings.map(({ severity, code, source }) =>
    [severity, code, ...(source ? [`line ${source.line}`] : [])].join(' '),
  );
}

const expired = { expiresAt: '2026-12-31T00:00:00Z' };
const onlyOurs = { ours: { lastUsedAt: now } };
const used = { ours: { lastUsedAt: now }, theirs: { lastUsedAt: now } };
const unused = { ours: { lastUsedAt: null }, theirs: { lastUsedAt: now } };

it.each<[string, Given, string[]]>([
  ['are silent where nothing is to be said', { configured: {} }, []],
  ['guard the only token', { change: { action: 'delete' }, tokens: onlyOurs }, ['error own-token']],
  [
    'warn of the only token when that was asked for',
    { change: { action: 'delete' }, tokens: onlyOurs, isForced: true },
    ['warning own-token'],
  ],
  [
    'warn of one of those in use',
    { change: { action: 'replace' }, tokens: used, configured: {} },
    ['warning own-token line 2'],
  ],
  ['let an unused one go', { change: { action: 'delete' }, tokens: unused }, []],
  ['let one go that is not there', { change: { action: 'delete' }, tokens: {} }, []],
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
])('access tokens of a plan: %s', (_what, given, findings) =>
  expect(check(given)).toEqual(findings),
);
