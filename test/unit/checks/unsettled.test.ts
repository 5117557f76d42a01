import { expect, it } from 'vitest';
import { runChecks } from '../../../src/checks/run-checks.ts';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import { makeChange, makePlan } from '../render/sample-plan.ts';
import { checkedPlanOf, planOf } from '../../support/plan-lines.ts';
import { afterApply, idOf, lose, reconfigure, touch, type World } from '../../support/world.ts';

const web = 'projects.shop.vms.web';
const applied = afterApply({ shop: { vms: { web: {}, db: {} } } });
const busy = touch(applied, web, { operation: 'CreateBackup', operationStatus: 'Running' });
const stopped = (world: World) =>
  reconfigure(world, { shop: { vms: { web: { power: 'stopped' }, db: {} } } });

const record = (given: Partial<LiveOperation>): LiveOperation => ({
  ...{ id: 'op-1', type: 'CreateBackup', status: 'InProgress', resourceType: 'vm' },
  ...{ resourceId: idOf(web), createdAt: Date.UTC(2026, 0, 2, 3, 4, 5), completedAt: null },
  failureCode: null,
  ...given,
});

function busyNotes(world: World, operations?: readonly LiveOperation[]): string[] {
  const { live, state } = world;
  const desired = new Map(world.desired.resources.map((one) => [one.address, one]));
  const checked = runChecks({
    ...{ plan: planOf(world), desired, live, state },
    ...(operations && { operations }),
  });
  return checked.findings.filter(({ code }) => code === 'vm-busy').map(({ summary }) => summary);
}

it('what an earlier run has under way is told in one note of many, ten of them by name', () => {
  const underway = { command: 'rebuildVm', since: 0 } as const;
  const noteOf = (count: number) => {
    const changes = Array.from({ length: count }, (_, at) =>
      makeChange({ address: `projects.shop.vms.w${at}`, action: 'no-op', underway }),
    );
    const { live, state } = applied;
    const { findings } = runChecks({ plan: makePlan(changes), desired: new Map(), live, state });
    const notes = findings.filter(({ code }) => code === 'in-progress');
    return notes.map(({ detail = '' }) => /w\d+(?: and \d+ more)?(?=\. An)/.exec(detail)?.[0]);
  };
  expect(noteOf(4)).toEqual(['w3']);
  expect(noteOf(12)).toEqual(['w9 and 2 more']);
});

it.each<[string, World, LiveOperation[] | undefined, string[]]>([
  ['is none where it is free', stopped(applied), [], []],
  ['is not told of what does not change', busy, [record({})], []],
  [
    'is told with what and since when',
    stopped(busy),
    [record({}), record({ type: 'Stop', createdAt: 0 })],
    ['VM "web" is busy (CreateBackup InProgress, since 2026-01-02 03:04:05 UTC)'],
  ],
  [
    'is told without a time where the record has none',
    stopped(busy),
    [record({ createdAt: null })],
    ['VM "web" is busy (CreateBackup InProgress)'],
  ],
  [
    'is told in the words of the VM where no record runs',
    stopped(busy),
    [record({ completedAt: 1 })],
    ['VM "web" is busy (CreateBackup Running)'],
  ],
  [
    'is told where nobody asked for records',
    stopped(busy),
    undefined,
    ['VM "web" is busy (CreateBackup Running)'],
  ],
])('a VM that is locked now: %s', (_what, world, operations, expected) => {
  expect(busyNotes(world, operations)).toEqual(expected);
});

it.each([3, 14])('a refresh keeps what is not shown %i minutes after its create', (minutes) => {
  const leftMs = (15 - minutes) * 60_000 - 1;
  const resource = applied.state.resources.get(web);
  const unshown = resource ? [{ resource, createdAt: 0, goneAt: 900_000, leftMs }] : [];
  const world = { ...lose(applied, web), mode: 'refresh' as const, unshown };
  const { findings, drift, gone } = checkedPlanOf(world);
  expect([drift, gone]).toEqual([[], []]);
  expect(findings).toMatchObject([{ severity: 'warning', code: 'hidden-or-deleted' }]);
  expect(findings[0]?.detail).toContain(
    ` in ${minutes === 14 ? '1 minute' : '12 minutes'}. It stays in the state until then.`,
  );
});
