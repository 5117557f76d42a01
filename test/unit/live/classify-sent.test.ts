import { describe, expect, test } from 'vitest';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import { classifySentCommands } from '../../../src/live/classify-sent.ts';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import { makeLive, type LiveVmInput } from '../../support/account.ts';
import { makeState } from '../../support/memory.ts';

const at = { project: 'p', vm: 'v' };
const stop: ResolvedCommand = { kind: 'stopVm', ...at };
const backup: ResolvedCommand = { kind: 'createBackup', ...at };
const remove: ResolvedCommand = { kind: 'deleteVm', ...at };
const rename: ResolvedCommand = { kind: 'renameVm', ...at, name: 'www' };

const stopping = { status: 'updating', operation: 'Stop', operationStatus: 'Running' };
const serviceAt = 1_000_000;

const record = (more: Partial<LiveOperation>): LiveOperation => ({
  ...{
    id: 'op',
    type: 'Stop',
    status: 'Running',
    resourceType: 'vm',
    resourceId: 'v',
    createdAt: serviceAt + 1,
  },
  ...{ completedAt: null, failureCode: null, ...more },
});

const cases: {
  name: string;
  command: ResolvedCommand;
  vm?: Partial<LiveVmInput>;
  records?: LiveOperation[];
  fate: string | undefined;
}[] = [
  { name: 'a VM that is doing it', command: stop, vm: stopping, fate: 'underway' },
  {
    name: 'a VM that does something of an unpublished name',
    command: stop,
    vm: { ...stopping, operation: 'Halt' },
    fate: 'underway',
  },
  { name: 'a VM that does something else', command: remove, vm: stopping, fate: undefined },
  {
    name: 'a busy VM that does not say with what',
    command: remove,
    vm: { status: 'deleting' },
    fate: 'underway',
  },
  {
    name: 'one that is busy in another way',
    command: remove,
    vm: { status: 'updating' },
    fate: undefined,
  },
  {
    name: 'what is carried out at once',
    command: rename,
    vm: { status: 'updating' },
    fate: undefined,
  },
  { name: 'an idle VM', command: stop, fate: undefined },
  { name: 'a record ahead of the list', command: stop, records: [record({})], fate: 'underway' },
  {
    name: 'a record behind the list',
    command: stop,
    vm: { power: 'stopped' },
    records: [record({})],
    fate: undefined,
  },
  {
    name: 'a backup, which no VM shows',
    command: backup,
    records: [record({ type: 'CreateBackup', status: 'InProgress' })],
    fate: 'underway',
  },
  { name: 'a failure', command: stop, records: [record({ status: 'Failed' })], fate: 'failed' },
  {
    name: 'an older failure',
    command: stop,
    records: [record({ status: 'Failed', createdAt: serviceAt - 60_000 })],
    fate: undefined,
  },
  {
    name: 'work that goes on after it has succeeded',
    command: stop,
    vm: stopping,
    records: [record({ status: 'Succeeded' })],
    fate: undefined,
  },
  {
    name: 'a record of another VM',
    command: stop,
    records: [record({ resourceId: 'w' })],
    fate: undefined,
  },
  {
    name: 'a record of an unpublished type',
    command: stop,
    records: [record({ type: 'Halt' })],
    fate: 'underway',
  },
];

describe('classifySent', () => {
  test.each(cases)('$name', ({ command, vm, records = [], fate }) => {
    const live = makeLive({ projects: { p: { name: 'p', vms: { v: { name: 'web', ...vm } } } } });
    const sent = new Map([['v', { address: 'projects.p.vms.web', command, at: 5, serviceAt }]]);
    expect(classifySentCommands(sent, live, records).get('v')).toBe(fate);
  });

  const restore = { kind: 'restoreBackup', project: 'p', vm: 'v', backup: 'b' } as const;
  const rebuild = { ...restore, kind: 'rebuildVm', imageId: 'i', deleteBackups: false } as const;

  test.each([
    ['a restore', restore, {}, 'underway'],
    ['a rebuild', rebuild, { acceptedAt: 6 }, 'underway'],
    ['a rebuild that was never answered', rebuild, {}, undefined],
  ])(
    '%s that can be taken back is awaited until its record shows',
    (_what, command, more, fate) => {
      const live = makeLive({ projects: { p: { name: 'p', vms: { v: { name: 'web' } } } } });
      const address = 'projects.p.vms.web';
      const sent = new Map([['v', { address, command, at: 5, serviceAt, ...more }]]);
      const wayBack = { backup: 'b', asked: {}, target: {} };
      const managed = makeState(
        { resources: { 'projects.p': 'p', [address]: { id: 'v', wayBack } } },
        live,
      ).resources;
      expect(classifySentCommands(sent, live, [], managed).get('v')).toBe(fate);
      expect(classifySentCommands(sent, live, []).size).toBe(0);
    },
  );

  test('without a time of the service no record counts', () => {
    const live = makeLive({ projects: { p: { name: 'p', vms: { v: { name: 'web' } } } } });
    const sent = new Map([['v', { address: 'projects.p.vms.web', command: stop, at: 5 }]]);
    expect(classifySentCommands(sent, live, [record({})]).size).toBe(0);
  });
});
