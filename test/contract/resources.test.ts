import { describe, expect, it } from 'vitest';

import type { WireBackup, WireNotification } from '../../src/api/contract/types.ts';
import {
  addNetwork,
  addProject,
  addPublicIp,
  addVm,
  newest,
  openBench,
  openFurnishedBench,
  openProjectBench,
  startOfTime,
  vmRequest,
} from './bench.ts';

describe('networks', () => {
  it('get their address range from the platform', async () => {
    const bench = await openProjectBench();
    await bench.get('createNetwork', { body: { name: 'a' } });
    expect((await bench.get('listNetworks')).items[0]).toMatchObject({
      status: 'creating',
      cidr: null,
    });
    bench.pass(10);
    await addNetwork(bench, 'b');
    const { items } = await bench.get('listNetworks');
    expect(items.map(({ cidr }) => cidr)).toEqual(['10.0.0.0/24', '10.1.0.0/24']);
    await bench.refusal(422, 'createNetwork', { body: { name: 'c', cidr: '10.9.0.0/24' } });
  });

  it('give addresses to attached VMs and take them back', async () => {
    const bench = await openProjectBench();
    const networkId = await addNetwork(bench);
    const vmIds = [await addVm(bench, 'a'), await addVm(bench, 'b'), await addVm(bench, 'c')];
    for (const vmId of vmIds) await bench.get('attachVm', { body: { vmId } });
    bench.pass(10);
    const addresses = async () =>
      (await bench.get('listNetworkVms')).map(({ internalIp }) => internalIp);
    expect(await addresses()).toEqual(['10.0.0.2', '10.0.0.3', '10.0.0.4']);
    await bench.refusal(409, 'deleteNetwork');
    await bench.get('detachVm', { params: { vmId: vmIds[0] ?? '' } });
    bench.pass(10);
    expect(await addresses()).toEqual(['10.0.0.3', '10.0.0.4']);
    const vmId = await addVm(bench, 'd');
    await bench.get('attachVm', { body: { vmId } });
    bench.pass(10);
    expect((await bench.get('getVm')).networks).toEqual([{ networkId, internalIp: '10.0.0.2' }]);
    await bench.refusal(409, 'attachVm', { body: { vmId } });
  });

  it('move a VM to an address that is asked for, if it is free and theirs', async () => {
    const bench = await openFurnishedBench();
    const other = await addVm(bench, 'other');
    await bench.get('attachVm', { body: { vmId: other } });
    bench.pass(10);
    for (const internalIp of [
      '10.0.1.5',
      '10.0.0.1',
      '10.0.0.255',
      '10.0.0.05',
      'x',
      '10.0.0.2.2',
    ]) {
      await bench.refusal(422, 'updateAttachment', { body: { internalIp } });
    }
    await bench.refusal(409, 'updateAttachment', { body: { internalIp: '10.0.0.2' } });
    await bench.get('updateAttachment', { body: { internalIp: '10.0.0.50' } });
    // The address is spoken for while the change runs.
    const first = (await bench.get('listNetworkVms'))[0]?.vmId ?? '';
    await bench.refusal(409, 'updateAttachment', {
      params: { vmId: first },
      body: { internalIp: '10.0.0.50' },
    });
    bench.pass(10);
    expect((await bench.get('getVm')).networks[0]?.internalIp).toBe('10.0.0.50');
  });

  it('take only VMs that are there, active and of their project', async () => {
    const bench = await openProjectBench();
    const foreign = await addVm(bench);
    await addProject(bench, 'other');
    await addNetwork(bench);
    await bench.refusal(422, 'attachVm', { body: { vmId: foreign } });
    await bench.get('createVm', { body: vmRequest('young') });
    const young = await newest(bench, 'listVms');
    await bench.refusal(409, 'attachVm', { body: { vmId: young.id } });
    bench.pass(60);
    await bench.get('createNetwork', { body: { name: 'young' } });
    const { id } = await newest(bench, 'listNetworks');
    await bench.refusal(409, 'attachVm', { params: { networkId: id }, body: { vmId: young.id } });
  });
});

