import { expect, test } from 'vitest';
import { checkBound } from '../../../src/checks/not-bound.ts';
import type { ServiceGap } from '../../../src/model/account/service-gaps.ts';

const gap = (operation: string, more: Partial<ServiceGap> = {}): ServiceGap => ({
  operation,
  why: 'none',
  neededFor: 'new VMs',
  without: undefined,
  ...more,
});
const source = { file: 'a.yaml', line: 3, column: 3, endLine: 3, endColumn: 6 };

/** A plan that creates one VM. */
const findingsOf = (gaps: readonly ServiceGap[] | undefined) => {
  const plan = {
    changes: [
      { kind: 'vm', address: 'projects.shop.vms.web' },
      { kind: 'account', address: 'account' },
    ],
    tasks: [
      { address: 'projects.shop.vms.web', commands: [{ kind: 'createVm' }, { kind: 'stopVm' }] },
    ],
  };
  const resource = { address: 'projects.shop.vms.web', source, attributeSources: {} };
  const desired = new Map([[resource.address, resource]]);
  return checkBound({ plan, desired, live: { ...(gaps && { gaps }) } } as never);
};

test.each([
  ['nothing that is lacking', undefined, []],
  ['nothing that the plan needs', [gap('rebuildVm')], []],
  [
    'a command of the plan',
    [gap('createVm')],
    ['error The service has no createVm, which new VMs need'],
  ],
  [
    'a command that nobody has bound',
    [gap('stopVm', { why: 'open', neededFor: 'the stop of VMs' })],
    [
      'error The contract file does not say where the service has stopVm, which the stop of VMs need',
    ],
  ],
  [
    'a command that requires more',
    [gap('createVm', { line: 'constants: { createVm: { body: { /region: VALUE } } }' })],
    ['error createVm, which new VMs need, lacks a line of the contract file'],
  ],
  [
    'the list of a kind that is managed',
    [gap('listVms', { neededFor: 'VMs', without: 'VMs that stand are not known' })],
    ['error The service has no listVms, which VMs need'],
  ],
  [
    'what only proves',
    [
      gap('getLimits', { without: 'Quotas are not proven' }),
      gap('getVm', { without: 'It is looked for' }),
    ],
    ['note The service lacks `getLimits`'],
  ],
])('%s', (_, gaps, expected) => {
  expect(findingsOf(gaps).map(({ severity, summary }) => `${severity} ${summary}`)).toEqual(
    expected,
  );
});

test('the line to write is the hint, at the resource', () => {
  const [found] = findingsOf([gap('createVm', { line: 'constants: {}' })]);
  expect(found).toMatchObject({ hint: 'Write it in the contract file: constants: {}.', source });
});
