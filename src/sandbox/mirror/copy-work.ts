import type { LiveResource } from '../../model/account/live.ts';
import type { SandboxRowEffect } from '../rules/effects.ts';
import { makeUpdateEffect, makeDeleteEffect } from '../rules/effects.ts';
import { copyMirroredAttachment } from '../rules/attachments.ts';
import { listVmRemovalEffects } from '../rules/vm-removal.ts';
import { createSandboxId } from '../store/ids.ts';
import type {
  VmBootStatus,
  SandboxOperationType,
  SandboxResourceStatus,
  SandboxResourceType,
  SandboxTable,
} from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';
import {
  makeMirroredForwardColumns,
  toSandboxRowStatus,
  makeMirroredVmColumns,
} from './copy-resources.ts';
import type { MirrorContext, MirroredOperation } from './mirror-context.ts';

/** Operation type that is assumed for work of an unknown type, by the status of the resource. */
const assumedTypes: Readonly<Record<SandboxResourceStatus, SandboxOperationType>> = {
  creating: 'Provision',
  active: 'CreateBackup',
  updating: 'Rebuild',
  deleting: 'Delete',
  failed: 'Rebuild',
};

/** Power status of a VM after a start, a reboot or a stop has ended. */
const restingPower: Readonly<Record<string, VmBootStatus>> = {
  Starting: 'Running',
  Rebooting: 'Running',
  Stopping: 'Stopped',
};

type StatusTable = SandboxTable<{ readonly status: SandboxResourceStatus }>;

/** Effects of the work's end on the data; undefined for a kind that no operation works on. */
function settle(
  { store }: MirrorContext,
  live: LiveResource,
): { type: SandboxResourceType; table: StatusTable; effects: SandboxRowEffect[] } | undefined {
  const { id } = live;
  const settled = { status: 'active' };
  const isGoing = 'status' in live && toSandboxRowStatus(live.status) === 'deleting';
  switch (live.kind) {
    case 'network':
      return {
        type: live.kind,
        table: sandboxTables.networks,
        effects: [
          isGoing
            ? makeDeleteEffect('networks', { id })
            : makeUpdateEffect('networks', { id }, settled),
        ],
      };
    case 'publicIp':
      return {
        type: live.kind,
        table: sandboxTables.publicIps,
        effects: [
          isGoing
            ? makeDeleteEffect('publicIps', { id })
            : makeUpdateEffect('publicIps', { id }, settled),
        ],
      };
    case 'portForward': {
      const columns = { ...makeMirroredForwardColumns(live), ...settled };
      return {
        type: live.kind,
        table: sandboxTables.portForwards,
        effects: [
          isGoing
            ? makeDeleteEffect('portForwards', { id })
            : makeUpdateEffect('portForwards', { id }, columns),
        ],
      };
    }
    case 'vm': {
      const bootStatus = restingPower[live.bootStatus ?? ''] ?? live.bootStatus ?? 'Running';
      const columns = { ...makeMirroredVmColumns(live), ...settled, bootStatus };
      return {
        type: live.kind,
        table: sandboxTables.vms,
        effects: isGoing
          ? listVmRemovalEffects(id)
          : [makeUpdateEffect('vms', { id }, columns), ...settleNetworks(store, live)],
      };
    }
    case 'project':
    case 'sshKey':
    case 'account':
    case 'accessToken':
      return undefined;
  }
}

/** Effects of the work's end on a VM's attachments. Those that are coming hold their place in the network until then. */
function settleNetworks(
  store: SandboxStore,
  { id: vmId, networks = [] }: Extract<LiveResource, { kind: 'vm' }>,
): SandboxRowEffect[] {
  const wanted = new Set(networks.map(({ networkId }) => networkId));
  const held = store.select(sandboxTables.attachments, 'WHERE vmId = ?', vmId);
  const heldIds = new Set(held.map(({ networkId }) => networkId));
  const coming = networks.filter(({ networkId }) => !heldIds.has(networkId));
  for (const one of coming) copyMirroredAttachment(store, vmId, one, 'creating');
  return [
    ...coming.map(({ networkId }) =>
      makeUpdateEffect('attachments', { networkId, vmId }, { status: 'active' }),
    ),
    ...[...heldIds]
      .filter((networkId) => !wanted.has(networkId))
      .map((networkId) => makeDeleteEffect('attachments', { networkId, vmId })),
  ];
}

/** Copies the service's running operations: their resources stay as they are until each operation ends. */
export function copyRunningOperations(
  context: MirrorContext,
  work: readonly MirroredOperation[],
): void {
  for (const one of work) copyOne(context, one);
}

function copyOne(context: MirrorContext, { becomes, ...work }: MirroredOperation): void {
  const { store, seed } = context;
  const settled = settle(context, becomes);
  if (!settled) return;
  const { id: resourceId, projectId } = becomes;
  const status = 'status' in becomes ? toSandboxRowStatus(becomes.status) : 'active';
  const operation = {
    id: createSandboxId(store, seed, 'operation'),
    projectId,
    resourceId,
    resourceType: settled.type,
    createdAt: work.since,
    commandId: createSandboxId(store, seed, 'command'),
    type: (work.type ?? assumedTypes[status]) as SandboxOperationType,
    vmId: settled.type === 'vm' ? resourceId : null,
    startsAt: work.since,
    completesAt: work.endsAt,
    failureCode: null,
    effects: JSON.stringify({ success: settled.effects, failure: settled.effects }),
    completedAt: null,
  };
  store.insert(sandboxTables.operations, operation);
  // A lagging list may show the resource as before the operation, so its status is set.
  if ('status' in becomes) {
    store.update(settled.table, { id: resourceId }, { status });
  }
  if (operation.vmId !== null) {
    store.update(sandboxTables.vms, { id: operation.vmId }, { operationId: operation.id });
  }
}
