import { expect, test } from 'vitest';
import { CommandEvidenceTrail } from '../../../../src/execute/observe/evidence-trail.ts';
import type { LiveVm } from '../../../../src/kinds/vm/model.ts';

const vm = (more: Partial<LiveVm>): LiveVm => ({
  ...{ kind: 'vm', id: 'v', projectId: 'p', name: 'web', status: 'active', bootStatus: 'Running' },
  ...{ operation: null, operationStatus: null, configurationId: 'c', imageId: 'i', tariffId: 't' },
  ...{ cpu: 1, ram: 1, disk: 1, networks: [], publicIpId: null, sshKeyIds: [], plugins: [] },
  ...more,
});

test.each<[string, Partial<LiveVm>, boolean, boolean]>([
  ['is idle', { operation: 'RestoreBackup', operationStatus: 'Succeeded' }, false, false],
  ['does that', { operation: 'RestoreBackup', operationStatus: 'Running' }, true, true],
  ['does what it says nothing of', { status: 'updating' }, true, true],
  ['is backed up', { operation: 'CreateBackup', operationStatus: 'Running' }, true, false],
  ['reboots', { operation: 'Reboot', operationStatus: 'Running' }, true, false],
])('a restore of a VM that %s: busy %s, with its own work %s', (_, more, wasBusy, wasAtWork) => {
  const trail = new CommandEvidenceTrail({
    command: { kind: 'restoreBackup', project: 'p', vm: 'v', backup: 'b' },
    ...{ id: 'v', isAccepted: true, wasSeen: true, sentAt: 0, sentServiceAt: undefined },
    ...{ quietMs: 60_000, showsInMs: 0, isUnrecorded: true, findRecords: () => [] },
  });
  const seen = {
    ...{ isMissing: () => false, isListed: () => true, isFromPast: false, operations: [] },
    ...{ areRecordsWithheld: false, at: 1_000 },
  };
  const live = vm(more);
  const evidence = trail.note({ ...seen, resources: [live], find: () => live });
  expect([evidence.wasBusy, evidence.wasAtWork]).toEqual([wasBusy, wasAtWork]);
});
