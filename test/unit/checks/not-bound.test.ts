import { expect, test } from 'vitest';
import { checkMissingServiceOperations } from '../../../src/checks/not-bound.ts';
import type { MissingServiceOperation } from '../../../src/model/account/service-gaps.ts';

const gap = (
  operation: string,
  more: Partial<MissingServiceOperation> = {},
): MissingServiceOperation => ({
  operation,
  why: 'none',
  neededFor: 'new VMs',
  without: undefined,
  ...more,
});
const source = { file: 'a.yaml', line: 3, column: 3, endLine: 3, endColumn: 6 };

/** A plan that creates one VM. */
const findingsOf = (gaps: readonly MissingServiceOperation[] | undefined) => {
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
  return checkMissingServiceOperations({ plan, desired, live: { ...(gaps && { gaps }) } } as never);
};

const byVm = { neededFor: 'VMs', without: 'VMs that stand are not known' };
test.each([
  ['nothing that is lacking', undefined, undefined],
  ['nothing that the plan needs', gap('rebuildVm'), undefined],
  [
    'a command of the plan',
    gap('createVm'),
    'error The service has no createVm, which new VMs need',
  ],
  [
    'a command that nobody has bound',
    gap('stopVm', { why: 'open', neededFor: 'the stop of VMs' }),
    'error The contract file does not say where the service has stopVm, which the stop of VMs need',
  ],
  [
    'a command that requires more',
    gap('createVm', { line: 'constants: { createVm: { body: { /region: VALUE } } }' }),
    'error createVm, which new VMs need, lacks a line of the contract file',
  ],
  ['the list of a kind', gap('listVms', byVm), 'error The service has no listVms, which VMs need'],
])('%s', (_, one, expected) => {
  const found = findingsOf(one && [one]).map(({ severity, summary }) => `${severity} ${summary}`);
  expect(found).toEqual(expected ? [expected] : []);
});

test('what only proves is one note', () => {
  const gaps = [gap('getLimits', { without: 'No proof' }), gap('getVm', { without: 'No look' })];
  expect(findingsOf(gaps)).toMatchObject([
    { severity: 'note', summary: 'The service lacks `getLimits`' },
  ]);
});

test('the line to write is the hint, at the resource', () => {
  const [found] = findingsOf([gap('createVm', { line: 'constants: {}' })]);
  expect(found).toMatchObject({ hint: 'Write it in the contract file: constants: {}.', source });
});
