import { describe, expect, test } from 'vitest';
import {
  decodeCatalogEntry,
  decodeConfiguration,
  decodeNetwork,
  decodeOperation,
  decodePortForward,
  decodeProject,
  decodePublicIp,
  decodeSshKey,
  decodeVm,
} from '../../../../src/api/wire/decode.ts';
import { decodeLimits, decodeNameLengths } from '../../../../src/api/wire/decode-limits.ts';

const place = { projectId: 'p1', publicIpId: 'ip1' };
const at = '2026-11-21T10:00:00Z';

describe('a whole record', () => {
  test.each<[string, unknown, object]>([
    [
      'project',
      decodeProject({
        id: 'p1',
        name: 'shop',
        vmCount: 2,
        resourceCounts: { vms: 2 },
        createdAt: at,
      }),
      { kind: 'project', id: 'p1', projectId: 'p1', name: 'shop', createdAt: Date.parse(at) },
    ],
    [
      'SSH key',
      decodeSshKey({ id: 'k1', name: 'me', publicKey: 'ssh-ed25519 A', fingerprint: 'f' }, place),
      {
        kind: 'sshKey',
        id: 'k1',
        projectId: 'p1',
        name: 'me',
        publicKey: 'ssh-ed25519 A',
        fingerprint: 'f',
      },
    ],
    [
      'network',
      decodeNetwork({ id: 'n1', name: 'lan', status: 'active', cidr: '10.0.0.0/24' }, place),
      {
        kind: 'network',
        id: 'n1',
        projectId: 'p1',
        name: 'lan',
        status: 'active',
        cidr: '10.0.0.0/24',
      },
    ],
    [
      'public IP',
      decodePublicIp({ id: 'ip1', status: 'active', address: '203.0.113.9', vmId: null }, place),
      {
        kind: 'publicIp',
        id: 'ip1',
        projectId: 'p1',
        status: 'active',
        address: '203.0.113.9',
        vmId: null,
      },
    ],
    [
      'port forward',
      decodePortForward(
        {
          id: 'f1',
          protocol: 'tcp',
          publicPort: 443,
          vmId: 'v1',
          vmPort: 8443,
          status: 'creating',
        },
        place,
      ),
      {
        kind: 'portForward',
        id: 'f1',
        projectId: 'p1',
        publicIpId: 'ip1',
        status: 'creating',
        protocol: 'tcp',
        publicPort: 443,
        vmId: 'v1',
        vmPort: 8443,
      },
    ],
    [
      'VM',
      decodeVm(
        {
          id: 'v1',
          name: 'web',
          status: 'active',
          operation: 'CreateBackup',
          operationStatus: 'InProgress',
          bootStatus: 'Running',
          configurationId: 'c1',
          imageId: 'i1',
          tariffId: 't1',
          cpu: 2,
          ram: 4,
          disk: 40,
          networks: [{ networkId: 'n1', internalIp: '10.0.0.2' }],
          publicIpId: 'ip1',
          sshKeyIds: ['k1'],
          plugins: ['docker'],
          saleId: 's1',
          somethingNew: { deep: true },
        },
        place,
      ),
      {
        kind: 'vm',
        id: 'v1',
        projectId: 'p1',
        name: 'web',
        status: 'active',
        operation: 'CreateBackup',
        operationStatus: 'InProgress',
        bootStatus: 'Running',
        configurationId: 'c1',
        imageId: 'i1',
        tariffId: 't1',
        cpu: 2,
        ram: 4,
        disk: 40,
        networks: [{ networkId: 'n1', internalIp: '10.0.0.2' }],
        publicIpId: 'ip1',
        sshKeyIds: ['k1'],
        plugins: ['docker'],
      },
    ],
    [
      'operation',
      decodeOperation({
        id: 'o1',
        type: 'Provision',
        status: 'Failed',
        resourceType: 'vm',
        resourceId: 'v1',
        createdAt: at,
        completedAt: '2026-11-21T10:00:05Z',
        failureCode: 'timeout',
      }),
      {
        id: 'o1',
        type: 'Provision',
        status: 'Failed',
        resourceType: 'vm',
        resourceId: 'v1',
        createdAt: Date.parse(at),
        completedAt: Date.parse(at) + 5000,
        failureCode: 'timeout',
      },
    ],
    [
      'configuration',
      decodeConfiguration({
        id: 'c1',
        name: 'small',
        cpu: 1,
        ram: 2,
        disk: 20,
        availability: 'limited',
        maxCount: 3,
      }),
      { id: 'c1', name: 'small', cpu: 1, ram: 2, disk: 20, availability: 'limited', maxCount: 3 },
    ],
    [
      'image',
      decodeCatalogEntry({ id: 'i1', name: 'Debian', os: 'linux' }),
      { id: 'i1', name: 'Debian' },
    ],
  ])('%s', (_, decoded, expected) => {
    expect(decoded).toStrictEqual(expected);
  });
});

