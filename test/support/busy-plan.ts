// A plan that has a bit of everything that a report can show, long words among it.
import type { Plan } from '../../src/model/plan/plan.ts';
import type { Timeline } from '../../src/model/plan/timeline.ts';
import { makeChange, makeFinding } from '../unit/render/sample-plan.ts';

const longKey = `ssh-ed25519 ${'AAAAC3NzaC1lZDI1NTE5'.repeat(6)} alice@a-laptop-with-a-long-name`;
const vm = { image: 'debian-12', networks: ['lan'], power: 'running' };
const at = (name: string) => `projects.a-project-with-a-long-name.vms.${name}`;
const image = { name: 'image', effect: 'rebuild' } as const;
const everything = 'Everything on its disk (40 GB) is lost.';
const frame = [
  '  1 | projects:',
  '> 2 |   shop: 1',
  '    |   ^^^^',
  `  3 |   # ${'long '.repeat(40)}`,
];
const source = {
  ...{ file: 'main.yaml', line: 2, column: 3, endLine: 2, endColumn: 7 },
  frame: frame.join('\n'),
};

/** Every action, every severity, drift, outputs and quotas. */
export const busyPlan: Plan = {
  mode: 'apply',
  changes: [
    makeChange({
      ...{ address: 'projects.shop.sshKeys.alice', action: 'create' },
      ...{ after: { publicKey: longKey, note: 'a\nb' }, unknown: ['fingerprint'] },
    }),
    makeChange({
      ...{ address: at('web["a key with words"]'), action: 'update', before: vm, isImported: true },
      ...{ after: { ...vm, networks: ['lan', 'wan'], power: 'stopped' }, sensitive: ['image'] },
      ...{ drift: { power: 'stopped' }, movedFrom: at('old') },
    }),
    makeChange({
      ...{ address: at('db'), action: 'rebuild', before: vm, losses: [everything] },
      ...{ after: { ...vm, image: 'ubuntu-24.04' }, fields: [image], isBackedUpFirst: true },
    }),
    makeChange({
      ...{ address: at('app'), action: 'replace', before: vm, losses: [everything] },
      ...{ after: { ...vm, image: longKey }, reason: 'requested', unknown: ['internalIp'] },
    }),
    makeChange({ address: at('gone'), action: 'delete', before: vm, reason: 'not-configured' }),
    makeChange({ address: at('left'), action: 'forget', before: vm }),
    makeChange({ address: at('taken'), action: 'no-op', isImported: true, before: vm, after: vm }),
    makeChange({
      address: at('moved'),
      action: 'no-op',
      movedFrom: at('x'),
      before: vm,
      after: vm,
    }),
  ],
  tasks: [],
  findings: [
    makeFinding({ address: at('app'), detail: `One.\n${longKey}`, hint: 'Two.', source }),
    makeFinding({ severity: 'warning', code: 'data-loss', summary: 'Disks are lost' }),
    makeFinding({ severity: 'note', code: 'unmanaged', summary: 'There is more' }),
  ],
  quotas: [
    { name: 'vmCpu', limit: 32, used: 20, peak: 30, after: 28, unordered: 30, ours: 4 },
    { name: 'vmDisk', limit: 500, used: 440, peak: 520, after: 520, unordered: 520, ours: 0 },
    { name: 'networks', limit: 50, used: 9, peak: 9, after: 2, unordered: 9, ours: 9 },
  ],
  gone: [at('lost')],
  outputs: [
    {
      ...{ name: 'address', action: 'update', before: { a: longKey }, after: { a: 'b' } },
      ...{ isUnknown: false, wasSensitive: false, isSensitive: false },
    },
  ],
  drift: [
    {
      ...{
        address: at('web["a key with words"]'),
        kind: 'vm',
        project: 'projects.shop',
        id: 'vm-1',
      },
      ...{ before: vm, after: { ...vm, power: 'stopped' }, names: ['power'], sensitive: [] },
    },
    {
      ...{ address: at('lost'), kind: 'vm', project: 'projects.shop', id: 'vm-2' },
      ...{ before: vm, after: null, names: [], sensitive: [] },
    },
  ],
};

/** How its apply went, with a step that failed. */
export const busyTimeline: Timeline = {
  ...{ startedAt: 0, endedAt: 90_000 },
  entries: [
    {
      address: at('db'),
      step: 'rebuild',
      startedAt: 0,
      endedAt: 60_000,
      result: 'applied',
      isCritical: true,
    },
    {
      address: at('app'),
      step: 'create',
      startedAt: 60_000,
      endedAt: 90_000,
      result: 'failed',
      isCritical: true,
    },
    {
      address: at('gone'),
      step: 'delete',
      startedAt: 0,
      endedAt: 9_000,
      result: 'applied',
      isCritical: false,
    },
  ],
};
