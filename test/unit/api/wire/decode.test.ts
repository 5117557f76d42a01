import { describe, expect, test } from 'vitest';
import {
  decodeVmConfiguration,
  decodeImage,
  decodeOperation,
  decodeTariff,
} from '../../../../src/api/wire/decode.ts';
import {
  decodeAccountLimits,
  decodeNameLengthCaps,
} from '../../../../src/api/wire/decode-limits.ts';
import { kindRegistry } from '../../../../src/kinds/registry.ts';

const at = '2026-11-21T10:00:00Z';

const configuration = {
  ...{ id: 'c1', name: 'small', cpu: 1, ram: 2, disk: 20, availability: 'limited', maxCount: 3 },
};
const image = { id: 'i1', name: 'Debian', os: 'linux' };
const tariff = { id: 't1', name: 'monthly' };
const price = { currency: 'EUR', period: 'month' };
const operation = {
  ...{ id: 'o1', type: 'Provision', status: 'Failed' },
  ...{ resourceType: 'vm', resourceId: 'v1', failureCode: 'timeout' },
};

test.each<[unknown, object]>([
  [decodeVmConfiguration(configuration), configuration],
  [decodeImage(image), image],
  [
    decodeTariff({ ...tariff, price: 5, ...price }),
    { ...tariff, price: { amount: '5.00', ...price } },
  ],
  [decodeTariff({ ...tariff, price: null, ...price }), tariff],
  [
    decodeOperation({ ...operation, createdAt: at, completedAt: '2026-11-21T10:00:05Z' }),
    { ...operation, createdAt: Date.parse(at), completedAt: Date.parse(at) + 5000 },
  ],
])('a whole record: %j', (decoded, expected) => expect(decoded).toStrictEqual(expected));

test('a record of its id alone', () => {
  const unknown = { resourceType: null, resourceId: null, createdAt: null, completedAt: null };
  expect(decodeOperation({ id: 'x' })).toEqual({
    ...{ id: 'x', type: '', status: '', ...unknown, failureCode: null },
  });
  expect(decodeVmConfiguration({ id: 'x', maxCount: -1 }).maxCount).toBeNull();
  expect(decodeVmConfiguration({ id: 'x' })).toMatchObject({
    ...{ id: 'x', name: 'x', cpu: 0, availability: null, maxCount: null },
  });
});

test('words of the contract in another case are its own, and others stay as they came', () => {
  const upper = {
    ...{ id: 'o1', type: 'RESTOREBACKUP', status: 'succeeded', resourceType: 'PublicIP' },
    failureCode: 'InsufficientCapacity',
  };
  expect(decodeOperation(upper)).toMatchObject({
    ...{ type: 'RestoreBackup', status: 'Succeeded', resourceType: 'publicIp' },
    failureCode: 'insufficientCapacity',
  });
  expect(decodeOperation({ id: 'o2', type: 'MIGRATE' })).toMatchObject({ type: 'MIGRATE' });
  expect(decodeVmConfiguration({ id: 'x', availability: 'Unavailable' })).toMatchObject({
    availability: 'unavailable',
  });
});

test('a whole number may come as its decimal text, and nothing else', () => {
  const read = (cpu: unknown) => decodeVmConfiguration({ id: 'x', cpu }).cpu;
  expect(['16', '0'].map(read)).toEqual([16, 0]);
  expect(['1.5', '-1', '0x10', '1e3', ' 4', '04', '', '99999999999999999'].map(read)).toEqual(
    Array.from({ length: 8 }, () => 0),
  );
});

test('a time that is none counts as missing', () =>
  expect(decodeOperation({ id: 'o', createdAt: 'yesterday' }).createdAt).toBeNull());

describe('limits', () => {
  const quota = { limit: 5, used: 2, remaining: 3 };

  test('as the contract has them', () => {
    const vmResources = { cpu: quota, ram: quota, disk: quota };
    const all = { projects: quota, accessTokens: quota, networks: quota, publicIps: quota };
    expect(
      decodeAccountLimits({ ...all, vmResources, maxSshKeysPerProject: 10 }, kindRegistry),
    ).toStrictEqual({
      quotas: { ...all, vmCpu: quota, vmRam: quota, vmDisk: quota },
      maxSshKeysPerProject: 10,
    });
  });

  const limit = (number: number) => ({ limit: number, used: null, remaining: null });
  test.each<[string, unknown, object]>([
    ['plain numbers', { vmResources: { cpu: 16, ram: 0 } }, { vmCpu: limit(16), vmRam: limit(0) }],
    ['a limit alone', { networks: { limit: 4 } }, { networks: limit(4) }],
    ['no limit', { networks: { used: 4 }, publicIps: null, projects: 'ten' }, {}],
    ['VM limits of another shape', { vmResources: 7 }, {}],
    ['nothing', {}, {}],
    [
      'numbers below zero, which mean that there is no limit',
      { networks: { limit: -1, used: 2 }, vmResources: { cpu: -1, ram: { limit: 8, used: -1 } } },
      { vmRam: limit(8) },
    ],
    ['a real zero', { networks: { limit: 0 } }, { networks: limit(0) }],
  ])('%s', (_, wire, quotas) => {
    expect(decodeAccountLimits(wire, kindRegistry)).toStrictEqual({
      quotas,
      maxSshKeysPerProject: null,
    });
  });

  test('below zero other than -1 are named, since nobody knows what they mean', () => {
    const wire = {
      ...{ maxSshKeysPerProject: -2, networks: { limit: -5, used: 2 }, publicIps: -1 },
      vmResources: { cpu: -3, ram: { limit: 8, used: -4 } },
    };
    expect(decodeAccountLimits(wire, kindRegistry)).toStrictEqual({
      quotas: { vmRam: limit(8) },
      maxSshKeysPerProject: null,
      belowZero: { maxSshKeysPerProject: -2, networks: -5, 'vmResources.cpu': -3 },
    });
  });

  test('of something else are refused', () => {
    const wire = { type: 'about:blank' };
    expect(() => decodeAccountLimits(wire, kindRegistry)).toThrow('an object without any limit');
  });

  test('of names', () => {
    const unsaid = {
      ...{ project: null, network: null, vm: null },
      ...{ sshKey: null, sshPublicKey: null, accessToken: null },
    };
    expect(
      decodeNameLengthCaps({ maxVmNameLength: 64, maxSshKeyPublicKeyLength: '?' }, kindRegistry),
    ).toStrictEqual({ ...unsaid, vm: 64 });
    // No name fits into 0 or less: such a service has no limit.
    expect(
      decodeNameLengthCaps({ maxVmNameLength: 0, maxNetworkNameLength: -1 }, kindRegistry),
    ).toStrictEqual(unsaid);
    expect(
      decodeNameLengthCaps({ maxVmNameLength: -5, maxOtherLength: -5 }, kindRegistry),
    ).toStrictEqual({ ...unsaid, belowZero: { maxVmNameLength: -5 } });
    expect(decodeAccountLimits({ maxSshKeysPerProject: -1 }, kindRegistry)).toMatchObject({
      maxSshKeysPerProject: null,
    });
    expect(() => decodeNameLengthCaps([], kindRegistry)).toThrow(
      'a list instead of the name lengths',
    );
  });
});
