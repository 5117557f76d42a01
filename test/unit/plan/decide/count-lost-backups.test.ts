import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/plan/plan.ts';
import type { Backup } from '../../../../src/model/account/vm-work.ts';
import {
  listVmsLosingBackups,
  addLostBackupCounts,
} from '../../../../src/plan/decide/count-lost-backups.ts';
import { buildPlan } from '../../../../src/plan/build-plan.ts';
import type { VmConfig } from '../../../support/desired.ts';
import { afterApply, reconfigure } from '../../../support/world.ts';
import { makeChange, makePlan } from '../../render/sample-plan.ts';

const makeBackups = (count: number, oldestAt: number | null): Backup[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ id: `b-${index}`, status: 'active', size: 10, sourceImageId: null },
    createdAt: index === 0 ? oldestAt : Date.parse('2027-01-01') + index,
  }));

const rebuilt = (given: Partial<Change> = {}) =>
  makeChange({ action: 'rebuild', before: { name: 'web' }, losses: ['The disk.'], ...given });
const weigh = (change: Change, backups?: readonly Backup[], kept?: Backup) =>
  addLostBackupCounts(makePlan([change]), {
    ...(backups && { backups: new Map([['vm-1', backups]]) }),
    ...(kept && { kept: new Map([['vm-1', kept]]) }),
  }).changes[0];

describe('the backups of a plan', () => {
  it('are read where one is made or lost, and the former first', () => {
    const plan = makePlan([
      rebuilt({ address: 'projects.a.vms.lost', lostBackups: null as never }),
      rebuilt({ address: 'projects.a.vms.kept' }),
      rebuilt({ address: 'projects.a.vms.new', id: null, isBackedUpFirst: true }),
      rebuilt({ address: 'projects.a.vms.first', isBackedUpFirst: true }),
    ]);
    expect(listVmsLosingBackups(plan).map(({ address }) => address)).toEqual([
      'projects.a.vms.first',
      'projects.a.vms.lost',
    ]);
    const many = (given: Partial<Change>) => Array.from({ length: 201 }, () => rebuilt(given));
    expect(listVmsLosingBackups(makePlan(many({ isBackedUpFirst: true })))).toHaveLength(201);
    expect(listVmsLosingBackups(makePlan(many({ lostBackups: 0 })))).toHaveLength(200);
  });

  it.each<[string, readonly Backup[] | undefined]>([
    ['unknown', undefined],
    ['those of others', []],
  ])('change nothing where they are %s', (_what, backups) => {
    const change = rebuilt({ id: backups ? null : 'vm-1', lostBackups: 0 });
    expect(weigh(change, backups)).toEqual(change);
  });

  it('push the oldest out where there is no room for one more', () => {
    const change = rebuilt({ isBackedUpFirst: true });
    const full = makeBackups(7, Date.parse('2026-01-01'));
    expect(weigh(change, full)?.losses.at(-1)).toBe(
      'Its oldest backup (b-0 of 2026-01-01T00:00:00.000Z) is deleted for the new one: the service keeps 7.',
    );
    expect(weigh(change, full)).toMatchObject({ lostBackups: 1, displacedBackup: 'b-0' });
    expect(weigh(change, makeBackups(7, null))?.losses.at(-1)).toContain('(b-0) is deleted');
    expect(weigh(change, makeBackups(6, null))).toEqual(change);
    const awaited: Change = { ...change, underway: { command: 'createBackup', since: 0 } };
    expect(weigh(awaited, full)).toEqual(awaited);
  });

  it('push the oldest out for one that is due, too', () => {
    const dueBackup = { maxAgeMs: 1, newestAt: null };
    const change = makeChange({ action: 'due', before: { name: 'web' }, dueBackup });
    const full = makeBackups(7, Date.parse('2026-01-01'));
    expect(weigh(change, full)).toMatchObject({ lostBackups: 1, displacedBackup: 'b-0' });
    expect(weigh(change, full.slice(1))).toEqual(change);
  });

  it('push nothing out where that of an earlier attempt is used again', () => {
    const full = makeBackups(7, Date.parse('2026-01-01'));
    const used = weigh(rebuilt({ isBackedUpFirst: true }), full, full[6]);
    expect(used).toMatchObject({ isBackedUpFirst: false });
    expect(used?.losses.slice(1)).toEqual([
      'The backup of the earlier attempt (b-6 of 2027-01-01T00:00:00.006Z) is used again: what was written since is in no backup.',
    ]);
  });

  it('are counted where they go with the disk or with the VM', () => {
    const three = makeBackups(3, null);
    expect(weigh(rebuilt({ lostBackups: 0 }), three)?.losses.join(' ')).toContain('3 backups');
    const destroyed = makeChange({ action: 'delete', before: { name: 'web' }, lostBackups: 0 });
    expect(weigh(destroyed, three)).toMatchObject({ lostBackups: 3 });
    expect(weigh(destroyed, three)?.losses.join(' ')).toContain('3 backups');
    expect(weigh(rebuilt(), three)).toEqual(rebuilt());
  });
});

