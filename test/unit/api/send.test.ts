import { expect, test } from 'vitest';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import { connect, json, type Reply } from './fake-service.ts';

const createNetwork: ResolvedCommand = { kind: 'createNetwork', project: 'p1', name: 'lan' };
const createIp: ResolvedCommand = { kind: 'createPublicIp', project: 'p1' };
const rename: ResolvedCommand = { kind: 'renameVm', project: 'p1', vm: 'v1', name: 'web' };
const attach: ResolvedCommand = { kind: 'attachVm', project: 'p1', vm: 'v1', network: 'n1' };
const remove: ResolvedCommand = { kind: 'deleteVm', project: 'p1', vm: 'v1' };
const forward: ResolvedCommand = {
  kind: 'createPortForward',
  project: 'p1',
  publicIp: 'ip1',
  protocol: 'tcp',
  publicPort: 80,
  vm: 'v1',
  vmPort: 80,
};
const empty = (status: number) => new Response(null, { status });
const accepted = { kind: 'accepted' };
const done = { kind: 'done' };

test.each<[string, ResolvedCommand, Reply, object]>([
  ['202', createNetwork, json({ commandId: 'c' }, 202), accepted],
  ['202 without a body', createNetwork, empty(202), accepted],
  ['202 with a record of something', createNetwork, json({ id: 'o', name: 'lan' }, 202), accepted],
  [
    '201 with the resource',
    createNetwork,
    json({ id: 'n1', name: 'lan', status: 'creating' }, 201),
    {
      kind: 'done',
      resource: { kind: 'network', id: 'n1', projectId: 'p1', status: 'creating' },
    },
  ],
  [
    '201 with a record of another name',
    createNetwork,
    json({ id: 'n1', name: 'x' }, 201),
    accepted,
  ],
  [
    '201 with a command',
    createNetwork,
    json({ commandId: 'c', id: 'n', name: 'lan' }, 201),
    accepted,
  ],
  ['201 without a body', createNetwork, empty(201), accepted],
  ['204 to a create', createNetwork, empty(204), accepted],
  [
    '201 to a create without a name',
    createIp,
    json({ id: 'ip1', status: 'active' }, 201),
    { kind: 'done', resource: { kind: 'publicIp', id: 'ip1' } },
  ],
  ['201 with an operation', createIp, json({ id: 'o1', resourceId: 'ip1' }, 201), accepted],
  [
    '201 with a forward',
    forward,
    json({ id: 'f1', publicPort: 80 }, 201),
    { kind: 'done', resource: { kind: 'portForward', id: 'f1', publicIpId: 'ip1' } },
  ],
  [
    '201 with a project',
    { kind: 'createProject', name: 'shop' },
    json({ id: 'p9', name: 'shop' }, 201),
    { kind: 'done', resource: { kind: 'project', id: 'p9', projectId: 'p9', name: 'shop' } },
  ],
  [
    '200 with the changed resource',
    rename,
    json({ id: 'v1', name: 'web' }),
    { kind: 'done', resource: { kind: 'vm', id: 'v1', name: 'web' } },
  ],
  ['202 to a rename', rename, json({ commandId: 'c' }, 202), accepted],
  ['200 with a command', rename, json({ commandId: 'c' }), accepted],
  ['200 with an attachment', attach, json({ id: 'a1', vmId: 'v1' }), done],
  ['204 to a delete', remove, empty(204), done],
  ['200 with what was deleted', remove, json({ id: 'v1', name: 'web' }), done],
  ['202 to a delete', remove, json({ commandId: 'c' }, 202), accepted],
  ['200 with null', remove, json(null), done],
])('what the service says to a command: %s', async (_, command, reply, expected) => {
  const { client } = connect(() => reply);
  const said = await client.send(command);
  expect(said).toMatchObject(expected);
  expect('resource' in said).toBe('resource' in expected);
});

test('preferences that are not to change go along as they stand when it is sent', async () => {
  const { client, seen } = connect(() => json({ quotaLow: true, unheardOf: false }));
  const sent = await client.send({
    kind: 'updateNotificationPreferences',
    account: 'account',
    preferences: { quotaLow: false },
  });
  expect(sent).toEqual({ kind: 'done' });
  expect(seen.map(({ method, body }) => [method, body])).toEqual([
    ['GET', undefined],
    ['PUT', { quotaLow: false, unheardOf: false }],
  ]);
});
