import { parse } from 'yaml';
import { expect, test } from 'vitest';
import type { ResolvedCommand } from '../../../src/model/account/command.ts';
import { connect, json } from './fake-service.ts';
import { readRows } from '../../support/read-rows.ts';

const inProject = { project: 'p1' };
const commands: Readonly<Record<string, ResolvedCommand>> = {
  project: { kind: 'createProject', name: 'shop' },
  network: { kind: 'createNetwork', ...inProject, name: 'lan' },
  ip: { kind: 'createPublicIp', ...inProject },
  rename: { kind: 'renameVm', ...inProject, vm: 'v1', name: 'web' },
  attach: { kind: 'attachVm', ...inProject, vm: 'v1', network: 'n1' },
  remove: { kind: 'deleteVm', ...inProject, vm: 'v1' },
  forward: {
    ...{ kind: 'createPortForward', ...inProject, publicIp: 'ip1' },
    ...{ protocol: 'tcp', publicPort: 80, vm: 'v1', vmPort: 80 },
  },
};

test.each(
  readRows(`
  202 | network | { commandId: c } | accepted
  202 without a body | network |  | accepted
  202 with a record of something | network | { id: o, name: lan } | accepted
  201 with the resource | network | { id: n1, name: lan, status: creating } | { kind: network, id: n1, projectId: p1, status: creating }
  201 with a record of another name | network | { id: n1, name: x } | accepted
  201 with a command | network | { commandId: c, id: n, name: lan } | accepted
  201 without a body | network |  | accepted
  204 to a create | network |  | accepted
  201 to a create without a name | ip | { id: ip1, status: active } | { kind: publicIp, id: ip1 }
  201 with an operation record of our words | ip | { id: o1, type: Provision, status: Queued } | accepted
  201 with an operation by its type alone | ip | { id: o1, type: ALLOCATEPUBLICIP } | accepted
  201 with an operation by its status alone | forward | { id: o1, status: inProgress } | accepted
  201 with an operation by its id | ip | { id: o1, operationId: o1 } | accepted
  201 with a resource without an operation | ip | { id: ip1, operationId: null } | { kind: publicIp, id: ip1 }
  201 with a failed resource | ip | { id: ip1, status: failed } | { kind: publicIp, id: ip1, status: failed }
  201 with an operation | ip | { id: o1, resourceId: ip1 } | accepted
  201 with a forward | forward | { id: f1, publicPort: 80 } | { kind: portForward, id: f1, publicIpId: ip1 }
  201 with a project | project | { id: p9, name: shop } | { kind: project, id: p9, projectId: p9, name: shop }
  200 with the changed resource | rename | { id: v1, name: web } | { kind: vm, id: v1, name: web }
  202 to a rename | rename | { commandId: c } | accepted
  200 with a command | rename | { commandId: c } | accepted
  200 with an attachment | attach | { id: a1, vmId: v1 } | done
  204 to a delete | remove |  | done
  200 with what was deleted | remove | { id: v1, name: web } | done
  202 to a delete | remove | { commandId: c } | accepted
  200 with null | remove | null | done
`),
)('what the service says to a command: %s', async (what, command, body, expected) => {
  const status = Number(what.slice(0, 3));
  const { client } = connect(() =>
    body === '' ? new Response(null, { status }) : json(parse(body), status),
  );
  const said = await client.send(commands[command]!);
  const resource: unknown = parse(expected);
  if (typeof resource === 'string') expect(said).toEqual({ kind: resource });
  else expect(said).toMatchObject({ kind: 'done', resource });
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
