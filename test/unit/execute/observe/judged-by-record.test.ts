import { expect, test } from 'vitest';
import type { LiveOperation } from '../../../../src/model/account/operation.ts';
import {
  classifyOutcome,
  type OutcomeEvidence,
} from '../../../../src/execute/observe/classify-outcome.ts';
import { hasCommandTakenEffect, isJudgedByRecord } from '../../../../src/kinds/outcome.ts';
import type { ResolvedCommand } from '../../../../src/model/account/command.ts';
import type { LiveVm } from '../../../../src/kinds/vm/model.ts';

const reboot: ResolvedCommand = { kind: 'rebootVm', project: 'p', vm: 'v' };
const vm = (more: Partial<LiveVm> = {}): LiveVm => ({
  ...{ kind: 'vm', id: 'v', projectId: 'p', name: 'web', status: 'active', bootStatus: 'Running' },
  ...{ operation: null, operationStatus: null, configurationId: 'c', imageId: 'i', tariffId: 't' },
  ...{ cpu: 1, ram: 1, disk: 1, networks: [], publicIpId: null, sshKeyIds: [], plugins: [] },
  ...more,
});
const record = (status: string, failureCode: string | null = null): LiveOperation => ({
  ...{ id: 'o', type: 'Reboot', status, resourceType: 'vm', resourceId: 'v', failureCode },
  ...{ createdAt: null, completedAt: null },
});
const classify = (
  live: LiveVm | undefined,
  operation?: LiveOperation,
  more: Partial<OutcomeEvidence> = {},
) =>
  classifyOutcome({
    command: reboot,
    live,
    operation,
    wasBusy: true,
    wasAtWork: true,
    idleForMs: 3_600_000,
    shownForMs: 3_600_000,
    ...{
      isAccepted: true,
      isCertain: true,
      misses: 0,
      missingForMs: 0,
      isFromPast: false,
      isYoung: false,
      isUnrecorded: false,
      wasAccepted: false,
      isQuiet: false,
      isOverdue: false,
    },
    ...more,
  });

test('what a VM does not show is judged by its record alone', () => {
  expect(classify(vm(), record('Succeeded'))).toEqual({ kind: 'done' });
  expect(classify(vm(), record('Failed', 'timeout'))).toEqual({
    kind: 'failed',
    failureCode: 'timeout',
  });
  expect(classify(vm(), record('Preparing'))).toEqual({ kind: 'waiting', status: 'Preparing' });
  expect(classify(vm())).toEqual({ kind: 'waiting', status: 'active' });
});

test('the VM has to be free again, or gone', () => {
  expect(classify(vm({ status: 'updating' }), record('Succeeded')).kind).toBe('waiting');
  expect(classify(undefined, record('Succeeded')).kind).toBe('done');
});

test('it is never taken for done before it was asked for', () => {
  expect(isJudgedByRecord('rebootVm')).toBe(true);
  expect(isJudgedByRecord('stopVm')).toBe(false);
  expect(hasCommandTakenEffect(reboot, vm())).toBe(false);
});

test.each<[string, Partial<OutcomeEvidence>, string]>([
  ['was seen under way', {}, 'done'],
  ['got no answer', { isAccepted: false }, 'waiting'],
  ['was not seen under way', { wasAtWork: false }, 'waiting'],
  ['left no trace', { wasAtWork: false, isQuiet: true }, 'silent'],
  ['was accepted of an earlier run', { wasAtWork: false, wasAccepted: true }, 'waiting'],
  ['was that, and is quiet', { wasAtWork: false, wasAccepted: true, isQuiet: true }, 'done'],
  ['has rested for less than a record may lag', { idleForMs: 29_999 }, 'waiting'],
  ['has rested for as long', { idleForMs: 30_000 }, 'done'],
])('where no record can come, and it %s: %s %s', (_, more, kind) => {
  expect(classify(vm(), undefined, { isUnrecorded: true, ...more }).kind).toBe(kind);
  expect(
    classify(vm({ status: 'updating' }), undefined, { isUnrecorded: true, ...more }).kind,
  ).toBe('waiting');
});

test.each<[string, Partial<LiveVm>, string]>([
  ['its status says so', { status: 'failed' }, 'failed'],
  ['its last operation says so', { operation: 'Reboot', operationStatus: 'Failed' }, 'failed'],
  ['that of another says so', { operation: 'CreateBackup', operationStatus: 'Failed' }, 'done'],
  ['its last operation succeeded', { operation: 'Reboot', operationStatus: 'Succeeded' }, 'done'],
])('where no record can come, it has failed where %s: %j %s', (_, more, kind) => {
  expect(classify(vm(more), undefined, { isUnrecorded: true }).kind).toBe(kind);
});
