import { expect, it } from 'vitest';
import { checkAccessTokens } from '../../../../src/kinds/access-token/access-token.ts';
import type { Change } from '../../../../src/model/plan/plan.ts';
import type { DesiredResource } from '../../../../src/model/resource.ts';
import type { Attributes } from '../../../../src/model/value.ts';
import { makeLive, type AccountInput } from '../../../support/account.ts';
import { makeState } from '../../../support/memory.ts';
import { makeChange, makePlan } from '../../render/sample-plan.ts';
import { readList, readRows } from '../../../support/read-rows.ts';

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
  const findings = checkAccessTokens({
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

const settings: Readonly<Record<string, Partial<Given>>> = {
  ...{ 'only ours': { tokens: onlyOurs }, used: { tokens: used }, unused: { tokens: unused } },
  ...{ forced: { isForced: true }, untimed: { isTimed: false }, configured: { configured: {} } },
  ...{ over: { configured: expired }, imported: { change: { isImported: true } } },
  lasting: { configured: { expiresAt: '2027-06-01T00:00:00Z' } },
  replaced: { change: { isImported: true, action: 'replace' } },
};

it.each(
  readRows(`
  are silent where nothing is to be said | update | configured |
  guard the only token | delete | only ours | error own-token
  warn of the only token when that was asked for | delete | only ours, forced | warning own-token
  warn of one of those in use | replace | used, configured | warning own-token line 2
  let an unused one go | delete | unused |
  let one go that is not there | delete |  |
  do not know without a time | delete | only ours, untimed |
  refuse to make one that has ended | create | over | error expiry-past line 2
  warn of one that has ended | no-op | over | warning expiry-past line 2
  ask no end of one that is gone | no-op |  |
  have no end in the past without a time | update | over, untimed |
  have an end to come | update | lasting |
  note that the value of an adopted one is nowhere | imported | configured | note value-unknown line 2
  have a value where an adopted one is replaced | replaced | unused, configured |
`),
)('access tokens of a plan: %s', (_what, action, names, findings) => {
  const { change } = settings[action] ?? { change: { action: action as Change['action'] } };
  const given = Object.assign(
    { change },
    ...readList(names).map((name) => settings[name]),
  ) as Given;
  expect(check(given).join()).toBe(findings);
});
