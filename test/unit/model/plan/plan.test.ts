import { describe, expect, it } from 'vitest';
import { hasErrors, type Severity } from '../../../../src/model/diagnostic.ts';
import { DiagnosticError, InternalError } from '../../../../src/model/errors.ts';
import { getLiveName, getLiveStatus } from '../../../../src/model/account/live.ts';
import { actions, isEffectivePlan } from '../../../../src/model/plan/plan.ts';
import { formatSourcePlace } from '../../../../src/model/source.ts';
import { makeLive } from '../../../support/account.ts';
import { makeChange } from '../../render/sample-plan.ts';

it.each(actions)('isEffective a plan with a %s alone', (action) => {
  expect(isEffectivePlan({ changes: [makeChange({ action })] })).toBe(
    !['no-op', 'expire', 'due'].includes(action),
  );
});

it.each<[Severity[], boolean]>([
  [[], false],
  [['note', 'warning'], false],
  [['note', 'error'], true],
])('hasErrors: %j: %s', (severities, expected) => {
  const all = severities.map((severity) => ({ severity, code: 'c', summary: 's' }));
  expect(hasErrors(all)).toBe(expected);
});

it('errors carry their name, their cause and what the user is told', () => {
  const cause = new Error('why');
  const told = { severity: 'error', code: 'c', summary: 'one' } as const;
  const error = new DiagnosticError([told, { ...told, summary: 'two' }], { cause });
  expect(error).toMatchObject({ name: 'DiagnosticError', message: 'one; two', cause });
  expect(error.diagnostics).toHaveLength(2);
  const bug = new InternalError('a bug', { cause });
  expect(bug).toMatchObject({ name: 'InternalError', message: 'a bug', cause });
});

it('a place is written as editors link it', () => {
  const source = { file: 'a/b.yaml', line: 3, column: 7, endLine: 3, endColumn: 9 };
  expect(formatSourcePlace(source)).toBe('a/b.yaml:3:7');
});

describe('a live resource', () => {
  const live = makeLive({
    projects: {
      'p-1': {
        name: 'shop',
        sshKeys: { 'k-1': { name: 'alice' } },
        networks: { 'n-1': { name: 'lan', status: 'failed' } },
        publicIps: { 'ip-1': { forwards: { 'f-1': { publicPort: 1, vm: 'vm-1' } } } },
        vms: { 'vm-1': { name: 'web', status: 'creating' } },
      },
    },
  });
  it.each([
    ['p-1', 'shop', undefined],
    ['k-1', 'alice', undefined],
    ['n-1', 'lan', 'failed'],
    ['ip-1', undefined, 'active'],
    ['f-1', undefined, 'active'],
    ['vm-1', 'web', 'creating'],
  ])('%s has the name %s and the status %s', (id, name, status) => {
    const found = [...live.projects, ...live.resources].find((one) => one.id === id)!;
    expect([getLiveName(found), getLiveStatus(found)]).toEqual([name, status]);
  });
});
