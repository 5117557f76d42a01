import type { WirePortProtocol } from '../../api/contract/types.ts';
import { updateEffect, deleteEffect } from '../rules/effects.ts';
import type { Handlers } from './handler.ts';
import { nextId } from '../store/ids.ts';
import { findPortForward, findPublicIp, requireActive } from '../rules/lookups.ts';
import { startOperation } from '../rules/operations.ts';
import { conflict, invalidRequest } from '../contract/problems.ts';
import { showAccepted, showPortForward } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';
import type { SandboxWorld } from '../store/world.ts';

/** The VM that traffic is to go to: of this project, and active. */
function requireTarget(world: SandboxWorld, projectId: string, vmId: string): void {
  const vm = world.store.first(tables.vms, { id: vmId, projectId });
  if (!vm) throw invalidRequest({ vmId: ['There is no such VM in this project.'] });
  requireActive('VM', vm);
}

/** A port of one protocol leads to one place; a running update holds the old and the new one. */
function requireFreePort(
  { store }: SandboxWorld,
  publicIpId: string,
  protocol: WirePortProtocol,
  port: number,
  ownId = '',
): void {
  const clause =
    'WHERE publicIpId = ? AND protocol = ? AND (publicPort = ? OR reservedPort = ?) AND id <> ? LIMIT 1';
  const holder = store.select(
    tables.portForwards,
    clause,
    publicIpId,
    protocol,
    port,
    port,
    ownId,
  )[0];
  if (holder)
    throw conflict(`The port ${port}/${protocol} is taken by the port forward ${holder.id}.`);
}

/** Port forwards of a public IP. They outlive the VM that they point at. */
export const portForwardHandlers = {
  listPortForwards: (call) => {
    const { id } = findPublicIp(call, call.params.projectId, call.params.publicIpId);
    return call.store
      .select(tables.portForwards, 'WHERE publicIpId = ? ORDER BY seq', id)
      .map(showPortForward);
  },

  createPortForward: (call) => {
    const { store, rules, now, body } = call;
    const { projectId, publicIpId } = call.params;
    const publicIp = findPublicIp(call, projectId, publicIpId);
    requireActive('public IP', publicIp);
    requireTarget(call, projectId, body.vmId);
    requireFreePort(call, publicIpId, body.protocol, body.publicPort);
    const id = nextId(store, rules.seed, 'portForward');
    store.insert(tables.portForwards, {
      id,
      projectId,
      publicIpId,
      status: 'creating',
      protocol: body.protocol,
      publicPort: body.publicPort,
      reservedPort: null,
      vmId: body.vmId,
      vmPort: body.vmPort,
      createdAt: now,
    });
    const operation = startOperation(call, {
      type: 'CreatePortForward',
      projectId,
      resourceType: 'portForward',
      resourceId: id,
      success: [updateEffect('portForwards', { id }, { status: 'active' })],
      failure: [updateEffect('portForwards', { id }, { status: 'failed' })],
    });
    return showAccepted(operation);
  },

  getPortForward: (call) => {
    const { projectId, publicIpId, portForwardId } = call.params;
    return showPortForward(findPortForward(call, projectId, publicIpId, portForwardId));
  },

  updatePortForward: (call) => {
    const { projectId, publicIpId, portForwardId } = call.params;
    const forward = findPortForward(call, projectId, publicIpId, portForwardId);
    const { id, protocol } = forward;
    const { publicPort, vmId, vmPort } = { ...forward, ...call.body };
    requireActive('port forward', forward);
    if (vmId !== forward.vmId) requireTarget(call, projectId, vmId);
    requireFreePort(call, publicIpId, protocol, publicPort, id);
    call.store.update(
      tables.portForwards,
      { id },
      { status: 'updating', reservedPort: publicPort },
    );
    const settled = { status: 'active', reservedPort: null };
    const operation = startOperation(call, {
      type: 'UpdatePortForward',
      projectId,
      resourceType: 'portForward',
      resourceId: id,
      success: [updateEffect('portForwards', { id }, { ...settled, publicPort, vmId, vmPort })],
      failure: [updateEffect('portForwards', { id }, settled)],
    });
    return showAccepted(operation);
  },

  deletePortForward: (call) => {
    const { projectId, publicIpId, portForwardId } = call.params;
    const { id, status } = findPortForward(call, projectId, publicIpId, portForwardId);
    if (status !== 'active' && status !== 'failed')
      throw conflict(`The port forward ${id} is ${status}.`);
    call.store.update(tables.portForwards, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'DeletePortForward',
      projectId,
      resourceType: 'portForward',
      resourceId: id,
      success: [deleteEffect('portForwards', { id })],
      failure: [updateEffect('portForwards', { id }, { status })],
    });
    return showAccepted(operation);
  },
} satisfies Partial<Handlers>;
