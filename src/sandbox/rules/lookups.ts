import { createConflictRefusal, createNotFoundRefusal } from '../contract/problems.ts';
import type {
  SandboxAttachmentRow,
  SandboxBackupRow,
  SandboxNetworkRow,
  SandboxPortForwardRow,
  SandboxProjectContentRow,
  SandboxProjectRow,
  SandboxPublicIpRow,
  SandboxResourceStatus,
  SandboxSaleRow,
  SandboxSshKeyRow,
  SandboxTable,
  SandboxTokenRow,
  SandboxVmRow,
} from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxRowMatch } from '../store/store.ts';
import type { SandboxContext } from '../store/world.ts';

// Lookups of one row by the ids of a path, which throw the 404. The id of another project's resource is not found.

function find<Row>(
  { store }: SandboxContext,
  table: SandboxTable<Row>,
  what: string,
  where: SandboxRowMatch & { id: string },
): Row {
  const row = store.first(table, where);
  if (row === undefined) throw createNotFoundRefusal(what, where.id);
  return row;
}

function findIn<Row extends SandboxProjectContentRow>(
  world: SandboxContext,
  table: SandboxTable<Row>,
  what: string,
  projectId: string,
  id: string,
): Row {
  findProjectRow(world, projectId);
  return find(world, table, what, { id, projectId });
}

export const findProjectRow = (world: SandboxContext, id: string): SandboxProjectRow =>
  find(world, sandboxTables.projects, 'project', { id });

export const findSshKeyRow = (
  world: SandboxContext,
  projectId: string,
  id: string,
): SandboxSshKeyRow => findIn(world, sandboxTables.sshKeys, 'SSH key', projectId, id);

export const findNetworkRow = (
  world: SandboxContext,
  projectId: string,
  id: string,
): SandboxNetworkRow => findIn(world, sandboxTables.networks, 'network', projectId, id);

export const findPublicIpRow = (
  world: SandboxContext,
  projectId: string,
  id: string,
): SandboxPublicIpRow => findIn(world, sandboxTables.publicIps, 'public IP', projectId, id);

export const findVmRow = (world: SandboxContext, projectId: string, id: string): SandboxVmRow =>
  findIn(world, sandboxTables.vms, 'VM', projectId, id);

export const findTokenRow = (world: SandboxContext, id: string): SandboxTokenRow =>
  find(world, sandboxTables.tokens, 'token', { id });

export const findSaleRow = (world: SandboxContext, id: string): SandboxSaleRow =>
  find(world, sandboxTables.sales, 'sale', { id });

export function findPortForwardRow(
  world: SandboxContext,
  projectId: string,
  publicIpId: string,
  id: string,
): SandboxPortForwardRow {
  findPublicIpRow(world, projectId, publicIpId);
  return find(world, sandboxTables.portForwards, 'port forward', { id, publicIpId });
}

export function findBackupRow(
  world: SandboxContext,
  projectId: string,
  vmId: string,
  id: string,
): SandboxBackupRow {
  findVmRow(world, projectId, vmId);
  return find(world, sandboxTables.backups, 'backup', { id, vmId });
}

/** Finds the attachment of a VM to a network, even one that is only reserved. */
export function findAttachmentRow(
  world: SandboxContext,
  projectId: string,
  networkId: string,
  vmId: string,
): SandboxAttachmentRow {
  findNetworkRow(world, projectId, networkId);
  const attachment = world.store.first(sandboxTables.attachments, { networkId, vmId });
  if (attachment === undefined) throw createNotFoundRefusal('attached VM', vmId);
  return attachment;
}

/** Requires that a resource is `active`. Throws the refusal (status 409) of any other. */
export function requireActiveResource(
  what: string,
  row: { readonly id: string; readonly status: SandboxResourceStatus },
): void {
  if (row.status !== 'active')
    throw createConflictRefusal(`The ${what} ${row.id} is ${row.status}, not active.`);
}