describe('a record of its id alone', () => {
  test.each<[string, unknown, object]>([
    ['project', decodeProject({ id: 'x' }), { name: '' }],
    ['SSH key', decodeSshKey({ id: 'x' }, place), { name: '', publicKey: '', fingerprint: null }],
    ['network', decodeNetwork({ id: 'x' }, place), { name: '', status: 'unknown', cidr: null }],
    [
      'public IP',
      decodePublicIp({ id: 'x' }, place),
      { status: 'unknown', address: null, vmId: null },
    ],
    [
      'port forward',
      decodePortForward({ id: 'x' }, { projectId: 'p1' }),
      { status: 'active', publicIpId: '', protocol: '', publicPort: 0, vmId: '', vmPort: 0 },
    ],
    [
      'VM',
      decodeVm({ id: 'x' }, place),
      {
        name: '',
        status: 'unknown',
        operation: null,
        operationStatus: null,
        bootStatus: null,
        configurationId: '',
        imageId: '',
        tariffId: '',
        cpu: 0,
        networks: [],
        publicIpId: null,
        sshKeyIds: [],
        plugins: [],
      },
    ],
    [
      'operation',
      decodeOperation({ id: 'x' }),
      {
        type: '',
        status: '',
        resourceType: null,
        resourceId: null,
        createdAt: null,
        completedAt: null,
        failureCode: null,
      },
    ],
    [
      'configuration',
      decodeConfiguration({ id: 'x' }),
      { name: 'x', cpu: 0, availability: null, maxCount: null },
    ],
  ])('%s', (_, decoded, expected) => {
    expect(decoded).toMatchObject({ id: 'x', ...expected });
  });
});

describe('what is odd', () => {
  test('values that are not published stay as they came', () => {
    expect(
      decodeVm(
        { id: 'v', status: 'Hibernating', operation: 'Migrate', bootStatus: 'Paused' },
        place,
      ),
    ).toMatchObject({ status: 'Hibernating', operation: 'Migrate', bootStatus: 'Paused' });
  });

  test('numeric ids are ids', () => {
    expect(decodeVm({ id: 7, publicIpId: 8, networks: [{ networkId: 9 }] }, place)).toMatchObject({
      id: '7',
      publicIpId: '8',
      networks: [{ networkId: '9', internalIp: null }],
    });
  });

  test('fields of another type count as missing', () => {
    const decoded = decodeVm(
      {
        id: 'v',
        name: 5,
        cpu: '2',
        ram: Number.NaN,
        networks: ['n1', {}, null, { networkId: '' }],
        sshKeyIds: ['k', 3],
        plugins: {},
        publicIpId: '',
      },
      place,
    );
    expect(decoded).toMatchObject({ name: '', cpu: 0, ram: 0, networks: [], sshKeyIds: ['k'] });
    expect(decoded).toMatchObject({ plugins: [], publicIpId: null });
    expect(decodeOperation({ id: 'o', createdAt: 'yesterday' }).createdAt).toBeNull();
  });

  test.each<[unknown, string]>([
    [null, 'nothing instead of a VM'],
    [undefined, 'nothing instead of a VM'],
    [[], 'a list instead of a VM'],
    ['v1', 'a string instead of a VM'],
    [{}, 'a VM without an id'],
    [{ id: '' }, 'a VM without an id'],
    [{ id: {} }, 'a VM without an id'],
  ])('%j is no VM', (wire, message) => {
    expect(() => decodeVm(wire, place)).toThrow(message);
  });
});

describe('limits', () => {
  const quota = { limit: 5, used: 2, remaining: 3 };

  test('as the contract has them', () => {
    const vmResources = { cpu: quota, ram: quota, disk: quota };
    const all = { projects: quota, accessTokens: quota, networks: quota, publicIps: quota };
    expect(decodeLimits({ ...all, vmResources, maxSshKeysPerProject: 10 })).toStrictEqual({
      quotas: { ...all, vmCpu: quota, vmRam: quota, vmDisk: quota },
      maxSshKeysPerProject: 10,
    });
  });

  test.each<[string, unknown, object]>([
    [
      'plain numbers',
      { vmResources: { cpu: 16, ram: 0 } },
      {
        vmCpu: { limit: 16, used: null, remaining: null },
        vmRam: { limit: 0, used: null, remaining: null },
      },
    ],
    [
      'a limit alone',
      { networks: { limit: 4 } },
      { networks: { limit: 4, used: null, remaining: null } },
    ],
    ['no limit', { networks: { used: 4 }, publicIps: null, projects: 'ten' }, {}],
    ['VM limits of another shape', { vmResources: 7 }, {}],
    ['nothing', {}, {}],
  ])('%s', (_, wire, quotas) => {
    expect(decodeLimits(wire)).toStrictEqual({ quotas, maxSshKeysPerProject: null });
  });

  test('of names', () => {
    const unsaid = {
      project: null,
      network: null,
      vm: null,
      sshKey: null,
      sshPublicKey: null,
      accessToken: null,
    };
    expect(decodeNameLengths({ maxVmNameLength: 64, maxSshKeyPublicKeyLength: '?' })).toStrictEqual(
      {
        ...unsaid,
        vm: 64,
      },
    );
    expect(() => decodeNameLengths([])).toThrow('a list instead of the name lengths');
  });
});
