// The account at a glance: what the live page shows. It reads the data as it is, past tokens and scopes, so it
// must never leave the machine: see `pages.ts`.

import { readSandboxQuota } from '../rules/quotas.ts';
import type {
  SandboxNotificationRow,
  SandboxOperationRow,
  SandboxProjectRow,
  SandboxVmRow,
} from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxStore } from '../store/store.ts';
import { sandboxQuotaNames, type SandboxContext } from '../store/world.ts';
import type { CollectionWithin } from '../../model/kind-places.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';

/** Collections of a project whose size the live page shows. */
export type CountedProjectContents = Exclude<CollectionWithin<'project'>, 'vms'>;

/** Everything about the account that the sandbox's live page shows. */
export type SandboxAccountView = ReturnType<typeof viewSandboxAccount>;

/** Most rows of each list on the live page; of more, the newest are shown. */
const most = { projects: 50, vms: 50, operations: 30, notifications: 8 };

/** Collects what the live page shows of the account; of many things, the newest. */
export function viewSandboxAccount(world: SandboxContext) {
  const { store, now } = world;
  return store.reading(() => ({
    at: now,
    quotas: sandboxQuotaNames.map((name) => {
      const { used, limit } = readSandboxQuota(world, name);
      return { name, used, limit };
    }),
    vmCounts: countVms(store, '1'),
    projectCount: store.tally('account', 'projects'),
    projects: sortByName(
      store
        .select(sandboxTables.projects, 'ORDER BY seq DESC LIMIT ?', most.projects)
        .map((project) => viewProject(world, project)),
    ),
    operationCount: store.count(sandboxTables.operations, 'WHERE completedAt IS NULL'),
    operations: store
      .select(
        sandboxTables.operations,
        'WHERE completedAt IS NULL ORDER BY completesAt, seq LIMIT ?',
        most.operations,
      )
      .map((operation) => viewOperation(world, operation)),
    notifications: store
      .select(sandboxTables.notifications, 'ORDER BY seq DESC LIMIT ?', most.notifications)
      .map(viewNotification),
  }));
}

/** Collects a project for the live page, with its VMs by name; of many, the newest. */
function viewProject({ store }: SandboxContext, { id, name }: SandboxProjectRow) {
  const counts: Readonly<Record<CountedProjectContents, number>> = {
    networks: store.tally(id, 'networks'),
    publicIps: store.tally(id, 'publicIps'),
    sshKeys: store.tally(id, 'sshKeys'),
  };
  const clause = 'WHERE projectId = ? ORDER BY seq DESC LIMIT ?';
  const vmCounts = countVms(store, 'projectId = ?', id);
  return {
    id,
    name,
    vmCounts,
    counts,
    vms: sortByName(store.select(sandboxTables.vms, clause, id, most.vms).map(viewVm)),
  };
}

/** Sorts names with numbers as people do: `web-9` before `web-10`. */
function sortByName<T extends { readonly name: string }>(things: readonly T[]): T[] {
  return [...things].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
}

/** Numbers of VMs by their state: the rest of them is being made, changed or deleted. */
function countVms(store: SandboxStore, which: string, ...values: string[]) {
  const count = (clause: string) =>
    store.count(sandboxTables.vms, `WHERE ${which} AND ${clause}`, ...values);
  return {
    total: count('1'),
    running: count("status = 'active' AND bootStatus = 'Running'"),
    stopped: count("status = 'active' AND bootStatus = 'Stopped'"),
    failed: count("status = 'failed'"),
  };
}

const viewVm = (vm: SandboxVmRow) => ({
  id: vm.id,
  name: vm.name,
  status: vm.status,
  bootStatus: vm.bootStatus,
  size: `${formatCountWithNoun('core', vm.cpu)}, ${vm.ram} GB, ${vm.disk} GB disk`,
  image: vm.imageId.replace(/^img-/, ''),
});

/** Describes an operation for the live page; `share` is the elapsed part of its time, from 0 to 1. */
function viewOperation({ store, now }: SandboxContext, operation: SandboxOperationRow) {
  const { id, type, createdAt, startsAt, completesAt, projectId } = operation;
  const length = Math.max(1, completesAt - createdAt);
  return {
    id,
    type,
    resource: nameResource(store, operation),
    project: store.first(sandboxTables.projects, { id: projectId })?.name ?? projectId,
    share: Math.min(1, Math.max(0, (now - createdAt) / length)),
    remainingMs: Math.max(0, completesAt - now),
    isQueued: startsAt > now,
  };
}

/** Names a resource for people by its name or address, otherwise by its id. */
function nameResource(
  store: SandboxStore,
  { resourceType, resourceId: id }: SandboxOperationRow,
): string {
  if (resourceType === 'vm') return store.first(sandboxTables.vms, { id })?.name ?? id;
  if (resourceType === 'network') return store.first(sandboxTables.networks, { id })?.name ?? id;
  if (resourceType === 'publicIp')
    return store.first(sandboxTables.publicIps, { id })?.address ?? id;
  return id;
}

const viewNotification = (notification: SandboxNotificationRow) => ({
  kind: notification.kind,
  title: notification.title,
  message: notification.message,
  at: notification.createdAt,
  isRead: notification.readAt !== null,
});
