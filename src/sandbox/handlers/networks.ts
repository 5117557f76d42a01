import { makeUpdateEffect, makeDeleteEffect } from '../rules/effects.ts';
import type { SandboxHandlers } from './handler.ts';
import { createSandboxId } from '../store/ids.ts';
import { findNetworkRow, findProjectRow } from '../rules/lookups.ts';
import { requireFreeName, requireValidName } from '../rules/names.ts';
import { chooseNextNetworkCidr } from '../rules/networks.ts';
import { startOperation } from '../rules/operations.ts';
import { representListPage } from './paging.ts';
import { createConflictRefusal } from '../contract/problems.ts';
import { claimQuota } from '../rules/quotas.ts';
import { representAcceptedCommand, representNetwork } from '../representations/representations.ts';
import { sandboxTables } from '../store/rows.ts';

/** Networks: created and deleted asynchronously; the address range is the platform's choice. */
export const networkHandlers = {
  listNetworks: (call) => {
    const { id } = findProjectRow(call, call.params.projectId);
    return representListPage(call, call.query, call.store.tally(id, 'networks'), (limit, offset) =>
      call.store
        .select(
          sandboxTables.networks,
          'WHERE projectId = ? ORDER BY seq LIMIT ? OFFSET ?',
          id,
          limit,
          offset,
        )
        .map(representNetwork),
    );
  },

  createNetwork: (call) => {
    const { store, rules, now, body } = call;
    const { id: projectId } = findProjectRow(call, call.params.projectId);
    requireValidName(call, body.name, 'network');
    requireFreeName(call, sandboxTables.networks, 'network', body.name, { projectId });
    claimQuota(call, { networks: 1 });
    const id = createSandboxId(store, rules.seed, 'network');
    const cidr = chooseNextNetworkCidr(store, projectId, rules.networkPrefix);
    store.insert(sandboxTables.networks, {
      id,
      projectId,
      name: body.name,
      status: 'creating',
      cidr,
      createdAt: now,
    });
    const operation = startOperation(call, {
      type: 'CreateNetwork',
      projectId,
      resourceType: 'network',
      resourceId: id,
      success: [makeUpdateEffect('networks', { id }, { status: 'active' })],
      failure: [makeUpdateEffect('networks', { id }, { status: 'failed' })],
    });
    return representAcceptedCommand(operation);
  },

  getNetwork: (call) =>
    representNetwork(findNetworkRow(call, call.params.projectId, call.params.networkId)),

  renameNetwork: (call) => {
    const { projectId, networkId } = call.params;
    const network = findNetworkRow(call, projectId, networkId);
    const { name } = call.body;
    requireValidName(call, name, 'network');
    if (network.status === 'deleting')
      throw createConflictRefusal(`The network ${network.id} is being deleted.`);
    requireFreeName(call, sandboxTables.networks, 'network', name, { projectId }, network.id);
    call.store.update(sandboxTables.networks, { id: network.id }, { name });
    return representNetwork({ ...network, name });
  },

  deleteNetwork: (call) => {
    const { store } = call;
    const { id, projectId, status } = findNetworkRow(
      call,
      call.params.projectId,
      call.params.networkId,
    );
    if (status !== 'active' && status !== 'failed')
      throw createConflictRefusal(`The network ${id} is ${status}.`);
    const attached = store.count(sandboxTables.attachments, 'WHERE networkId = ?', id);
    if (attached > 0)
      throw createConflictRefusal(`The network ${id} has VMs attached (${attached}).`);
    store.update(sandboxTables.networks, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'DeleteNetwork',
      projectId,
      resourceType: 'network',
      resourceId: id,
      success: [makeDeleteEffect('networks', { id })],
      failure: [makeUpdateEffect('networks', { id }, { status })],
    });
    return representAcceptedCommand(operation);
  },
} satisfies Partial<SandboxHandlers>;
