import { notFound } from '../contract/problems.ts';
import type { Table } from '../store/rows.ts';
import { tables } from '../store/rows.ts';
import type { RowMatch } from '../store/store.ts';
import type { SandboxWorld } from '../store/world.ts';
import type { EditSubject } from './script.ts';

interface Named {
  readonly id: string;
}

/** The ids that a path takes, by parameter. Throws the 404 of the first thing that is not there. */
export function findEditSubject(world: SandboxWorld, on: EditSubject): Record<string, string> {
  const ids: Record<string, string> = {};
  const inProject = (): RowMatch =>
    ids.projectId === undefined ? {} : { projectId: ids.projectId };
  const take = (
    param: string,
    what: string,
    table: Table<Named>,
    wanted: string | undefined,
    columns: readonly string[],
    scope: RowMatch,
  ): void => {
    if (wanted === undefined) return;
    const row = columns
      .map((column) => world.store.first(table, { ...scope, [column]: wanted }))
      .find((found) => found !== undefined);
    if (row === undefined) throw notFound(what, wanted);
    ids[param] = row.id;
  };
  const byName = ['id', 'name'];
  take('projectId', 'project', tables.projects, on.project, byName, {});
  take('networkId', 'network', tables.networks, on.network, byName, inProject());
  take('sshKeyId', 'SSH key', tables.sshKeys, on.sshKey, byName, inProject());
  take('vmId', 'VM', tables.vms, on.vm, byName, inProject());
  takePublicIp(world, on, ids, () =>
    take('publicIpId', 'public IP', tables.publicIps, on.publicIp, ['id', 'address'], inProject()),
  );
  takePortForward(world, on, ids);
  takeBackup(world, on, ids);
  take('tokenId', 'token', tables.tokens, on.token, byName, {});
  return ids;
}

/** The name of a VM means the address that it holds. */
function takePublicIp(
  { store }: SandboxWorld,
  { publicIp }: EditSubject,
  ids: Record<string, string>,
  takeItself: () => void,
): void {
  const scope: RowMatch = ids.projectId === undefined ? {} : { projectId: ids.projectId };
  const holder =
    publicIp === undefined ? undefined : store.first(tables.vms, { ...scope, name: publicIp });
  const held = holder && store.first(tables.publicIps, { vmId: holder.id });
  if (held) ids.publicIpId = held.id;
  else takeItself();
}

function takePortForward(
  { store }: SandboxWorld,
  on: EditSubject,
  ids: Record<string, string>,
): void {
  const wanted = on.portForward;
  if (wanted === undefined) return;
  const [protocol = '', port = ''] = wanted.split('/');
  const publicIpId = ids.publicIpId ?? '';
  const row =
    store.first(tables.portForwards, { id: wanted }) ??
    store.first(tables.portForwards, { publicIpId, protocol, publicPort: Number(port) || 0 });
  if (!row) throw notFound('port forward', wanted);
  ids.portForwardId = row.id;
}

function takeBackup({ store }: SandboxWorld, on: EditSubject, ids: Record<string, string>): void {
  const wanted = on.backup;
  if (wanted === undefined) return;
  const row =
    wanted === 'newest'
      ? store.select(tables.backups, 'WHERE vmId = ? ORDER BY seq DESC LIMIT 1', ids.vmId ?? '')[0]
      : store.first(tables.backups, { id: wanted });
  if (!row) throw notFound('backup', wanted);
  ids.backupId = row.id;
}
