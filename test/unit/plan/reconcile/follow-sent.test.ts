import { describe, expect, test } from 'vitest';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { SentCommandOutcome } from '../../../../src/model/state/state.ts';
import { recordRebuildBackup } from '../../../../src/kinds/carry-out.ts';
import { followSentCommands } from '../../../../src/plan/reconcile/follow-sent.ts';
import { afterApply } from '../../../support/world.ts';

const vm = 'projects.p.vms.web';
const id = 'vm-p-web';
const at = { project: 'p-p', vm: id };
const world = afterApply({ p: { networks: { lan: {} }, vms: { web: {} } } });
const now = 50_000_000;

function follow(command: ResolvedCommand, fate?: SentCommandOutcome, live = world.live) {
  const sent = new Map([[id, { address: vm, command, at: now }]]);
  return followSentCommands({ ...world.state, sent }, live, {
    sentOutcomes: new Map(fate ? [[id, fate]] : []),
    now,
  });
}

const attach: ResolvedCommand = { kind: 'attachVm', ...at, network: 'n-p-lan' };
const remove: ResolvedCommand = { kind: 'deleteVm', ...at };
const find = ({ live }: ReturnType<typeof follow>) => live.resources.find((one) => one.id === id);

/** The account after somebody has changed the VM. */
const change = (how: object) => ({
  ...world.live,
  resources: world.live.resources.map((one) => (one.id === id ? { ...one, ...how } : one)),
});

describe('followSent', () => {
  test('what is under way: the account as it will be, busy, and the state as it was', () => {
    const followed = follow(attach, 'underway');
    expect(find(followed)).toMatchObject({
      status: 'updating',
      networks: [{ networkId: 'n-p-lan' }],
    });
    expect(followed.state.resources).toEqual(world.state.resources);
    expect(followed.state.sent?.has(id)).toBe(true);
    expect(followed.underway.get(id)).toEqual({ command: 'attachVm', since: now });
  });

  test('a delete that a list does not show yet is shown by its status', () =>
    expect(find(follow(remove, 'underway'))).toMatchObject({ status: 'deleting' }));

  test('what has come about: the state has it, and nothing that others did', () => {
    const live = change({
      networks: [{ networkId: 'n-p-lan', internalIp: '10.0.0.2' }],
      bootStatus: 'Stopped',
    });
    const { state, underway } = follow(attach, undefined, live);
    expect(state.sent).toBeUndefined();
    expect(underway.size).toBe(0);
    expect(state.resources.get(vm)?.attributes).toMatchObject({
      networks: ['lan'],
      internalIp: '10.0.0.2',
      power: 'running',
    });
  });

  test('a detachment that has come about', () => {
    const { state } = follow({ ...attach, kind: 'detachVm' });
    expect(state.resources.get(vm)?.attributes.networks).toEqual([]);
  });

  test('a name that the service has rewritten', () => {
    const renamed = follow(
      { kind: 'renameVm', ...at, name: 'WWW' },
      undefined,
      change({ name: 'www' }),
    );
    expect(renamed.state.resources.get(vm)).toMatchObject({
      shown: { name: 'www' },
      attributes: { name: 'WWW' },
    });
  });

  test('what has failed is told, and the state stays as it is', () => {
    const { state, findings } = follow(attach, 'failed');
    expect(findings).toMatchObject([{ code: 'earlier-run-failed', address: vm }]);
    expect(state.resources).toEqual(world.state.resources);
  });

  test('what nothing shows is over', () => {
    const { state, underway, findings } = follow(attach);
    expect([state.sent, underway.size, findings]).toEqual([undefined, 0, []]);
  });

  test('a backup that has not failed is remembered until the rebuild after it has come about', () => {
    const backup = follow({ kind: 'createBackup', ...at }, 'done').state;
    expect(backup.resources.get(vm)?.rebuildBackup).toEqual({ at: now });
    expect(follow({ kind: 'createBackup', ...at }, 'failed').state.resources).toEqual(
      world.state.resources,
    );
    const command = { ...at, kind: 'rebuildVm', imageId: 'img-x', deleteBackups: false } as const;
    const sent = new Map([[id, { address: vm, command, at: now }]]);
    const live = change({ imageId: 'img-x' });
    const { state } = followSentCommands({ ...backup, sent }, live, {
      sentOutcomes: new Map(),
      now,
    });
    expect(state.resources.get(vm)).toMatchObject({
      attributes: { image: 'img-x' },
      entryIds: { image: 'img-x' },
    });
    const [ours] = [...state.resources.values()].filter(({ address }) => address === vm);
    expect(ours).not.toHaveProperty('rebuildBackup');
    if (!ours) return;
    const seen = { command: { kind: 'createBackup', ...at }, at: now, serviceAt: 4 } as const;
    expect(recordRebuildBackup(ours, seen, 'bkp-1')).toEqual({
      ...ours,
      rebuildBackup: { at: now, serviceAt: 4, id: 'bkp-1' },
    });
    expect(recordRebuildBackup(ours, { ...seen, command: attach })).toBe(ours);
  });

  test('what our delete has removed is no longer ours', () => {
    const resources = world.live.resources.filter((one) => one.id !== id);
    const { state, removed } = follow(remove, undefined, { ...world.live, resources });
    expect(state.resources.has(vm)).toBe(false);
    expect([...removed]).toEqual([id]);
  });

  test('what somebody else has removed stays in the state, to be told', () => {
    const resources = world.live.resources.filter((one) => one.id !== id);
    const { state } = follow(attach, undefined, { ...world.live, resources });
    expect(state.resources.has(vm)).toBe(true);
  });
});

