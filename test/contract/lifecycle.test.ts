import { describe, expect, it } from 'vitest';

import type { OperationId } from '../../src/api/contract/routes.ts';
import type { WireOperation } from '../../src/api/contract/types.ts';
import type { DecideOperationFailure } from '../../src/sandbox/store/world.ts';
import type { Bench } from './bench.ts';
import {
  addNetwork,
  addProject,
  addPublicIp,
  addVm,
  newest,
  openFurnishedBench,
  openProjectBench,
  vmRequest,
} from './bench.ts';

const failing =
  (...types: string[]): DecideOperationFailure =>
  ({ type }) =>
    types.includes(type) ? 'timeout' : null;

/** The newest operation record of a resource. */
async function lastOperation(bench: Bench, resourceId: string): Promise<WireOperation> {
  const { items } = await bench.get('listOperations', { query: { resourceId } });
  const [first] = items;
  if (!first) throw new Error(`There is no operation on ${resourceId}.`);
  return first;
}

describe('section 3: a VM', () => {
  it('is created asynchronously: creating, then active and running', async () => {
    const bench = await openProjectBench();
    const accepted = await bench.get('createVm', { body: vmRequest('web') });
    expect(Object.keys(accepted)).toEqual(['commandId']);
    bench.params.vmId = (await newest(bench, 'listVms')).id;
    const params = { operationId: accepted.commandId };
    expect((await bench.ask('getOperation', { params })).status).toBe(404);
    bench.pass(2);
    expect(await bench.get('getVm')).toMatchObject({
      status: 'creating',
      operation: 'Provision',
      operationStatus: 'Running',
      bootStatus: 'Starting',
    });
    bench.pass(60);
    const vm = await bench.get('getVm');
    expect(vm).toMatchObject({
      status: 'active',
      operationStatus: 'Succeeded',
      bootStatus: 'Running',
    });
    expect(vm).toMatchObject({ cpu: 2, ram: 4, disk: 40, networks: [], publicIpId: null });
    const record = await lastOperation(bench, vm.id);
    expect(record).toMatchObject({
      type: 'Provision',
      status: 'Succeeded',
      failureCode: null,
      resourceType: 'vm',
    });
    expect(Date.parse(record.completedAt ?? '')).toBeGreaterThan(Date.parse(record.createdAt));
  });

  it('starts, stops and reboots', async () => {
    const bench = await openProjectBench();
    await addVm(bench);
    const turns = [
      ['stopVm', 'Stopping', 'Stopped'],
      ['startVm', 'Starting', 'Running'],
      ['rebootVm', 'Rebooting', 'Running'],
    ] as const;
    for (const [operationId, during, after] of turns) {
      await bench.get(operationId);
      expect(await bench.get('getVm')).toMatchObject({ status: 'updating', bootStatus: during });
      bench.pass(15);
      expect(await bench.get('getVm')).toMatchObject({ status: 'active', bootStatus: after });
    }
    await bench.get('stopVm');
    bench.pass(15);
    await bench.refusal(409, 'rebootVm');
  });

  it('keeps its id, network, address and power through a rebuild; backups go when asked', async () => {
    const bench = await openFurnishedBench();
    const before = await bench.get('getVm');
    await bench.get('rebuildVm', { body: { imageId: 'img-debian-13', sshKeyIds: [] } });
    bench.pass(60);
    const after = await bench.get('getVm');
    expect(after).toMatchObject({
      id: before.id,
      networks: before.networks,
      bootStatus: 'Running',
    });
    expect(after).toMatchObject({ imageId: 'img-debian-13', sshKeyIds: [] });
    expect(await bench.get('listBackups')).toHaveLength(1);
    await bench.get('rebuildVm', { body: { deleteBackups: true } });
    bench.pass(60);
    expect(await bench.get('listBackups')).toHaveLength(0);
    expect(await bench.get('getVm')).toMatchObject({ imageId: 'img-debian-13' });
  });

  it('is locked while an operation runs on it: 409 without code (sections 7 and 8)', async () => {
    const bench = await openFurnishedBench();
    await bench.get('createBackup');
    const { vmId } = bench.params;
    const asks: [OperationId, unknown?][] = [
      ['startVm'],
      ['stopVm'],
      ['rebootVm'],
      ['rebuildVm', {}],
      ['createBackup'],
      ['deleteVm'],
      ['renameVm', { name: 'other' }],
      ['restoreBackup'],
      ['deleteBackup'],
      ['detachVm'],
      ['updateAttachment', { internalIp: '10.0.0.9' }],
      ['attachVm', { vmId }],
    ];
    for (const [operationId, body] of asks) {
      const problem = await bench.refusal(409, operationId, body === undefined ? {} : { body });
      expect(problem, operationId).not.toHaveProperty('code');
      expect(problem.detail).toContain('locked');
    }
    bench.pass(120);
    await bench.get('stopVm');
  });

  it('leaves its address and its port forwards when it is deleted', async () => {
    const bench = await openFurnishedBench();
    const vmId = await addVm(bench, 'db', { publicIpMode: 'new' });
    const { publicIpId } = await bench.get('getVm');
    expect(
      await bench.refusal(409, 'deletePublicIp', { params: { publicIpId: publicIpId ?? '' } }),
    ).not.toHaveProperty('code');
    await bench.get('deleteVm');
    expect(await bench.get('getVm')).toMatchObject({ status: 'deleting', operation: 'Delete' });
    bench.pass(20);
    expect((await bench.ask('getVm')).status).toBe(404);
    expect(
      await bench.get('getPublicIp', { params: { publicIpId: publicIpId ?? '' } }),
    ).toMatchObject({ vmId: null, status: 'active' });
    const [first] = await bench.list<{ id: string }>('listVms');
    const params = { vmId: first?.id ?? '' };
    await bench.get('deleteVm', { params });
    bench.pass(20);
    expect(await bench.get('getPortForward')).toMatchObject({
      vmId: params.vmId,
      status: 'active',
    });
    expect(await bench.get('listNetworkVms')).toEqual([]);
    expect((await lastOperation(bench, vmId)).type).toBe('Delete');
  });
});

