import { describe, expect, test } from 'vitest';
import { accessTokenWireFormat } from '../../../src/kinds/access-token/wire.ts';
import { accountWireFormat } from '../../../src/kinds/account/wire.ts';
import { networkWireFormat } from '../../../src/kinds/network/wire.ts';
import { portForwardWireFormat } from '../../../src/kinds/port-forward/wire.ts';
import { projectWireFormat } from '../../../src/kinds/project/wire.ts';
import { publicIpWireFormat } from '../../../src/kinds/public-ip/wire.ts';
import { sshKeyWireFormat } from '../../../src/kinds/ssh-key/wire.ts';
import { vmWireFormat } from '../../../src/kinds/vm/wire.ts';

const place = { projectId: 'p1', publicIpId: 'ip1' };
const at = '2026-11-21T10:00:00Z';

const network = { id: 'n1', name: 'lan', status: 'active', cidr: '10.0.0.0/24' };
const ip = { id: 'ip1', status: 'active', address: '203.0.113.9', vmId: 'v1' };
const key = { id: 'k1', name: 'me', publicKey: 'ssh-ed25519 A', fingerprint: 'f' };
const forward = {
  ...{ id: 'f1', status: 'creating', protocol: 'tcp' },
  ...{ publicPort: 443, vmId: 'v1', vmPort: 8443 },
};
const vm = {
  ...{ id: 'v1', name: 'web', status: 'active', bootStatus: 'Running' },
  ...{ operation: 'CreateBackup', operationStatus: 'InProgress' },
  ...{ configurationId: 'c1', imageId: 'i1', tariffId: 't1', cpu: 2, ram: 4, disk: 40 },
  networks: [{ networkId: 'n1', internalIp: '10.0.0.2' }],
  ...{ publicIpId: 'ip1', sshKeyIds: ['k1'], plugins: ['docker'] },
};
const isNew = { somethingNew: { deep: true } };

test.each<[object, unknown]>([
  [
    { kind: 'sshKey', projectId: 'p1', ...key },
    sshKeyWireFormat.decode({ ...key, ...isNew }, place),
  ],
  [{ kind: 'network', projectId: 'p1', ...network }, networkWireFormat.decode(network, place)],
  [{ kind: 'publicIp', projectId: 'p1', ...ip }, publicIpWireFormat.decode(ip, place)],
  [{ kind: 'portForward', ...place, ...forward }, portForwardWireFormat.decode(forward, place)],
  [
    { kind: 'vm', projectId: 'p1', ...vm },
    vmWireFormat.decode({ ...vm, saleId: 's1', ...isNew }, place),
  ],
  [
    { kind: 'project', id: 'p1', projectId: 'p1', name: 'shop', createdAt: Date.parse(at) },
    projectWireFormat.decode({ id: 'p1', name: 'shop', vmCount: 2, createdAt: at }, place),
  ],
])('a whole record: %j', (expected, decoded) => expect(decoded).toStrictEqual(expected));

/** Decoded records of nothing but an id; what is no part of the account's own answer is told all the same. */
const thin: readonly [string, object, object][] = [
  ['project', projectWireFormat.decode({ id: 'x' }, place), { kind: 'project', projectId: 'x' }],
  ['SSH key', sshKeyWireFormat.decode({ id: 'x' }, place), { kind: 'sshKey' }],
  ['network', networkWireFormat.decode({ id: 'x' }, place), { kind: 'network' }],
  ['public IP', publicIpWireFormat.decode({ id: 'x' }, place), { kind: 'publicIp' }],
  [
    'port forward',
    portForwardWireFormat.decode({ id: 'x' }, { projectId: 'p1' }),
    { kind: 'portForward', status: 'active', publicIpId: '' },
  ],
  [
    'VM',
    vmWireFormat.decode({ id: 'x' }, place),
    { kind: 'vm', operation: null, operationStatus: null },
  ],
  [
    'access token',
    accessTokenWireFormat.decode({ id: 'x' }, place),
    { kind: 'accessToken', projectId: 'account', createdAt: null, lastUsedAt: null },
  ],
];

test.each(thin)('a record of its id alone: %s: all else is untold', (_, decoded, told) => {
  // Untold fields are there, so that nobody takes them for fields that a kind does not have.
  expect(Object.values(decoded)).toContain(undefined);
  expect(decoded).toEqual({ id: 'x', projectId: 'p1', ...told });
});

describe('what is odd', () => {
  test('values that are not published stay as they came', () => {
    expect(
      vmWireFormat.decode(
        { id: 'v', status: 'Hibernating', operation: 'Migrate', bootStatus: 'Paused' },
        place,
      ),
    ).toMatchObject({ status: 'Hibernating', operation: 'Migrate', bootStatus: 'Paused' });
  });

  test('numeric ids are ids', () => {
    expect(
      vmWireFormat.decode({ id: 7, publicIpId: 8, networks: [{ networkId: 9 }] }, place),
    ).toMatchObject({
      id: '7',
      publicIpId: '8',
      networks: [{ networkId: '9', internalIp: undefined }],
    });
  });

  test('fields of another type count as missing', () => {
    const decoded = vmWireFormat.decode(
      {
        id: 'v',
        name: 5,
        cpu: '2 cores',
        disk: '20',
        ram: Number.NaN,
        networks: ['n1', {}, null, { networkId: '' }],
        sshKeyIds: ['k', {}],
        plugins: {},
        publicIpId: '',
      },
      place,
    );
    const lists = { networks: undefined, sshKeyIds: undefined, plugins: undefined };
    expect(decoded).toMatchObject({ name: undefined, cpu: undefined, ram: undefined, ...lists });
    // A whole number may come as its text.
    expect(decoded).toMatchObject({ disk: 20 });
    // The contract has it as none.
    expect(decoded).toMatchObject({ publicIpId: null });
  });

  test.each<[unknown, string]>([
    [null, 'nothing instead of a VM'],
    [undefined, 'nothing instead of a VM'],
    [[], 'a list instead of a VM'],
    ['v1', 'a string instead of a VM'],
    [{}, 'a VM without an id'],
    [{ id: '' }, 'a VM without an id'],
    [{ id: {} }, 'a VM without an id'],
  ])('%j is no VM', (wire, message) =>
    expect(() => vmWireFormat.decode(wire, place)).toThrow(message),
  );
});

test('preferences that a command does not name go along as they stand', () => {
  const command = { account: 'account', preferences: { news: false } };
  const completion = accountWireFormat.complete?.({
    kind: 'updateNotificationPreferences',
    ...command,
  });
  expect(completion?.decode({ news: true, bills: true, since: '2026' })).toMatchObject({
    preferences: { news: false, bills: true },
  });
});
