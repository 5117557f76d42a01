import { expect, test } from 'vitest';
import type { CommandName, ResolvedCommand } from '../../../../src/model/account/command.ts';
import { encodeCommand } from '../../../../src/api/wire/encode.ts';
import { kindRegistry } from '../../../../src/kinds/registry.ts';
import { prepareRequest } from '../../../../src/api/transport/request.ts';

const project = 'p 1';
const vm = 'v1';
const newVm = {
  kind: 'createVm',
  project,
  name: 'web',
  imageId: 'i1',
  configurationId: 'c1',
  tariffId: 't1',
  sshKeys: ['k1', 'k2'],
  plugins: ['docker'],
} as const;
const vmBody = {
  name: 'web',
  imageId: 'i1',
  configurationId: 'c1',
  tariffId: 't1',
  sshKeyIds: ['k1', 'k2'],
  plugins: ['docker'],
};

const cases: [ResolvedCommand, string, unknown?][] = [
  [{ kind: 'createProject', name: 'shop' }, 'POST /projects', { name: 'shop' }],
  [{ kind: 'renameProject', project, name: 'x' }, 'PATCH /projects/p%201/rename', { name: 'x' }],
  [{ kind: 'deleteProject', project }, 'DELETE /projects/p%201'],
  [
    { kind: 'createSshKey', project, name: 'me', publicKey: 'ssh-rsa A' },
    'POST /projects/p%201/ssh-keys',
    { name: 'me', publicKey: 'ssh-rsa A' },
  ],
  [
    { kind: 'renameSshKey', project, sshKey: 'k1', name: 'x' },
    'PATCH /projects/p%201/ssh-keys/k1/rename',
    { name: 'x' },
  ],
  [{ kind: 'deleteSshKey', project, sshKey: 'k1' }, 'DELETE /projects/p%201/ssh-keys/k1'],
  [
    { kind: 'createNetwork', project, name: 'lan' },
    'POST /projects/p%201/networks',
    { name: 'lan' },
  ],
  [
    { kind: 'renameNetwork', project, network: 'n/1', name: 'x' },
    'PATCH /projects/p%201/networks/n%2F1/rename',
    { name: 'x' },
  ],
  [{ kind: 'deleteNetwork', project, network: 'n1' }, 'DELETE /projects/p%201/networks/n1'],
  [{ kind: 'createPublicIp', project }, 'POST /projects/p%201/public-ips'],
  [{ kind: 'deletePublicIp', project, publicIp: 'ip1' }, 'DELETE /projects/p%201/public-ips/ip1'],
  [
    {
      kind: 'createPortForward',
      project,
      publicIp: 'ip1',
      protocol: 'udp',
      publicPort: 53,
      vm,
      vmPort: 5353,
    },
    'POST /projects/p%201/public-ips/ip1/port-forwards',
    { protocol: 'udp', publicPort: 53, vmId: 'v1', vmPort: 5353 },
  ],
  [
    {
      kind: 'updatePortForward',
      project,
      publicIp: 'ip1',
      portForward: 'f1',
      publicPort: 53,
      vm,
      vmPort: 53,
    },
    'PATCH /projects/p%201/public-ips/ip1/port-forwards/f1',
    { publicPort: 53, vmId: 'v1', vmPort: 53 },
  ],
  [
    { kind: 'deletePortForward', project, publicIp: 'ip1', portForward: 'f1' },
    'DELETE /projects/p%201/public-ips/ip1/port-forwards/f1',
  ],
  [{ ...newVm, publicIp: 'new' }, 'POST /projects/p%201/vms', { ...vmBody, publicIpMode: 'new' }],
  [{ ...newVm, publicIp: 'none' }, 'POST /projects/p%201/vms', { ...vmBody, publicIpMode: 'none' }],
  [
    { ...newVm, publicIp: 'ip1' },
    'POST /projects/p%201/vms',
    { ...vmBody, publicIpMode: 'existing', publicIpId: 'ip1' },
  ],
  [
    { kind: 'renameVm', project, vm, name: 'x' },
    'PATCH /projects/p%201/vms/v1/rename',
    { name: 'x' },
  ],
  [{ kind: 'startVm', project, vm }, 'POST /projects/p%201/vms/v1/start'],
  [{ kind: 'stopVm', project, vm }, 'POST /projects/p%201/vms/v1/stop'],
  [{ kind: 'rebootVm', project, vm }, 'POST /projects/p%201/vms/v1/reboot'],
  [{ kind: 'createBackup', project, vm }, 'POST /projects/p%201/vms/v1/backups'],
  [
    { kind: 'restoreBackup', project, vm, backup: 'b1' },
    'POST /projects/p%201/vms/v1/backups/b1/restore',
  ],
  [
    { kind: 'rebuildVm', project, vm, imageId: 'i2', sshKeys: ['k1'], deleteBackups: true },
    'POST /projects/p%201/vms/v1/rebuild',
    { imageId: 'i2', sshKeyIds: ['k1'], deleteBackups: true },
  ],
  [
    { kind: 'attachVm', project, vm, network: 'n1' },
    'POST /projects/p%201/networks/n1/vms',
    { vmId: 'v1' },
  ],
  [{ kind: 'detachVm', project, vm, network: 'n1' }, 'DELETE /projects/p%201/networks/n1/vms/v1'],
  [{ kind: 'deleteVm', project, vm }, 'DELETE /projects/p%201/vms/v1'],
  [
    { kind: 'createToken', name: 'ci', scopes: ['read'], expiresAt: null, expiresIn: '90d' },
    'POST /tokens',
    { name: 'ci', scopes: ['read'] },
  ],
  [
    {
      kind: 'createToken',
      name: 'ci',
      scopes: ['read'],
      expiresAt: '2027-01-01T01:00:00+01:00',
      expiresIn: null,
    },
    'POST /tokens',
    { name: 'ci', scopes: ['read'], expiresAt: '2027-01-01T00:00:00.000Z' },
  ],
  [
    { kind: 'renameToken', accessToken: 't/1', name: 'x' },
    'PATCH /tokens/t%2F1/rename',
    { name: 'x' },
  ],
  [{ kind: 'deleteToken', accessToken: 't1' }, 'DELETE /tokens/t1'],
  [
    { kind: 'updateAccountLocale', account: 'account', locale: 'fr' },
    'PUT /account/locale',
    { locale: 'fr' },
  ],
  [
    { kind: 'updateNotificationPreferences', account: 'account', preferences: { a: true } },
    'PUT /notifications/preferences',
    { a: true },
  ],
];

test.each(cases)('%j', (command, expected, body) => {
  const request = encodeCommand(kindRegistry, command);
  const { method, url } = prepareRequest({ baseUrl: 'https://x/v1' }, request);
  expect(`${method} ${url.slice('https://x/v1'.length)}`).toBe(expected);
  expect(request.body).toEqual(body);
});

test('every command is among them', () => {
  const names = new Set<CommandName>(cases.map(([command]) => command.kind));
  expect(names.size).toBe(30);
});

test.each(['', '.', '..'])('an id %j that would change the path is refused', (id) => {
  const request = encodeCommand(kindRegistry, { kind: 'deleteVm', project: 'p1', vm: id });
  expect(() => prepareRequest({ baseUrl: 'https://x/v1' }, request)).toThrow('cannot be vmId');
});

test('a query is escaped, and a slash behind the base address is one', () => {
  const { url } = prepareRequest(
    { baseUrl: 'https://x/v1/' },
    {
      operation: 'listOperations',
      params: { projectId: 'p' },
      query: { resourceId: 'a&b', page: 2 },
    },
  );
  expect(url).toBe('https://x/v1/projects/p/operations?resourceId=a%26b&page=2');
});
