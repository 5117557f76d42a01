import { updateEffect, deleteEffect } from '../rules/effects.ts';
import type { Handlers } from './handler.ts';
import { findProject, findPublicIp } from '../rules/lookups.ts';
import { startOperation } from '../rules/operations.ts';
import { showPage } from './paging.ts';
import { conflict } from '../contract/problems.ts';
import { bookPublicIp } from '../rules/public-addresses.ts';
import { claimQuota } from '../rules/quotas.ts';
import { showAccepted, showPublicIp } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';

/** Public IPs: allocated and released asynchronously; one that is in use is not released. */
export const publicIpHandlers = {
  listPublicIps: (call) => {
    const { id } = findProject(call, call.params.projectId);
    return showPage(call, call.query, call.store.tally(id, 'publicIps'), (limit, offset) =>
      call.store
        .select(
          tables.publicIps,
          'WHERE projectId = ? ORDER BY seq LIMIT ? OFFSET ?',
          id,
          limit,
          offset,
        )
        .map(showPublicIp),
    );
  },

  createPublicIp: (call) => {
    const { id: projectId } = findProject(call, call.params.projectId);
    claimQuota(call, { publicIps: 1 });
    const id = bookPublicIp(call, projectId, null);
    const operation = startOperation(call, {
      type: 'AllocatePublicIp',
      projectId,
      resourceType: 'publicIp',
      resourceId: id,
      success: [updateEffect('publicIps', { id }, { status: 'active' })],
      failure: [updateEffect('publicIps', { id }, { status: 'failed' })],
    });
    return showAccepted(operation);
  },

  getPublicIp: (call) =>
    showPublicIp(findPublicIp(call, call.params.projectId, call.params.publicIpId)),

  deletePublicIp: (call) => {
    const { store } = call;
    const { projectId, publicIpId } = call.params;
    const { id, status, vmId, saleId } = findPublicIp(call, projectId, publicIpId);
    if (status !== 'active' && status !== 'failed')
      throw conflict(`The public IP ${id} is ${status}.`);
    if (vmId !== null) throw conflict(`The public IP ${id} is held by the VM ${vmId}.`);
    const forwards = store.count(tables.portForwards, 'WHERE publicIpId = ?', id);
    if (forwards > 0) throw conflict(`The public IP ${id} has port forwards (${forwards}).`);
    store.update(tables.publicIps, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'ReleasePublicIp',
      projectId,
      resourceType: 'publicIp',
      resourceId: id,
      success: [deleteEffect('publicIps', { id }), deleteEffect('sales', { id: saleId })],
      failure: [updateEffect('publicIps', { id }, { status })],
    });
    return showAccepted(operation);
  },
} satisfies Partial<Handlers>;