describe('a rebuild that can be taken back', () => {
  const managed = world.state.resources.get(vm)!;
  const asked = { image: 'ubuntu-24.04', sshKeys: [] };
  const target = { image: 'debian-12', sshKeys: [] };
  const wayBack = { backup: 'b-1', asked, target };
  const rebuild: ResolvedCommand = {
    ...{ kind: 'rebuildVm', ...at, imageId: 'img-debian-12' },
    ...{ sshKeys: [], deleteBackups: false },
  };
  const restore: ResolvedCommand = { kind: 'restoreBackup', ...at, backup: 'b-1' };
  const rebuilt = { attributes: { ...managed.attributes, ...target } };
  const hasFailed = true as const;

  const left = (
    memory: Partial<typeof managed>,
    command?: ResolvedCommand,
    fate?: SentCommandOutcome,
    live = world.live,
  ) => {
    const resources = new Map([[vm, { ...managed, wayBack, ...memory }]]);
    const sent = command && new Map([[id, { address: vm, command, at: now }]]);
    const given = { ...world.state, resources, ...(sent && { sent }) };
    const sentOutcomes = new Map(fate ? [[id, fate]] : []);
    return followSentCommands(given, live, { sentOutcomes, now }).state.resources.get(vm);
  };

  test('has its way back as long as it may need it', () => {
    expect(left({}, rebuild, 'underway')?.wayBack).toEqual(wayBack);
    expect(left({}, rebuild, 'failed')?.wayBack).toEqual({ ...wayBack, hasFailed });
    expect(left({ wayBack: { ...wayBack, hasFailed } })?.wayBack?.hasFailed).toBe(true);
    expect(left(rebuilt)?.wayBack).toEqual(wayBack);
    const done = change({ imageId: 'img-debian-12' });
    expect(left({ isNotReady: true }, rebuild, 'done', done)?.wayBack).toEqual(wayBack);
  });

  test('has none where it did nothing, or is done', () => {
    expect(left({})).not.toHaveProperty('wayBack');
    expect(left({}, rebuild)).not.toHaveProperty('wayBack');
    const done = left(
      { failedTarget: target },
      rebuild,
      'done',
      change({ imageId: 'img-debian-12' }),
    );
    expect(done).not.toHaveProperty('wayBack');
    expect(done).not.toHaveProperty('failedTarget');
  });

  test('is as it was before once its backup is restored, and its target is remembered', () => {
    const failed = {
      ...rebuilt,
      wayBack: { ...wayBack, entryIds: { image: 'img-ubuntu-24-04' }, builtFrom: [], hasFailed },
    };
    expect(left(failed, restore)).toMatchObject(failed);
    const restored = left(failed, restore, 'done');
    expect(restored).toMatchObject({ attributes: asked, failedTarget: target, builtFrom: [] });
    expect(restored).not.toHaveProperty('wayBack');
    expect(restored).not.toHaveProperty('shown');
    // A service may go on to show what the rebuild has set.
    const shown = left(
      { ...failed, shown: { name: 'WEB' } },
      restore,
      'done',
      change({ imageId: 'img-debian-12' }),
    );
    expect(shown?.shown).toEqual({ name: 'WEB', image: 'debian-12' });
    expect(shown?.attributes.image).toBe('ubuntu-24.04');
  });
});
