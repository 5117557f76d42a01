import { describe, expect, it } from 'vitest';
import type { OperationRecordFilter } from '../../../src/api/reader.ts';
import { readResourceByRecords } from '../../../src/execute/requests/read-by-records.ts';
import { isResourceBusy } from '../../../src/kinds/outcome.ts';
import { isOutOfService } from '../../../src/kinds/relations/serving.ts';
import { markResourcesAtRest } from '../../../src/live/read-at-rest.ts';
import type { LiveResource } from '../../../src/model/account/live.ts';
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

async function readFrom(
  listOperations: (projectId: string, resourceId?: string) => Promise<readonly LiveOperation[]>,
  project?: LiveResource,
) {
  const asked: string[] = [];
  const client = {
    listOperations: (projectId: string, { resourceId }: OperationRecordFilter = {}) => {
      asked.push([projectId, resourceId].filter(Boolean).join(' '));
      return listOperations(projectId, resourceId);
    },
    get: () => Promise.resolve(project as never),
  };
  const resources = await markResourcesAtRest(client, live.resources);
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

it('takes nothing for serving whose status and power nobody knows', async () => {
  const crashed = { status: 'error', bootStatus: 'Crashed' };
  const { resources } = makeLive({
    projects: {
      'p-1': {
        name: 'p',
        networks: { n: { name: 'n', status: 'on' } },
        vms: { vm: { name: 'v', ...crashed } },
      },
    },
  });
  const client = {
    listOperations: () => Promise.resolve([]),
    get: () => Promise.resolve(undefined),
  };
  const read = await markResourcesAtRest(client, resources);
  expect(read.filter(isOutOfService).map(({ id }) => id)).toEqual(['vm']);
});

it('asks for the records of a resource that the newest of its project do not name', async () => {
  const others = Array.from({ length: 100 }, () => ({ ...open, resourceId: 'vm-other' }));
  const ended = { ...open, resourceType: 'network', resourceId: 'n-up', status: 'Succeeded' };
  const read = await readFrom((id, resourceId) => {
    if (id !== 'p-1') return Promise.resolve([]);
    if (resourceId === undefined) return Promise.resolve([ended, ...others]);
    return Promise.resolve(resourceId === 'vm-up' ? [open] : []);
  });
  expect(read.asked.toSorted()).toEqual(['p-1', 'p-1 down-up', 'p-1 vm-up', 'p-3']);
  expect(read.busy).toEqual(['vm-up']);
});

it.each([403, 404, 500, 501])(
  'leaves all as it is where reading the records is answered with %i',
  async (status) => {
    const read = await readFrom(() => Promise.reject(refusal(status)), live.projects[0]);
    expect(read.busy).toHaveLength(6);
  },
);

it.each([refusal(401), new Error('lost')])(
  'fails where nothing is answered, with %s',
  async (error) => {
    await expect(readFrom(() => Promise.reject(error))).rejects.toThrow(error);
  },
);

describe('one resource', () => {
  const vm = live.resources.find(({ id }) => id === 'vm-up');
  const readOne = (records: Promise<readonly LiveOperation[]>) => {
    const client = { get: () => Promise.resolve(vm), listOperations: () => records };
    return readResourceByRecords(client as never, 'vm', { projectId: 'p-1' }, 'vm-up');
  };

  it('is busy by its records', async () => {
    expect(await readOne(Promise.resolve([open]))).toEqual(vm);
    expect(await readOne(Promise.resolve([]))).toMatchObject({ isAtRest: true });
  });

  it.each([403, 404, 500, 501])(
    'is judged alone where reading them is answered with %i',
    async (status) => {
      expect(await readOne(Promise.reject(refusal(status)))).toMatchObject({ isAtRest: true });
    },
  );

  it('fails without credentials', async () => {
    await expect(readOne(Promise.reject(refusal(401)))).rejects.toThrow();
  });
});
