import { describe, expect, it } from 'vitest';
import {
  describeBusyResource,
  hasCommandTakenEffect,
  isResourceBusy,
  isJudgedByRecord,
  markAtRest,
  markAtRestByRecords,
} from '../../../src/kinds/outcome.ts';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
import { makeLive, type LiveVmInput } from '../../support/account.ts';

const inProject = { project: 'p-1' };
const ofVm = { ...inProject, vm: 'vm-1' };

const { projects, resources } = makeLive({
  projects: {
    'p-1': {
      name: 'shop',
      sshKeys: { 'k-1': { name: 'alice' }, 'k-2': { name: 'bob' } },
      networks: { 'n-1': { name: 'lan' }, 'n-2': { name: 'wan' } },
      publicIps: {
        'ip-1': {
          forwards: {
            'f-1': { publicPort: 443, vm: 'vm-1', vmPort: 8443 },
            'f-2': { protocol: 'udp', publicPort: 443, vm: 'vm-1' },
          },
        },
        'ip-2': {},
      },
      vms: {
        'vm-1': { name: 'web', sshKeys: ['k-1'], networks: ['n-1'], publicIp: 'ip-1' },
        'vm-2': { name: 'db', power: 'stopped' },
      },
    },
    'p-2': { name: 'blog', networks: { 'n-3': { name: 'lan' } } },
  },
});
const all = [...projects, ...resources];
const find = (id: string): LiveResource => all.find((one) => one.id === id)!;

function vmWith(given: Partial<LiveVmInput>): LiveResource {
  const vms = { 'vm-1': { name: 'web', ...given } };
  return makeLive({ projects: { 'p-1': { name: 'shop', vms } } }).resources[0]!;
}

describe('isBusy, and with what', () => {
  it.each<[string, Partial<LiveVmInput>, string | false]>([
    ['active', {}, false],
    ['failed', { status: 'failed' }, false],
    ['being created', { status: 'creating' }, 'creating'],
    ['being deleted', { status: 'deleting' }, 'deleting'],
    ['something that is not published', { status: 'migrating' }, 'migrating'],
    ['active with a running backup', op('CreateBackup', 'Running'), 'CreateBackup Running'],
    ['active with a queued start', op('Start', 'Queued'), 'Start Queued'],
    ['in any spelling', op('Stop', 'inProgress'), 'Stop inProgress'],
    ['active with a finished operation', op('Start', 'Succeeded'), false],
    ['active with a status that is not published', op('Start', 'Reviewing'), false],
    [
      'updating with an operation without a status',
      { status: 'updating', operation: 'Stop' },
      'Stop updating',
    ],
  ])('a VM that is %s', (_what, given, expected) => {
    const vm = vmWith(given);
    expect(isResourceBusy(vm)).toBe(expected !== false);
    if (expected !== false) expect(describeBusyResource(vm)).toBe(expected);
  });

  it.each([
    ['p-1', false],
    ['k-1', false],
    ['n-1', false],
  ])('%s, which is no VM', (id, expected) => expect(isResourceBusy(find(id))).toBe(expected));

  it('a network in creation', () => {
    const live = { ...find('n-1'), status: 'creating' } as LiveResource;
    expect(isResourceBusy(live)).toBe(true);
    expect(describeBusyResource(live)).toBe('creating');
  });

  describe('in a status that nobody knows, by the records', () => {
    const vm = vmWith({ status: 'up' });
    const record: LiveOperation = {
      ...{ id: 'op-2', type: 'Reboot', status: 'Running', resourceType: 'vm', failureCode: null },
      ...{ resourceId: 'vm-1', createdAt: 2, completedAt: null },
    };
    const ended: LiveOperation = { ...record, id: 'op-1', status: 'Succeeded', completedAt: 1 };
    const isBusyBy = (...records: LiveOperation[]) =>
      isResourceBusy(markAtRestByRecords(vm, records));

    it('it is at rest where the latest on it has ended, or there is none', () => {
      expect(isResourceBusy(vm)).toBe(true);
      expect(isBusyBy()).toBe(false);
      expect(isBusyBy(ended)).toBe(false);
      expect(isBusyBy(ended, record)).toBe(false);
      expect(isBusyBy({ ...record, resourceId: 'vm-2' })).toBe(false);
      expect(isBusyBy({ ...record, status: 'Done', completedAt: 3 })).toBe(false);
    });

    it('records of another kind that has the id, too, say nothing of it', () => {
      const network = { ...ended, id: 'op-3', resourceType: 'network', createdAt: 3 };
      expect(isBusyBy(network, record)).toBe(true);
      expect(isBusyBy({ ...network, resourceType: 'server' }, record)).toBe(false);
      expect(isBusyBy({ ...network, resourceType: null }, record)).toBe(false);
    });

    it('it is busy while the latest goes on, also in a word that nobody knows', () => {
      expect(isBusyBy(record, ended)).toBe(true);
      expect(isBusyBy({ ...record, status: 'Reviewing' }, ended)).toBe(true);
    });

    it('a status that is known, and an operation that the VM shows, count as ever', () => {
      const updating = vmWith({ status: 'updating' });
      expect(isResourceBusy(markAtRestByRecords(updating, [ended]))).toBe(true);
      const stopping = vmWith({ status: 'up', ...op('Stop', 'Running') });
      expect(isResourceBusy(markAtRestByRecords(stopping, [ended]))).toBe(true);
      // A status that is predicted since is another.
      expect(isResourceBusy({ ...markAtRest(vm), status: 'updating' } as LiveResource)).toBe(true);
    });
  });

  it('what has no status is described as busy', () =>
    expect(describeBusyResource(find('p-1'))).toBe('busy'));
});

