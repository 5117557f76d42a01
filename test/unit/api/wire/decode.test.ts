import { describe, expect, test } from 'vitest';
import {
  decodeConfiguration,
  decodeImage,
  decodeOperation,
  decodeTariff,
} from '../../../../src/api/wire/decode.ts';
import { decodeLimits, decodeNameLengths } from '../../../../src/api/wire/decode-limits.ts';
import { kinds } from '../../../../src/kinds/registry.ts';

const at = '2026-11-21T10:00:00Z';

test.each<[string, unknown, object]>([
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
    decodeImage({ id: 'i1', name: 'Debian', os: 'linux' }),
    { id: 'i1', name: 'Debian', os: 'linux' },
  ],
  [
    'tariff',
    decodeTariff({ id: 't1', name: 'monthly', price: 5, currency: 'EUR', period: 'month' }),
    {
      ...{ id: 't1', name: 'monthly' },
      price: { amount: '5.00', currency: 'EUR', period: 'month' },
    },
  ],
  [
    'tariff without a price that can be read',
    decodeTariff({ id: 't1', name: 'monthly', price: null, currency: 'EUR', period: 'month' }),
    { id: 't1', name: 'monthly' },
  ],
])('a whole record: %s', (_, decoded, expected) => expect(decoded).toStrictEqual(expected));

test.each<[string, unknown, object]>([
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
])('a record of its id alone: %s', (_, decoded, expected) =>
  expect(decoded).toMatchObject({ id: 'x', ...expected }),
);

test('a time that is none counts as missing', () =>
  expect(decodeOperation({ id: 'o', createdAt: 'yesterday' }).createdAt).toBeNull());

describe('limits', () => {
  const quota = { limit: 5, used: 2, remaining: 3 };

  test('as the contract has them', () => {
    const vmResources = { cpu: quota, ram: quota, disk: quota };
    const all = { projects: quota, accessTokens: quota, networks: quota, publicIps: quota };
    expect(decodeLimits({ ...all, vmResources, maxSshKeysPerProject: 10 }, kinds)).toStrictEqual({
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
    expect(decodeLimits(wire, kinds)).toStrictEqual({ quotas, maxSshKeysPerProject: null });
  });

  test('of something else are refused', () => {
    const wire = { type: 'about:blank' };
    expect(() => decodeLimits(wire, kinds)).toThrow('an object without any limit');
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
    expect(
      decodeNameLengths({ maxVmNameLength: 64, maxSshKeyPublicKeyLength: '?' }, kinds),
    ).toStrictEqual({ ...unsaid, vm: 64 });
    expect(() => decodeNameLengths([], kinds)).toThrow('a list instead of the name lengths');
  });
});
