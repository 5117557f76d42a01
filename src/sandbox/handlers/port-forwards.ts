import type { WirePortProtocol } from '../../api/contract/types.ts';
import { makeUpdateEffect, makeDeleteEffect } from '../rules/effects.ts';
import type { SandboxHandlers } from './handler.ts';
import { createSandboxId } from '../store/ids.ts';
import { findPortForwardRow, findPublicIpRow, requireActiveResource } from '../rules/lookups.ts';
import { startOperation } from '../rules/operations.ts';
import { createConflictRefusal, createInvalidRequestRefusal } from '../contract/problems.ts';
import {
  representAcceptedCommand,
  representPortForward,
} from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** The VM that traffic is to go to: of this project, and active. */
function requireTarget(world: SandboxContext, projectId: string, vmId: string): void {
  const vm = world.store.first(sandboxTables.vms, { id: vmId, projectId });
  if (!vm) throw createInvalidRequestRefusal({ vmId: ['There is no such VM in this project.'] });
  requireActiveResource('VM', vm);
}

/** A port of one protocol leads to one place; a running update holds the old and the new one. */
function requireFreePort(
  { store }: SandboxContext,
  publicIpId: string,
  protocol: WirePortProtocol,
  port: number,
  ownId = '',
): void {
  const clause =
    'WHERE publicIpId = ? AND protocol = ? AND (publicPort = ? OR reservedPort = ?) AND id <> ? LIMIT 1';
  const holder = store.select(
    sandboxTables.portForwards,
    clause,
    publicIpId,
    protocol,
    port,
    port,
    ownId,
  )[0];
  if (holder)
    throw createConflictRefusal(
      `The port ${port}/${protocol} is taken by the port forward ${holder.id}.`,
    );
}

/** Port forwards of a public IP. They outlive the VM that they point at. */
export const portForwardHandlers = {
  listPortForwards: (call) => {
    const { id } = findPublicIpRow(call, call.params.projectId, call.params.publicIpId);
    return call.store
      .select(sandboxTables.portForwards, 'WHERE publicIpId = ? ORDER BY seq', id)
      .map(representPortForward);
  },

  createPortForward: (call) => {
    const { store, rules, now, body } = call;
    const { projectId, publicIpId } = call.params;
    const publicIp = findPublicIpRow(call, projectId, publicIpId);
    requireActiveResource('public IP', publicIp);
    requireTarget(call, projectId, body.vmId);
    requireFreePort(call, publicIpId, body.protocol, body.publicPort);
    const id = createSandboxId(store, rules.seed, 'portForward');
    store.insert(sandboxTables.portForwards, {
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
      success: [makeUpdateEffect('portForwards', { id }, { status: 'active' })],
      failure: [makeUpdateEffect('portForwards', { id }, { status: 'failed' })],
    });
    return representAcceptedCommand(operation);
  },

  getPortForward: (call) => {
    const { projectId, publicIpId, portForwardId } = call.params;
    return representPortForward(findPortForwardRow(call, projectId, publicIpId, portForwardId));
  },

  updatePortForward: (call) => {
    const { projectId, publicIpId, portForwardId } = call.params;
    const forward = findPortForwardRow(call, projectId, publicIpId, portForwardId);
    const { id, protocol } = forward;
    const { publicPort, vmId, vmPort } = { ...forward, ...call.body };
    requireActiveResource('port forward', forward);
    if (vmId !== forward.vmId) requireTarget(call, projectId, vmId);
    requireFreePort(call, publicIpId, protocol, publicPort, id);
    call.store.update(
      sandboxTables.portForwards,
      { id },
      { status: 'updating', reservedPort: publicPort },
    );
    const settled = { status: 'active', reservedPort: null };
    const operation = startOperation(call, {
      type: 'UpdatePortForward',
      projectId,
      resourceType: 'portForward',
      resourceId: id,
      success: [makeUpdateEffect('portForwards', { id }, { ...settled, publicPort, vmId, vmPort })],
      failure: [makeUpdateEffect('portForwards', { id }, settled)],
    });
    return representAcceptedCommand(operation);
  },

  deletePortForward: (call) => {
    const { projectId, publicIpId, portForwardId } = call.params;
    const { id, status } = findPortForwardRow(call, projectId, publicIpId, portForwardId);
    if (status !== 'active' && status !== 'failed')
      throw createConflictRefusal(`The port forward ${id} is ${status}.`);
    call.store.update(sandboxTables.portForwards, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'DeletePortForward',
      projectId,
      resourceType: 'portForward',
      resourceId: id,
      success: [makeDeleteEffect('portForwards', { id })],
      failure: [makeUpdateEffect('portForwards', { id }, { status })],
    });
    return representAcceptedCommand(operation);
  },
} satisfies Partial<SandboxHandlers>;
