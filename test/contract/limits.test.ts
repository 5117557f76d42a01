import { describe, expect, it } from 'vitest';

import type { OperationId } from '../../src/api/contract/routes.ts';
import type {
  WireNameLengthLimits,
  WireNotification,
  WireProject,
} from '../../src/api/contract/types.ts';
import type { Ask } from './bench.ts';
import {
  addNetwork,
  addProject,
  addPublicIp,
  addVm,
  isSpelled,
  newest,
  openBench,
  openFurnishedBench,
  openProjectBench,
  publicKey,
  vmRequest,
} from './bench.ts';

describe('sections 2 and 8: quotas', () => {
  it('tells limit, used and remaining', async () => {
    const bench = await openFurnishedBench({ quotas: { networks: 3 } });
    expect(await bench.get('getLimits')).toEqual({
      projects: { limit: 20, used: 1, remaining: 19 },
      accessTokens: { limit: 10, used: 2, remaining: 8 },
      networks: { limit: 3, used: 1, remaining: 2 },
      publicIps: { limit: 50, used: 1, remaining: 49 },
      vmResources: {
        cpu: { limit: 400, used: 2, remaining: 398 },
        ram: { limit: 1600, used: 4, remaining: 1596 },
        disk: { limit: 16_000, used: 40, remaining: 15_960 },
      },
      maxSshKeysPerProject: 20,
    });
  });

  it('never shows a negative remaining, even when a quota was lowered', async () => {
    const bench = await openBench({ quotas: { projects: -5, accessTokens: 0 } });
    const limits = await bench.get('getLimits');
    expect(limits.projects).toEqual({ limit: -5, used: 0, remaining: 0 });
    expect(limits.accessTokens).toEqual({ limit: 0, used: 1, remaining: 0 });
  });

  const small = {
    projects: 1,
    accessTokens: 1,
    networks: 0,
    publicIps: 0,
    maxSshKeysPerProject: 0,
  };
  it.each<[OperationId, unknown]>([
    ['createProject', { name: 'more' }],
    ['createToken', { name: 'more', scopes: ['read'] }],
    ['createNetwork', { name: 'more' }],
    ['createPublicIp', undefined],
    ['createVm', vmRequest('more', { publicIpMode: 'new' })],
    ['createSshKey', { name: 'more', publicKey }],
  ])(
    '%s over its quota answers 409 without code and creates nothing',
    async (operationId, body) => {
      const bench = await openProjectBench({ quotas: small });
      const before = await bench.get('getLimits');
      expect(await bench.refusal(409, operationId, { body })).not.toHaveProperty('code');
      expect(await bench.get('getLimits')).toEqual(before);
      expect(await bench.list('listVms')).toEqual([]);
    },
  );

  it.each([
    ['cpu', { cpu: 3 }],
    ['ram', { ram: 7 }],
    ['disk', { disk: 79 }],
  ])('totals %s over all VMs of the account', async (name, quotas) => {
    const bench = await openProjectBench({ quotas });
    await addVm(bench);
    await addProject(bench, 'other');
    const problem = await bench.refusal(409, 'createVm', { body: vmRequest('second') });
    expect(problem).not.toHaveProperty('code');
    expect(problem.detail).toContain(name);
  });

  it('decides at creation, whatever remaining said a moment earlier (section 7)', async () => {
    const bench = await openProjectBench({ quotas: { networks: 1 } });
    expect((await bench.get('getLimits')).networks.remaining).toBe(1);
    const bodies = ['a', 'b', 'c'].map((name) => ({ body: { name } }));
    const answers = await Promise.all(bodies.map((ask) => bench.ask('createNetwork', ask)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  });

  it('says so when a quota runs short, once', async () => {
    const bench = await openBench({ quotas: { projects: 10 } });
    for (let index = 0; index < 10; index += 1) await addProject(bench, `p${index}`);
    const feed = await bench.list<WireNotification>('listNotifications');
    expect(feed.map(({ type, message }) => [type, message])).toEqual([
      ['quotaLow', '9 of 10 are in use.'],
    ]);
  });
});

describe('section 8: capacity', () => {
  it('runs out: 409 with code insufficientCapacity, and that code nowhere else', async () => {
    const bench = await openProjectBench();
    const params = { configurationId: 'cfg-g8r64d640' };
    expect(await bench.get('getConfiguration', { params })).toMatchObject({
      availability: 'limited',
      maxCount: 2,
    });
    await addVm(bench, 'a', params);
    await addVm(bench, 'b', params);
    expect(await bench.get('getConfiguration', { params })).toMatchObject({
      availability: 'unavailable',
      maxCount: 0,
    });
    const problem = await bench.refusal(409, 'createVm', { body: vmRequest('c', params) });
    expect(problem.code).toBe('insufficientCapacity');
    await bench.get('deleteVm');
    bench.pass(20);
    await addVm(bench, 'c', params);
    expect(await bench.refusal(409, 'createVm', { body: vmRequest('c') })).not.toHaveProperty(
      'code',
    );
  });

  it('offers a catalog whose other sizes are ample', async () => {
    const bench = await openBench();
    const configurations = await bench.get('listConfigurations');
    expect(configurations.filter(({ availability }) => availability !== 'available')).toHaveLength(
      1,
    );
    for (const kind of ['listConfigurations', 'listImages', 'listTariffs'] as const) {
      const entries: { id: string; name: string }[] = await bench.get(kind);
      expect(entries.every(({ id, name }) => id !== name)).toBe(true);
    }
  });
});

describe('section 2: names', () => {
  const named: [
    OperationId,
    OperationId,
    keyof WireNameLengthLimits,
    number,
    (name: string) => Ask['body'],
  ][] = [
    ['createProject', 'renameProject', 'maxProjectNameLength', 64, (name) => ({ name })],
    ['createNetwork', 'renameNetwork', 'maxNetworkNameLength', 64, (name) => ({ name })],
    ['createVm', 'renameVm', 'maxVmNameLength', 63, (name) => vmRequest(name)],
    ['createSshKey', 'renameSshKey', 'maxSshKeyNameLength', 64, (name) => ({ name, publicKey })],
    [
      'createToken',
      'renameToken',
      'maxAccessTokenNameLength',
      64,
      (name) => ({ name, scopes: ['read'] }),
    ],
  ];

  it.each(named)('%s and %s hold to %s', async (create, rename, capName, cap, body) => {
    const bench = await openFurnishedBench();
    const lengths = await bench.get('getNameLengthLimits');
    expect(lengths[capName]).toBe(cap);
    // A name of as many code points as the cap has, twice as many UTF-16 units: 😀 counts once.
    const longest = '😀'.repeat(cap);
    for (const [operationId, build] of [
      [create, body],
      [rename, (name: string) => ({ name })],
    ] as const) {
      for (const name of [`${longest}x`, '', '   ', '\u00a0\t']) {
        const { errors } = await bench.refusal(422, operationId, { body: build(name) });
        expect(Object.keys(errors ?? {})).toEqual(['name']);
      }
      expect(
        (await bench.ask(operationId, { body: build(operationId === create ? longest : 'fine') }))
          .status,
      ).toBeLessThan(300);
    }
  });

  it('caps public keys, and refuses what is none', async () => {
    const bench = await openProjectBench({ nameLengths: { sshPublicKey: 100 } });
    for (const key of [
      `${publicKey} ${'x'.repeat(100)}`,
      'no key',
      'ssh-ed25519',
      'ssh-ed25519 A\nB',
      ' ',
    ]) {
      const { errors } = await bench.refusal(422, 'createSshKey', {
        body: { name: 'k', publicKey: key },
      });
      expect(Object.keys(errors ?? {})).toEqual(['publicKey']);
    }
    await bench.get('createSshKey', { body: { name: 'k', publicKey } });
    const keys = await bench.get('listSshKeys');
    // A dialect may leave it open where the fingerprint is.
    if (!isSpelled) expect(keys[0]?.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/);
  });

  it('reports every fault of a request at once', async () => {
    const bench = await openProjectBench();
    const body = vmRequest(' ', {
      imageId: 'x',
      tariffId: 'x',
      configurationId: 'x',
      sshKeyIds: ['a', 'b'],
      publicIpMode: 'existing',
    });
    const { errors } = await bench.refusal(422, 'createVm', { body });
    expect(Object.keys(errors ?? {}).sort()).toEqual([
      'configurationId',
      'imageId',
      'name',
      'publicIpId',
      'sshKeyIds[0]',
      'sshKeyIds[1]',
      'tariffId',
    ]);
  });

  it.each(named.filter(([create]) => create !== 'createToken'))(
    '%s and %s refuse a name that is taken',
    async (create, rename, _cap, _length, body) => {
      const bench = await openFurnishedBench();
      const param = {
        createProject: 'projectId',
        createNetwork: 'networkId',
        createVm: 'vmId',
        createSshKey: 'sshKeyId',
      }[create as 'createVm'];
      const list = {
        createProject: 'listProjects',
        createNetwork: 'listNetworks',
        createVm: 'listVms',
        createSshKey: 'listSshKeys',
      }[create as 'createVm'];
      await bench.get(create, { body: body('first') });
      await bench.refusal(409, create, { body: body('first') });
      await bench.get(create, { body: body('second') });
      bench.pass(60);
      const { id } = await newest(bench, list as OperationId);
      await bench.refusal(409, rename, { params: { [param]: id }, body: { name: 'first' } });
      await bench.get(rename, { params: { [param]: id }, body: { name: 'second' } });
    },
  );

  it('lets two projects have things of one name', async () => {
    const bench = await openBench();
    for (const project of ['one', 'two']) {
      await addProject(bench, project);
      await addNetwork(bench, 'same');
      await addVm(bench, 'same');
    }
    expect(await bench.list('listProjects')).toHaveLength(2);
  });
});

// Of lists in a dialect the bench makes pages itself, of what the engine has read whole.
describe.skipIf(isSpelled)('paging', () => {
  it('holds 20 unless told, cuts to 100, and ends', async () => {
    const bench = await openBench({ quotas: { projects: 150 } });
    for (let index = 0; index < 130; index += 1) await addProject(bench, `p${index}`);
    const page = async (query: Record<string, number>) => bench.get('listProjects', { query });
    expect(await page({})).toMatchObject({ page: 1, pageSize: 20, totalCount: 130 });
    expect((await page({})).items).toHaveLength(20);
    expect(await page({ pageSize: 1000 })).toMatchObject({ pageSize: 100 });
    expect((await page({ pageSize: 1000, page: 2 })).items).toHaveLength(30);
    expect((await page({ pageSize: 100, page: 3 })).items).toEqual([]);
    expect((await page({ page: Number.MAX_SAFE_INTEGER })).items).toEqual([]);
    const names = (await bench.list<WireProject>('listProjects')).map(({ name }) => name);
    expect(new Set(names).size).toBe(130);
    expect(names[0]).toBe('p0');
  });

  it('ignores parameters that it does not know', async () => {
    const bench = await openBench();
    expect((await bench.ask('listProjects', { query: { sort: 'name' } })).status).toBe(200);
  });
});

describe('section 2: projects', () => {
  it('count what they hold, vmCount beside resourceCounts.vms', async () => {
    const bench = await openFurnishedBench();
    expect(await bench.get('getProject')).toMatchObject({
      vmCount: 1,
      resourceCounts: { vms: 1, networks: 1, publicIps: 1, sshKeys: 1 },
    });
  });

  it('are deleted only when empty', async () => {
    const bench = await openProjectBench();
    const fill: [() => Promise<unknown>, OperationId][] = [
      [() => addVm(bench), 'deleteVm'],
      [() => addNetwork(bench), 'deleteNetwork'],
      [() => addPublicIp(bench), 'deletePublicIp'],
    ];
    for (const [add, remove] of fill) {
      await add();
      await bench.refusal(409, 'deleteProject');
      await bench.get(remove);
      await bench.refusal(409, 'deleteProject');
      bench.pass(20);
    }
    await bench.get('deleteProject');
    expect((await bench.ask('getProject')).status).toBe(404);
    expect(await bench.list('listProjects')).toEqual([]);
  });

  it('keep their things to themselves', async () => {
    const bench = await openFurnishedBench();
    const projectId = await addProject(bench, 'other');
    for (const operationId of [
      'getVm',
      'getNetwork',
      'getPublicIp',
      'getSshKey',
      'getPortForward',
      'getBackup',
    ] as const) {
      if (!bench.tells(operationId, 'projectId')) continue;
      expect((await bench.ask(operationId, { params: { projectId } })).status, operationId).toBe(
        404,
      );
    }
  });
});