describe('public IPs and port forwards', () => {
  it('are held by one VM at a time', async () => {
    const bench = await openProjectBench();
    const publicIpId = await addPublicIp(bench);
    const existing = { publicIpMode: 'existing', publicIpId };
    const vmId = await addVm(bench, 'a', existing);
    expect(await bench.get('getVm')).toMatchObject({ publicIpId });
    expect(await bench.get('getPublicIp')).toMatchObject({ vmId });
    await bench.refusal(409, 'createVm', { body: vmRequest('b', existing) });
    await bench.refusal(409, 'deletePublicIp');
    await bench.get('deleteVm');
    bench.pass(20);
    await addVm(bench, 'b', existing);
  });

  it('come with a VM when asked, and count', async () => {
    const bench = await openProjectBench();
    const vmId = await addVm(bench, 'a', { publicIpMode: 'new' });
    const [ip] = (await bench.get('listPublicIps')).items;
    expect(ip).toMatchObject({
      vmId,
      status: 'active',
      address: expect.stringMatching(/^198\.1[89]\./) as string,
    });
    expect((await bench.get('getLimits')).publicIps.used).toBe(1);
    await bench.refusal(422, 'createVm', {
      body: vmRequest('b', { publicIpMode: 'new', publicIpId: ip?.id }),
    });
    await bench.refusal(422, 'createVm', {
      body: vmRequest('b', { publicIpMode: 'existing', publicIpId: 'no' }),
    });
  });

  it('forward each port of a protocol to one place', async () => {
    const bench = await openFurnishedBench();
    const { vmId } = bench.params;
    const body = { protocol: 'tcp', publicPort: 443, vmId, vmPort: 1 };
    await bench.refusal(409, 'createPortForward', { body });
    await bench.get('createPortForward', { body: { ...body, protocol: 'udp' } });
    await bench.get('createPortForward', { body: { ...body, publicPort: 80 } });
    bench.pass(10);
    await bench.refusal(409, 'updatePortForward', { body: { publicPort: 80 } });
    await bench.get('updatePortForward', { body: { publicPort: 81 } });
    // Both the old and the new port are held while the change runs.
    for (const publicPort of [443, 81]) {
      await bench.refusal(409, 'createPortForward', { body: { ...body, publicPort } });
    }
    await bench.refusal(409, 'updatePortForward', { body: { vmPort: 2 } });
    bench.pass(10);
    expect(await bench.get('getPortForward')).toMatchObject({
      publicPort: 81,
      vmPort: 8443,
      status: 'active',
    });
    await bench.refusal(409, 'deletePublicIp');
  });

  it('forward to VMs that are active and of their project', async () => {
    const bench = await openProjectBench();
    const foreign = await addVm(bench);
    await addProject(bench, 'other');
    await addPublicIp(bench);
    const body = { protocol: 'tcp', publicPort: 1, vmPort: 1 };
    await bench.refusal(422, 'createPortForward', { body: { ...body, vmId: foreign } });
    await bench.get('createVm', { body: vmRequest('young') });
    const { id: vmId } = await newest(bench, 'listVms');
    await bench.refusal(409, 'createPortForward', { body: { ...body, vmId } });
    bench.pass(60);
    await bench.get('createPortForward', { body: { ...body, vmId } });
    for (const publicPort of [0, 65_536, 1.5, '80']) {
      await bench.refusal(422, 'createPortForward', { body: { ...body, vmId, publicPort } });
    }
  });
});

describe('section 3: backups', () => {
  it('appear when they have succeeded; the VM stays active, its operation InProgress', async () => {
    const bench = await openProjectBench();
    await addVm(bench);
    expect(Object.keys(await bench.get('createBackup'))).toEqual(['commandId']);
    expect(await bench.get('getVm')).toMatchObject({
      status: 'active',
      operation: 'CreateBackup',
      operationStatus: 'InProgress',
    });
    expect(await bench.get('listBackups')).toEqual([]);
    bench.pass(80);
    expect(await bench.get('listBackups')).toMatchObject([
      { status: 'active', sourceImageId: 'img-ubuntu-24-04' },
    ]);
  });

  it('never appear when they have failed; the record says why (section 7)', async () => {
    const bench = await openProjectBench({
      planFailure: ({ type }) => (type === 'CreateBackup' ? 'internal' : null),
    });
    const vmId = await addVm(bench);
    await bench.get('createBackup');
    bench.pass(80);
    expect(await bench.get('listBackups')).toEqual([]);
    expect(await bench.get('getVm')).toMatchObject({ status: 'active' });
    const { items } = await bench.get('listOperations', { query: { resourceId: vmId } });
    expect(items[0]).toMatchObject({
      type: 'CreateBackup',
      status: 'Failed',
      failureCode: 'internal',
    });
  });

  it('are 7 at most: the oldest goes first and the create takes longer (section 8)', async () => {
    const bench = await openProjectBench();
    await addVm(bench);
    for (let index = 0; index < 7; index += 1) {
      await bench.get('createBackup');
      bench.pass(71);
    }
    const before = await bench.list<WireBackup>('listBackups');
    expect(before).toHaveLength(7);
    await bench.get('createBackup');
    bench.pass(13);
    const during = await bench.list<WireBackup>('listBackups');
    expect(during.map(({ id }) => id)).toEqual(before.slice(1).map(({ id }) => id));
    expect(await bench.get('getVm')).toMatchObject({ operationStatus: 'InProgress' });
    // The shortest backup of all takes 50 s, the shortest deletion 8 s more.
    bench.pass(44);
    expect(await bench.get('getVm')).toMatchObject({ operationStatus: 'InProgress' });
    bench.pass(30);
    const after = await bench.list<WireBackup>('listBackups');
    expect(after).toHaveLength(7);
    expect(after.slice(0, 6)).toEqual(during);
  });

  it('are restored, deleted, and gone with their VM', async () => {
    const bench = await openFurnishedBench();
    await bench.get('rebuildVm', { body: { imageId: 'img-debian-13' } });
    bench.pass(60);
    await bench.get('restoreBackup');
    bench.pass(80);
    expect(await bench.get('getVm')).toMatchObject({
      imageId: 'img-ubuntu-24-04',
      status: 'active',
    });
    await bench.get('deleteBackup');
    expect(await bench.get('getBackup')).toMatchObject({ status: 'deleting' });
    bench.pass(20);
    expect((await bench.ask('getBackup')).status).toBe(404);
    await bench.refusal(404, 'restoreBackup');
  });
});