describe('section 3: outcomes', () => {
  it.each([
    [
      'createNetwork',
      'CreateNetwork',
      'listNetworks',
      'getNetwork',
      'networkId',
      { name: 'n' },
      'networks',
    ],
    [
      'createPublicIp',
      'AllocatePublicIp',
      'listPublicIps',
      'getPublicIp',
      'publicIpId',
      undefined,
      'publicIps',
    ],
  ] as const)(
    '%s that fails leaves status failed, and counts until deleted',
    async (create, type, list, get, param, body, quota) => {
      const bench = await openProjectBench({ planFailure: failing(type) });
      await bench.get(create, body ? { body } : {});
      bench.pass(60);
      const { id, status } = await newest(bench, list);
      expect(status).toBe('failed');
      expect(await lastOperation(bench, id)).toMatchObject({
        status: 'Failed',
        failureCode: 'timeout',
      });
      expect((await bench.get('getLimits'))[quota].used).toBe(1);
      const params = { [param]: id };
      await bench.get(param === 'networkId' ? 'deleteNetwork' : 'deletePublicIp', { params });
      bench.pass(60);
      expect((await bench.ask(get, { params })).status).toBe(404);
      expect((await bench.get('getLimits'))[quota].used).toBe(0);
    },
  );

  it('a VM whose creation failed is failed and counts until deleted', async () => {
    const bench = await openProjectBench({
      planFailure: ({ type }) => (type === 'Provision' ? 'insufficientCapacity' : null),
    });
    const vmId = await addVm(bench, 'web', { publicIpMode: 'new' });
    expect(await bench.get('getVm')).toMatchObject({
      status: 'failed',
      operationStatus: 'Failed',
      bootStatus: 'Stopped',
    });
    expect(await lastOperation(bench, vmId)).toMatchObject({ failureCode: 'insufficientCapacity' });
    expect((await bench.get('getLimits')).vmResources.cpu.used).toBe(2);
    await bench.refusal(409, 'startVm');
    await bench.get('deleteVm');
    bench.pass(20);
    expect((await bench.get('getLimits')).vmResources.cpu.used).toBe(0);
  });

  it.each([
    ['startVm', 'Start'],
    ['stopVm', 'Stop'],
    ['rebootVm', 'Reboot'],
    ['rebuildVm', 'Rebuild'],
    ['restoreBackup', 'RestoreBackup'],
    ['detachVm', 'DetachNetwork'],
    ['updateAttachment', 'UpdateAttachment'],
    ['deleteVm', 'Delete'],
  ] as const)('%s that fails leaves the VM active; its record tells', async (operationId, type) => {
    const bench = await openFurnishedBench({ planFailure: failing(type) });
    const before = await bench.get('getVm');
    const bodies: Partial<Record<OperationId, unknown>> = {
      rebuildVm: { imageId: 'img-debian-13' },
      updateAttachment: { internalIp: '10.0.0.200' },
    };
    const body = bodies[operationId];
    await bench.get(operationId, body === undefined ? {} : { body });
    bench.pass(120);
    const after = await bench.get('getVm');
    expect(after).toEqual({ ...before, operation: after.operation, operationStatus: 'Failed' });
    expect(after.status).toBe('active');
    expect(await lastOperation(bench, after.id)).toMatchObject({
      status: 'Failed',
      failureCode: 'timeout',
    });
  });

  it('an attachment that fails is none, and its address is free again', async () => {
    let isFailing = true;
    const bench = await openProjectBench({
      planFailure: ({ type }) => (type === 'AttachNetwork' && isFailing ? 'internal' : null),
    });
    await addNetwork(bench);
    const vmId = await addVm(bench);
    for (const expected of [[], [{ networkId: bench.params.networkId, internalIp: '10.0.0.2' }]]) {
      await bench.get('attachVm', { body: { vmId } });
      expect((await bench.get('getVm')).networks).toEqual([]);
      bench.pass(10);
      expect((await bench.get('getVm')).networks).toEqual(expected);
      isFailing = false;
    }
  });

  it('a port forward that fails is failed, holds its port, and can be deleted', async () => {
    const bench = await openProjectBench({
      planFailure: failing('CreatePortForward', 'UpdatePortForward'),
    });
    await addPublicIp(bench);
    const vmId = await addVm(bench);
    const body = { protocol: 'tcp', publicPort: 80, vmId, vmPort: 80 };
    await bench.get('createPortForward', { body });
    bench.pass(10);
    const { id, status } = await newest(bench, 'listPortForwards');
    expect(status).toBe('failed');
    await bench.refusal(409, 'createPortForward', { body });
    await bench.get('deletePortForward', { params: { portForwardId: id } });
    bench.pass(10);
    expect(await bench.get('listPortForwards')).toEqual([]);
  });
});

