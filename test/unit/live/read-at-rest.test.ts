import { expect, it } from 'vitest';
import { isResourceBusy } from '../../../src/kinds/outcome.ts';
import { isOutOfService } from '../../../src/kinds/relations/serving.ts';
import { readRestingResources } from '../../../src/live/read-at-rest.ts';
import type { LiveOperation } from '../../../src/model/account/operation.ts';
import { makeLive } from '../../support/account.ts';
import { refusal } from '../api/fake-service.ts';

const project = (status: string) => ({
  name: status,
  networks: { [`n-${status}`]: { name: 'lan', status } },
  vms: {
    [`vm-${status}`]: { name: 'web', status },
    [`down-${status}`]: { name: 'db', status, power: 'stopped' as const },
  },
});
const live = makeLive({
  projects: { 'p-1': project('up'), 'p-2': project('active'), 'p-3': project('on') },
});
const open: LiveOperation = {
  ...{ id: 'op-1', type: 'Reboot', status: 'Running', resourceType: 'vm', resourceId: 'vm-up' },
  ...{ createdAt: 1, completedAt: null, failureCode: null },
};

async function readFrom(listOperations: (projectId: string) => Promise<readonly LiveOperation[]>) {
  const asked: string[] = [];
  const client = {
    listOperations: (projectId: string) => {
      asked.push(projectId);
      return listOperations(projectId);
    },
    get: () => Promise.resolve(undefined),
  };
  const resources = await readRestingResources(client, live.resources);
  const idsOf = (is: (one: (typeof resources)[number]) => boolean) =>
    resources.filter(is).map(({ id }) => id);
  return { asked, busy: idsOf(isResourceBusy), down: idsOf(isOutOfService) };
}

it('asks once for each project with a status that nobody knows, and marks what is at rest', async () => {
  const read = await readFrom((id) => Promise.resolve(id === 'p-1' ? [open] : []));
  expect(read.asked).toEqual(['p-1', 'p-3']);
  expect(read.busy).toEqual(['vm-up']);
  // Of what is at rest the power says whether it serves.
  expect(read.down).toEqual(['vm-up', 'down-up', 'down-active', 'down-on']);
});

it('leaves all as it is for a token that may not read the records', async () => {
  const read = await readFrom(() => Promise.reject(refusal(403)));
  expect(read.busy).toHaveLength(6);
  await expect(readFrom(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
});