describe('section 4: the rest', () => {
  it('counts VMs by lifecycle status and by power state', async () => {
    const bench = await openProjectBench();
    await addVm(bench, 'a');
    await bench.get('stopVm');
    bench.pass(20);
    await addVm(bench, 'b');
    await bench.get('createVm', { body: vmRequest('c') });
    const counts = await bench.get('getVmStateCounts');
    expect(counts.status).toEqual({ creating: 1, active: 2, updating: 0, deleting: 0, failed: 0 });
    expect(counts.powerState).toEqual({
      running: 1,
      stopped: 1,
      starting: 1,
      stopping: 0,
      rebooting: 0,
    });
  });

  it('answers fixed metrics', async () => {
    const bench = await openFurnishedBench();
    const first = await bench.get('getVmMetrics');
    bench.pass(3600);
    expect(await bench.get('getVmMetrics')).toEqual(first);
  });

  it('keeps the locale of the account, in canonical spelling', async () => {
    const bench = await openBench();
    expect(await bench.get('updateAccountLocale', { body: { locale: 'de-ch' } })).toMatchObject({
      locale: 'de-CH',
    });
    expect(await bench.get('getAccount')).toMatchObject({ locale: 'de-CH' });
    await bench.refusal(422, 'updateAccountLocale', { body: { locale: 'not a locale' } });
  });

  it('feeds notifications of what ends and fails, read one by one or all', async () => {
    const bench = await openProjectBench({
      planFailure: ({ type }) => (type === 'Stop' ? 'timeout' : null),
    });
    const vmId = await addVm(bench);
    await bench.get('stopVm');
    bench.pass(20);
    await bench.get('startVm');
    bench.pass(20);
    const feed = await bench.list<WireNotification>('listNotifications');
    expect(feed.map(({ type, title }) => `${type}: ${title}`)).toEqual([
      'operationSucceeded: Start succeeded',
      'operationFailed: Stop failed',
      'operationSucceeded: Provision succeeded',
    ]);
    expect(feed[1]).toMatchObject({
      resourceType: 'vm',
      resourceId: vmId,
      projectId: bench.params.projectId,
      read: false,
    });
    expect(await bench.get('getUnreadNotificationCount')).toEqual({ count: 3 });
    for (const countAfter of [2, 2]) {
      await bench.get('markNotificationRead', { params: { notificationId: feed[0]?.id ?? '' } });
      expect(await bench.get('getUnreadNotificationCount')).toEqual({ count: countAfter });
    }
    await bench.get('markAllNotificationsRead');
    expect(await bench.get('getUnreadNotificationCount')).toEqual({ count: 0 });
    expect(
      (await bench.list<WireNotification>('listNotifications')).every(({ read }) => read),
    ).toBe(true);
  });

  it('keeps the preferences of delivery', async () => {
    const bench = await openBench();
    const body = { operationSucceeded: true, operationFailed: false, quotaLow: false };
    await bench.get('updateNotificationPreferences', { body });
    expect(await bench.get('getNotificationPreferences')).toEqual(body);
  });

  it('cancels and resumes the renewal of a sale', async () => {
    const bench = await openProjectBench();
    const vmId = await addVm(bench);
    const { id: saleId } = await newest(bench, 'listSales');
    expect(await bench.get('getVm')).toMatchObject({ saleId });
    const params = { saleId };
    const sale = await bench.get('getSale', { params });
    expect(sale).toMatchObject({ resourceType: 'vm', resourceId: vmId, renewal: 'active' });
    expect(sale.paidUntil).toBe(new Date(Date.UTC(2026, 11, 21, 12)).toISOString());
    bench.pass(31 * 86_400);
    const later = new Date(Date.UTC(2027, 0, 21, 12)).toISOString();
    expect(await bench.get('cancelSaleRenewal', { params })).toMatchObject({
      renewal: 'cancelled',
      paidUntil: later,
    });
    expect(await bench.get('resumeSaleRenewal', { params })).toMatchObject({
      renewal: 'active',
      paidUntil: later,
    });
    await bench.get('cancelSaleRenewal', { params });
    bench.pass(40 * 86_400);
    await bench.refusal(409, 'resumeSaleRenewal', { params });
    await bench.get('deleteVm');
    bench.pass(20);
    expect(await bench.get('listSales')).toEqual([]);
  });

  it('gives no id twice', async () => {
    const bench = await openProjectBench();
    const seen = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const id = await addNetwork(bench);
      expect(seen.has(id)).toBe(false);
      seen.add(id);
      await bench.get('deleteNetwork');
      bench.pass(10);
    }
    expect(bench.now()).toBeGreaterThan(startOfTime);
  });
});