describe('section 6: operation records', () => {
  it('stand newest first, by resource and by status, in pages', async () => {
    const bench = await openFurnishedBench();
    await bench.get('stopVm');
    const all = await bench.list<WireOperation>('listOperations');
    expect(all.map(({ type }) => type)).toEqual([
      'Stop',
      'CreateBackup',
      'CreatePortForward',
      'AttachNetwork',
      'Provision',
      'AllocatePublicIp',
      'CreateNetwork',
    ]);
    const running = await bench.get('listOperations', { query: { status: 'Queued' } });
    expect(running.items.map(({ type }) => type)).toEqual(['Stop']);
    bench.pass(2);
    const { items } = await bench.get('listOperations', { query: { status: 'Running' } });
    expect(items).toEqual([
      expect.objectContaining({ type: 'Stop', completedAt: null, failureCode: null }),
    ]);
    const query = {
      status: 'Succeeded',
      resourceId: bench.params.vmId ?? '',
      pageSize: 1,
      page: 2,
    };
    expect(await bench.get('listOperations', { query })).toMatchObject({
      totalCount: 3,
      page: 2,
      pageSize: 1,
      items: [{ type: 'AttachNetwork' }],
    });
    expect((await bench.get('listOperations', { query: { status: 'Failed' } })).items).toEqual([]);
    const stop = all[0]?.id ?? '';
    expect(await bench.get('getOperation', { params: { operationId: stop } })).toMatchObject({
      type: 'Stop',
    });
  });

  it('belong to one project', async () => {
    const bench = await openFurnishedBench();
    const projectId = await addProject(bench, 'other');
    if (bench.tells('getOperation', 'projectId')) {
      expect((await bench.ask('getOperation', { params: { projectId } })).status).toBe(404);
    }
    expect((await bench.get('listOperations')).items).toEqual([]);
  });

  it('follow the clock and the seed alone', async () => {
    const run = async (seed: number) => {
      const bench = await openFurnishedBench({ seed });
      return bench.list<WireOperation>('listOperations');
    };
    expect(await run(7)).toEqual(await run(7));
    expect(await run(7)).not.toEqual(await run(8));
  });

  it('take less by as much as the speed says', async () => {
    const bench = await openProjectBench({ speed: 20 });
    await bench.get('createVm', { body: vmRequest('web') });
    bench.pass(2.2);
    expect((await newest(bench, 'listVms')).status).toBe('active');
  });
});