describe('a backup that is due', () => {
  const hour = 3_600_000;
  const now = Date.parse('2027-01-02');
  const vmId = afterApply({ p: { vms: { web: {} } } }).live.resources.find(
    ({ kind }) => kind === 'vm',
  )!.id;
  const aged = (hours: number | null, status = 'active'): Backup => ({
    ...{ id: `b-${hours}`, status, size: 8, sourceImageId: null },
    createdAt: hours === null ? null : now - hours * hour,
  });
  const day = { maxBackupAgeMs: 24 * hour };
  const plan = (after: VmConfig, listed: readonly Backup[] | undefined, given: object = {}) => {
    const world = reconfigure(afterApply({ p: { vms: { web: {} } } }), {
      p: { vms: { web: after } },
    });
    const backups = new Map(listed ? [[vmId, listed]] : []);
    const { plan } = buildPlan({ ...world, plannedAt: now, backups, ...given });
    const change = plan.changes.find(({ kind }) => kind === 'vm')!;
    const commands = plan.tasks.flatMap((task) => task.commands.map((one) => one.kind));
    const codes = plan.findings.map(({ code }) => code);
    return { action: change.action, newestAt: change.dueBackup?.newestAt, commands, codes };
  };
  const nothing = { action: 'no-op', newestAt: undefined, commands: [], codes: [] };
  const due = { action: 'due', commands: ['createBackup'], codes: [] };
  const unknown = { ...nothing, codes: ['backup-age-unknown'] };

  it.each<[string, VmConfig, readonly Backup[] | undefined, object, object?]>([
    ['there is none', day, [], { ...due, newestAt: null }],
    ['the newest is older', day, [aged(30), aged(25)], { ...due, newestAt: now - 25 * hour }],
    [
      'no finished one is new enough',
      day,
      [aged(25), aged(1, 'failed')],
      { ...due, newestAt: now - 25 * hour },
    ],
    ['the newest is as old as it may be', day, [aged(24)], nothing],
    ['one is being made', day, [aged(25), aged(0, 'creating')], nothing],
    ['none is asked for', {}, [], nothing],
    ['nothing says how old one is', day, [aged(null), aged(25)], unknown],
    ['nobody can see them', day, undefined, unknown],
    ['they were not read', day, [], nothing, { backups: undefined }],
    ['there is no time', day, [], nothing, { plannedAt: undefined }],
    [
      'it is updated',
      { ...day, power: 'stopped' },
      [],
      { action: 'update', newestAt: null, commands: ['stopVm', 'createBackup'], codes: [] },
    ],
    [
      'it is rebuilt',
      { ...day, image: 'debian-12' },
      [],
      { ...nothing, action: 'rebuild', commands: ['rebuildVm', 'startVm'] },
    ],
  ])('where %s', (_, after, listed, expected, given) => {
    expect(plan(after, listed, given)).toEqual(expected);
  });
});
