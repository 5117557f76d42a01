import { makeUpdateEffect, makeDeleteEffect } from '../rules/effects.ts';
import type { SandboxHandlers } from './handler.ts';
import { findProjectRow, findPublicIpRow } from '../rules/lookups.ts';
import { startOperation } from '../rules/operations.ts';
import { representListPage } from './paging.ts';
import { createConflictRefusal } from '../contract/problems.ts';
import { reservePublicIp } from '../rules/public-addresses.ts';
import { claimQuota } from '../rules/quotas.ts';
import { representAcceptedCommand, representPublicIp } from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';

/** Public IPs: allocated and released asynchronously; one that is in use is not released. */
export const publicIpHandlers = {
  listPublicIps: (call) => {
    const { id } = findProjectRow(call, call.params.projectId);
    return representListPage(call, call.query, call.store.tally(id, 'publicIps'), (limit, offset) =>
      call.store
        .select(
          sandboxTables.publicIps,
          'WHERE projectId = ? ORDER BY seq LIMIT ? OFFSET ?',
          id,
          limit,
          offset,
        )
        .map(representPublicIp),
    );
  },

  createPublicIp: (call) => {
    const { id: projectId } = findProjectRow(call, call.params.projectId);
    claimQuota(call, { publicIps: 1 });
    const id = reservePublicIp(call, projectId, null);
    const operation = startOperation(call, {
      type: 'AllocatePublicIp',
      projectId,
      resourceType: 'publicIp',
      resourceId: id,
      success: [makeUpdateEffect('publicIps', { id }, { status: 'active' })],
      failure: [makeUpdateEffect('publicIps', { id }, { status: 'failed' })],
    });
    return representAcceptedCommand(operation);
  },

  getPublicIp: (call) =>
    representPublicIp(findPublicIpRow(call, call.params.projectId, call.params.publicIpId)),

  deletePublicIp: (call) => {
    const { store } = call;
    const { projectId, publicIpId } = call.params;
    const { id, status, vmId, saleId } = findPublicIpRow(call, projectId, publicIpId);
    if (status !== 'active' && status !== 'failed')
      throw createConflictRefusal(`The public IP ${id} is ${status}.`);
    if (vmId !== null)
      throw createConflictRefusal(`The public IP ${id} is held by the VM ${vmId}.`);
    const forwards = store.count(sandboxTables.portForwards, 'WHERE publicIpId = ?', id);
    if (forwards > 0)
      throw createConflictRefusal(`The public IP ${id} has port forwards (${forwards}).`);
    store.update(sandboxTables.publicIps, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'ReleasePublicIp',
      projectId,
      resourceType: 'publicIp',
      resourceId: id,
      success: [makeDeleteEffect('publicIps', { id }), makeDeleteEffect('sales', { id: saleId })],
      failure: [makeUpdateEffect('publicIps', { id }, { status })],
    });
    return representAcceptedCommand(operation);
  },
} satisfies Partial<SandboxHandlers>;
