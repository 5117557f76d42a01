import { updateEffect, deleteEffect } from '../rules/effects.ts';
import type { Handlers } from './handler.ts';
import { nextId } from '../store/ids.ts';
import { findNetwork, findProject } from '../rules/lookups.ts';
import { requireFreeName, requireName } from '../rules/names.ts';
import { nextCidr } from '../rules/networks.ts';
import { startOperation } from '../rules/operations.ts';
import { showPage } from './paging.ts';
import { conflict } from '../contract/problems.ts';
import { claimQuota } from '../rules/quotas.ts';
import { showAccepted, showNetwork } from '../representations/representations.ts';
import { tables } from '../store/rows.ts';

/** Networks: created and deleted asynchronously; the address range is the platform's choice. */
export const networkHandlers = {
  listNetworks: (call) => {
    const { id } = findProject(call, call.params.projectId);
    return showPage(call, call.query, call.store.tally(id, 'networks'), (limit, offset) =>
      call.store
        .select(
          tables.networks,
          'WHERE projectId = ? ORDER BY seq LIMIT ? OFFSET ?',
          id,
          limit,
          offset,
        )
        .map(showNetwork),
    );
  },

  createNetwork: (call) => {
    const { store, rules, now, body } = call;
    const { id: projectId } = findProject(call, call.params.projectId);
    requireName(call, body.name, 'network');
    requireFreeName(call, tables.networks, 'network', body.name, { projectId });
    claimQuota(call, { networks: 1 });
    const id = nextId(store, rules.seed, 'network');
    const cidr = nextCidr(store, projectId, rules.networkPrefix);
    store.insert(tables.networks, {
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
      success: [updateEffect('networks', { id }, { status: 'active' })],
      failure: [updateEffect('networks', { id }, { status: 'failed' })],
    });
    return showAccepted(operation);
  },

  getNetwork: (call) =>
    showNetwork(findNetwork(call, call.params.projectId, call.params.networkId)),

  renameNetwork: (call) => {
    const { projectId, networkId } = call.params;
    const network = findNetwork(call, projectId, networkId);
    const { name } = call.body;
    requireName(call, name, 'network');
    if (network.status === 'deleting')
      throw conflict(`The network ${network.id} is being deleted.`);
    requireFreeName(call, tables.networks, 'network', name, { projectId }, network.id);
    call.store.update(tables.networks, { id: network.id }, { name });
    return showNetwork({ ...network, name });
  },

  deleteNetwork: (call) => {
    const { store } = call;
    const { id, projectId, status } = findNetwork(
      call,
      call.params.projectId,
      call.params.networkId,
    );
    if (status !== 'active' && status !== 'failed')
      throw conflict(`The network ${id} is ${status}.`);
    const attached = store.count(tables.attachments, 'WHERE networkId = ?', id);
    if (attached > 0) throw conflict(`The network ${id} has VMs attached (${attached}).`);
    store.update(tables.networks, { id }, { status: 'deleting' });
    const operation = startOperation(call, {
      type: 'DeleteNetwork',
      projectId,
      resourceType: 'network',
      resourceId: id,
      success: [deleteEffect('networks', { id })],
      failure: [updateEffect('networks', { id }, { status })],
    });
    return showAccepted(operation);
  },
} satisfies Partial<Handlers>;