function op(operation: string, operationStatus: string): Partial<LiveVmInput> {
  return { operation, operationStatus };
}

it.each([
  ['rebootVm', true],
  ['createBackup', true],
  ['restoreBackup', true],
  ['startVm', false],
  ['rebuildVm', false],
] as const)('isJudgedByRecord: %s: %s', (command, expected) =>
  expect(isJudgedByRecord(command)).toBe(expected),
);

const createVm = {
  kind: 'createVm',
  ...inProject,
  name: 'web',
  imageId: 'img-ubuntu-24-04',
  configurationId: 'cfg-c1r1d20',
  tariffId: 'trf-monthly',
  sshKeys: [],
  publicIp: 'none',
  plugins: [],
} as const satisfies ResolvedCommand;
const rebuild = {
  kind: 'rebuildVm',
  ...ofVm,
  imageId: 'img-ubuntu-24-04',
  sshKeys: ['k-1'],
  deleteBackups: false,
} as const satisfies ResolvedCommand;
const forward = {
  kind: 'updatePortForward',
  ...inProject,
  publicIp: 'ip-1',
  portForward: 'f-1',
  publicPort: 443,
  vm: 'vm-1',
  vmPort: 8443,
} as const satisfies ResolvedCommand;

it.each<[string, ResolvedCommand, string | undefined, boolean]>([
  ['a create that stands', { kind: 'createNetwork', ...inProject, name: 'lan' }, 'n-1', true],
  [
    'a create that does not',
    { kind: 'createNetwork', ...inProject, name: 'lan' },
    undefined,
    false,
  ],
  ['a VM', createVm, 'vm-2', true],
  ['a VM with its new address', { ...createVm, publicIp: 'new' }, 'vm-1', true],
  ['a VM without its new address', { ...createVm, publicIp: 'new' }, 'vm-2', false],
  ['a delete of what is gone', { kind: 'deleteVm', ...ofVm }, undefined, true],
  ['a delete of what stands', { kind: 'deleteVm', ...ofVm }, 'vm-1', false],
  ['a rename', { kind: 'renameVm', ...ofVm, name: 'web' }, 'vm-1', true],
  ['a rename to come', { kind: 'renameVm', ...ofVm, name: 'www' }, 'vm-1', false],
  ['a rename of what is gone', { kind: 'renameVm', ...ofVm, name: 'web' }, undefined, false],
  ['a project rename', { kind: 'renameProject', ...inProject, name: 'shop' }, 'p-1', true],
  ['a forward', forward, 'f-1', true],
  ['a forward with another port', { ...forward, publicPort: 80 }, 'f-1', false],
  ['a forward to another VM', { ...forward, vm: 'vm-2' }, 'f-1', false],
  ['a forward to another port of the VM', { ...forward, vmPort: 80 }, 'f-1', false],
  ['a start', { kind: 'startVm', ...ofVm }, 'vm-1', true],
  ['a start to come', { kind: 'startVm', ...ofVm }, 'vm-2', false],
  ['a stop', { kind: 'stopVm', ...ofVm }, 'vm-2', true],
  ['a stop to come', { kind: 'stopVm', ...ofVm }, 'vm-1', false],
  ['a rebuild', rebuild, 'vm-1', true],
  ['a rebuild with another image', { ...rebuild, imageId: 'img-debian-13' }, 'vm-1', false],
  ['a rebuild with another key', { ...rebuild, sshKeys: ['k-2'] }, 'vm-1', false],
  ['a rebuild with one key more', { ...rebuild, sshKeys: ['k-1', 'k-2'] }, 'vm-1', false],
  ['an attachment', { kind: 'attachVm', ...ofVm, network: 'n-1' }, 'vm-1', true],
  ['an attachment to come', { kind: 'attachVm', ...ofVm, network: 'n-2' }, 'vm-1', false],
  ['a detachment', { kind: 'detachVm', ...ofVm, network: 'n-2' }, 'vm-1', true],
  ['a detachment to come', { kind: 'detachVm', ...ofVm, network: 'n-1' }, 'vm-1', false],
  ['a reboot, which nothing shows', { kind: 'rebootVm', ...ofVm }, 'vm-1', false],
  ['a start of what is no VM', { kind: 'startVm', ...ofVm }, 'n-1', false],
])('hasComeTrue: %s', (_what, command, id, expected) => {
  expect(hasCommandTakenEffect(command, id === undefined ? undefined : find(id))).toBe(expected);
});
