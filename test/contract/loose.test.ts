import { describe, expect, it } from 'vitest';

import type { Bench } from './bench.ts';
import {
  addNetwork,
  addProject,
  addVm,
  furnish,
  newest,
  openBench,
  publicKey,
  vmRequest,
} from './bench.ts';

const openLoose = (options = {}): Promise<Bench> => openBench({ ...options, variant: 'loose' });
type Fields = Record<string, unknown>;

describe('the loose variant: what the contract says the engine must bear', () => {
  it('holds 7 items a page, whatever is asked', async () => {
    const bench = await openLoose();
    for (let index = 0; index < 9; index += 1) await addProject(bench, `p${index}`);
    const page = (await bench.ask('listProjects', { query: { pageSize: 100 } })).json as Fields;
    expect(page).toMatchObject({ pageSize: 7, totalCount: 9 });
    expect(page.items).toHaveLength(7);
    expect(await bench.list('listProjects')).toHaveLength(9);
  });

  it('answers bare arrays for pages, and pages for arrays', async () => {
    const bench = await openLoose();
    await furnish(bench);
    for (let index = 0; index < 9; index += 1) await addNetwork(bench, `n${index}`);
    const networks = (await bench.ask('listNetworks', { query: { page: 1, pageSize: 2 } })).json;
    expect(networks).toHaveLength(10);
    expect((await bench.ask('listPublicIps')).json).toHaveLength(1);
    for (const operationId of [
      'listSshKeys',
      'listPortForwards',
      'listBackups',
      'listTokens',
    ] as const) {
      expect((await bench.ask(operationId)).json).toMatchObject({ page: 1, pageSize: 7 });
    }
    expect((await bench.ask('listSshKeys', { query: { page: 2 } })).json).toMatchObject({
      items: [],
      totalCount: 1,
    });
  });

  it('answers 202 for SSH keys, which are there all the same, and 201 for port forwards', async () => {
    const bench = await openLoose();
    await furnish(bench);
    const key = await bench.ask('createSshKey', { body: { name: 'bob', publicKey } });
    expect([key.status, Object.keys(key.json as Fields)]).toEqual([202, ['commandId']]);
    expect((await bench.ask('listSshKeys')).json).toMatchObject({ totalCount: 2 });
    const { vmId } = bench.params;
    const body = { protocol: 'udp', publicPort: 53, vmId, vmPort: 53 };
    const forward = await bench.ask('createPortForward', { body });
    expect([forward.status, forward.json]).toMatchObject([201, { ...body, status: 'creating' }]);
  });

  it('pages the catalog: what is wanted may stand on the second page', async () => {
    const bench = await openLoose();
    const all = await openBench();
    const { length } = await all.get('listConfigurations');
    const pages = [1, 2].map((page) => bench.ask('listConfigurations', { query: { page } }));
    const sizes = (await Promise.all(pages)).map(
      ({ json }) => (json as { items: unknown[] }).items.length,
    );
    expect(sizes).toEqual([7, length - 7]);
  });

  it('answers 201 for networks and public IPs, 202 for projects', async () => {
    const bench = await openLoose();
    const project = await bench.ask('createProject', { body: { name: 'shop' } });
    expect([project.status, Object.keys(project.json as Fields)]).toEqual([202, ['commandId']]);
    bench.params.projectId = (await newest(bench, 'listProjects')).id;
    const network = await bench.ask('createNetwork', { body: { name: 'n' } });
    expect(network.status).toBe(201);
    expect(network.json).toMatchObject({
      name: 'n',
      status: 'creating',
      id: (await newest(bench, 'listNetworks')).id,
    });
    const ip = await bench.ask('createPublicIp');
    expect(ip.status).toBe(201);
    expect(ip.json).toMatchObject({ id: (await newest(bench, 'listPublicIps')).id });
  });

  it('allows names to repeat', async () => {
    const bench = await openLoose();
    await addProject(bench);
    await addVm(bench);
    await addVm(bench);
    await addNetwork(bench);
    await addNetwork(bench);
    await addProject(bench);
    expect(await bench.list('listProjects')).toHaveLength(2);
  });

  it('has values and fields that the contract does not know, until things are settled', async () => {
    const bench = await openLoose();
    await addProject(bench);
    await bench.get('createVm', { body: vmRequest('web') });
    bench.params.vmId = (await newest(bench, 'listVms')).id;
    bench.pass(2);
    const young = {
      operation: 'ProvisionV2',
      operationStatus: 'Preparing',
      bootStatus: 'Initializing',
    };
    expect((await bench.ask('getVm')).json).toMatchObject({
      ...young,
      status: 'creating',
      region: 'eu-1',
    });
    bench.pass(60);
    const settled = { operationStatus: 'Succeeded', bootStatus: 'Running', status: 'active' };
    expect((await bench.ask('getVm')).json).toMatchObject(settled);
    expect((await bench.ask('getVm')).json).toEqual((await bench.list('listVms'))[0]);
  });

  it('gives the totals over all VMs as plain numbers', async () => {
    const bench = await openLoose();
    const limits = (await bench.ask('getLimits')).json as Fields;
    expect(limits.vmResources).toEqual({ cpu: 400, ram: 1600, disk: 16_000 });
  });

  it('has records that lag behind their resource, and some that never appear', async () => {
    const bench = await openLoose();
    await addProject(bench);
    await bench.get('createNetwork', { body: { name: 'n' } });
    const statusOfRecord = async () => {
      const [record] = await bench.list<Fields>('listOperations');
      return record?.status;
    };
    while ((await newest(bench, 'listNetworks')).status !== 'active') bench.pass(0.5);
    expect(await statusOfRecord()).toBe('Preparing');
    bench.pass(2);
    expect(await statusOfRecord()).toBe('Preparing');
    bench.pass(1.5);
    expect(await statusOfRecord()).toBe('Succeeded');
    bench.params.networkId = (await newest(bench, 'listNetworks')).id;
    const vmId = await addVm(bench);
    await bench.get('attachVm', { body: { vmId } });
    bench.pass(30);
    const records = await bench.list<Fields>('listOperations');
    expect(records.map(({ type }) => type)).toEqual(['ProvisionV2', 'ProvisionNetwork']);
    expect((await bench.ask('getVm')).json).toMatchObject({
      networks: [{ networkId: bench.params.networkId }],
    });
  });

  it('refuses in other words', async () => {
    const bench = await openLoose({ quotas: { networks: 1 } });
    await furnish(bench);
    const notFound = await bench.ask('getVm', { params: { vmId: 'no' } });
    expect([notFound.status, notFound.text]).toEqual([404, '']);
    const unauthorized = await bench.ask('getVm', { authorization: null });
    expect([unauthorized.status, unauthorized.headers.get('content-type')]).toEqual([
      401,
      'text/html',
    ]);
    expect((await bench.ask('resizeVm')).text).toContain('<html>');
    expect((await bench.ask('createNetwork', { body: { name: ' ' } })).status).toBe(400);
    expect((await bench.ask('createNetwork', { body: { name: 'more' } })).status).toBe(403);
    await bench.get('createBackup');
    const locked = await bench.ask('stopVm');
    expect([locked.status, Object.keys(locked.json as Fields)]).toEqual([409, ['error']]);
    bench.pass(100);
    const big = vmRequest('big', { configurationId: 'cfg-g8r64d640' });
    for (const name of ['a', 'b']) await bench.get('createVm', { body: { ...big, name } });
    expect((await bench.ask('createVm', { body: big })).json).toMatchObject({
      code: 'insufficientCapacity',
    });
  });
});
