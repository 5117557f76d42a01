import { conflict, notFound } from '../contract/problems.ts';
import type {
  AttachmentRow,
  BackupRow,
  NetworkRow,
  PortForwardRow,
  ProjectMember,
  ProjectRow,
  PublicIpRow,
  ResourceStatus,
  SaleRow,
  SshKeyRow,
  Table,
  TokenRow,
  VmRow,
} from '../store/rows.ts';
import { tables } from '../store/rows.ts';
import type { RowMatch } from '../store/store.ts';
import type { SandboxWorld } from '../store/world.ts';

// Each finds one row by the ids of a path, or throws the 404. An id of another project is not found.

function find<Row>(
  { store }: SandboxWorld,
  table: Table<Row>,
  what: string,
  where: RowMatch & { id: string },
): Row {
  const row = store.first(table, where);
  if (row === undefined) throw notFound(what, where.id);
  return row;
}

function findIn<Row extends ProjectMember>(
  world: SandboxWorld,
  table: Table<Row>,
  what: string,
  projectId: string,
  id: string,
): Row {
  findProject(world, projectId);
  return find(world, table, what, { id, projectId });
}

export const findProject = (world: SandboxWorld, id: string): ProjectRow =>
  find(world, tables.projects, 'project', { id });

export const findSshKey = (world: SandboxWorld, projectId: string, id: string): SshKeyRow =>
  findIn(world, tables.sshKeys, 'SSH key', projectId, id);

export const findNetwork = (world: SandboxWorld, projectId: string, id: string): NetworkRow =>
  findIn(world, tables.networks, 'network', projectId, id);

export const findPublicIp = (world: SandboxWorld, projectId: string, id: string): PublicIpRow =>
  findIn(world, tables.publicIps, 'public IP', projectId, id);

export const findVm = (world: SandboxWorld, projectId: string, id: string): VmRow =>
  findIn(world, tables.vms, 'VM', projectId, id);

export const findToken = (world: SandboxWorld, id: string): TokenRow =>
  find(world, tables.tokens, 'token', { id });

export const findSale = (world: SandboxWorld, id: string): SaleRow =>
  find(world, tables.sales, 'sale', { id });

export function findPortForward(
  world: SandboxWorld,
  projectId: string,
  publicIpId: string,
  id: string,
): PortForwardRow {
  findPublicIp(world, projectId, publicIpId);
  return find(world, tables.portForwards, 'port forward', { id, publicIpId });
}

export function findBackup(
  world: SandboxWorld,
  projectId: string,
  vmId: string,
  id: string,
): BackupRow {
  findVm(world, projectId, vmId);
  return find(world, tables.backups, 'backup', { id, vmId });
}

/** Finds the attachment of a VM to a network, even one that is only reserved. */
export function findAttachment(
  world: SandboxWorld,
  projectId: string,
  networkId: string,
  vmId: string,
): AttachmentRow {
  findNetwork(world, projectId, networkId);
  const attachment = world.store.first(tables.attachments, { networkId, vmId });
  if (attachment === undefined) throw notFound('attached VM', vmId);
  return attachment;
}

/** A resource that is not `active` where it must be answers 409. */
export function requireActive(
  what: string,
  row: { readonly id: string; readonly status: ResourceStatus },
): void {
  if (row.status !== 'active')
    throw conflict(`The ${what} ${row.id} is ${row.status}, not active.`);
}
