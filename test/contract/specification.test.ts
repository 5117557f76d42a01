// The rules of the interface specification that no other file of this folder tests, by their sections.

import { describe, expect, it } from 'vitest';

import type { WireOperation } from '../../src/api/contract/types.ts';
import type { Bench } from './bench.ts';
import {
  addProject,
  addVm,
  newest,
  openBench,
  openFurnishedBench,
  openProjectBench,
  vmRequest,
} from './bench.ts';

const keysOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
};

describe('section 2: fields', () => {
  it('spells ResourceStatus and OperationFailureCode in camel case, the others in Pascal case (section 9)', async () => {
    const bench = await openProjectBench({
      planFailure: ({ type }) => (type === 'CreateBackup' ? 'insufficientCapacity' : null),
    });
    await addVm(bench);
    await bench.get('createBackup');
    expect(await bench.get('getVm')).toMatchObject({
      status: 'active',
      operation: 'CreateBackup',
      operationStatus: 'InProgress',
      bootStatus: 'Running',
    });
    bench.pass(200);
    const [record] = await bench.list<WireOperation>('listOperations');
    expect(record).toMatchObject({
      type: 'CreateBackup',
      status: 'Failed',
      failureCode: 'insufficientCapacity',
    });
  });

  it('keeps the deprecated fields, and has no lastError any more (section 9)', async () => {
    const bench = await openProjectBench({
      planFailure: ({ type }) => (type === 'Stop' ? 'internal' : null),
    });
    await addVm(bench);
    await bench.get('stopVm');
    bench.pass(60);
    expect(await bench.get('getProject')).toMatchObject({ vmCount: 1, resourceCounts: { vms: 1 } });
    const [listed] = await bench.list<{ vmCount: number }>('listProjects');
    expect(listed?.vmCount).toBe(1);
    expect(keysOf(await bench.get('getVm'))).toEqual(
      expect.arrayContaining(['status', 'operation', 'operationStatus']),
    );
    expect(keysOf((await bench.ask('listOperations')).json)).not.toContain('lastError');
  });

  it('caps SSH keys by a number that is no quota', async () => {
    const bench = await openBench();
    expect(typeof (await bench.get('getLimits')).maxSshKeysPerProject).toBe('number');
    const { maxVmNameLength, ...others } = await bench.get('getNameLengthLimits');
    expect(Object.values({ maxVmNameLength, ...others }).map((value) => typeof value)).toEqual(
      Array(6).fill('number'),
    );
  });

  it('says the same name lengths to every caller', async () => {
    const bench = await openBench();
    const { value } = await bench.get('createToken', { body: { name: 'x', scopes: ['network'] } });
    const authorization = `Bearer ${value}`;
    expect(await bench.get('getNameLengthLimits', { authorization })).toEqual(
      await bench.get('getNameLengthLimits'),
    );
  });
});

it('section 7: errors has `code` on the 409 of VM creation for want of capacity, and in no other answer', async () => {
  const bench = await openFurnishedBench({ quotas: { networks: 1 } });
  const big = vmRequest('a', { configurationId: 'cfg-g8r64d640' });
  for (const name of ['a', 'b']) await bench.get('createVm', { body: { ...big, name } });
  const capacity = await bench.refusal(409, 'createVm', { body: { ...big, name: 'c' } });
  expect(capacity.code).toBe('insufficientCapacity');
  await bench.get('createBackup');
  const refusals = [
    await bench.refusal(409, 'createVm', { body: { ...big, name: 'a' } }),
    await bench.refusal(409, 'stopVm'),
    await bench.refusal(409, 'createNetwork', { body: { name: 'more' } }),
    await bench.refusal(404, 'getVm', { params: { vmId: 'none' } }),
    await bench.refusal(422, 'createVm', { body: {} }),
    await bench.refusal(401, 'getVm', { authorization: null }),
    await bench.refusal(503, 'resizeVm'),
  ];
  for (const problem of refusals) {
    expect(problem.code).toBeUndefined();
    expect(problem).toMatchObject({ type: 'about:blank', instance: expect.any(String) as string });
    expect(problem.detail.length).toBeGreaterThan(10);
  }
});

it('section 3: the command id names the request and nothing that can be asked for', async () => {
  const bench = await openProjectBench();
  const { commandId } = await bench.get('createNetwork', { body: { name: 'n' } });
  bench.pass(10);
  const { id } = await newest(bench, 'listNetworks');
  expect(commandId).not.toBe(id);
  await bench.refusal(404, 'getOperation', { params: { operationId: commandId } });
  await bench.refusal(404, 'getNetwork', { params: { networkId: commandId } });
});

describe('notifications that the service writes itself', () => {
  const claims: readonly [string, object, (bench: Bench) => Promise<unknown>][] = [
    ['projects', { projects: 2 }, (bench) => addProject(bench, 'second')],
    [
      'accessTokens',
      { accessTokens: 2 },
      (bench) => bench.get('createToken', { body: { name: 'second', scopes: ['read'] } }),
    ],
    ['publicIps', { publicIps: 1 }, (bench) => bench.get('createPublicIp')],
    ['cpu', { cpu: 2 }, (bench) => bench.get('createVm', { body: vmRequest('web') })],
    ['ram', { ram: 4 }, (bench) => bench.get('createVm', { body: vmRequest('web') })],
    ['disk', { disk: 40 }, (bench) => bench.get('createVm', { body: vmRequest('web') })],
  ];
  it.each(claims)('tell when the quota %s runs short', async (quota, quotas, claim) => {
    const bench = await openProjectBench({ quotas });
    await claim(bench);
    const titles = (await bench.get('listNotifications')).items.map(({ title }) => title);
    expect(titles).toContain(`The quota ${quota} runs short`);
  });
});
