import type { WireVmCreate } from '../../api/contract/types.ts';
import type { SandboxVmConfiguration } from '../store/catalog.ts';
import { countRemainingVmCapacity } from './capacity.ts';
import { findCatalogEntryById } from '../store/catalog.ts';
import { createSandboxId } from '../store/ids.ts';
import { requireActiveResource } from './lookups.ts';
import { checkTextLength, requireFreeName } from './names.ts';
import {
  createConflictRefusal,
  InvalidRequestFieldList,
  createInsufficientCapacityRefusal,
} from '../contract/problems.ts';
import { reservePublicIp } from './public-addresses.ts';
import { claimQuota } from './quotas.ts';
import type { SandboxPublicIpRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import { createResourceSale } from './sales.ts';
import type { SandboxContext } from '../store/world.ts';

/** Reports every SSH key of a request that the project does not have. */
export function checkVmSshKeys(
  { store }: SandboxContext,
  faults: InvalidRequestFieldList,
  projectId: string,
  ids: readonly string[],
): void {
  ids.forEach((id, index) => {
    const isThere = store.first(sandboxTables.sshKeys, { id, projectId }) !== undefined;
    if (!isThere) faults.add(`sshKeyIds[${index}]`, 'There is no such SSH key in this project.');
  });
}

export function checkVmImage(
  { rules }: SandboxContext,
  faults: InvalidRequestFieldList,
  imageId: string,
): void {
  if (!findCatalogEntryById(rules.catalog.images, imageId))
    faults.add('imageId', 'There is no such image.');
}

/** Finds the size and the public IP that the create of a VM names. @throws one refusal with every fault of the request */
function resolve(
  world: SandboxContext,
  projectId: string,
  wanted: WireVmCreate,
): { configuration: SandboxVmConfiguration; publicIp: SandboxPublicIpRow | undefined } {
  const { catalog } = world.rules;
  const faults = new InvalidRequestFieldList();
  checkTextLength(world, faults, 'name', wanted.name, 'vm');
  checkVmImage(world, faults, wanted.imageId);
  if (!findCatalogEntryById(catalog.tariffs, wanted.tariffId))
    faults.add('tariffId', 'There is no such tariff.');
  const configuration = findCatalogEntryById(catalog.configurations, wanted.configurationId);
  if (!configuration) faults.add('configurationId', 'There is no such configuration.');
  checkVmSshKeys(world, faults, projectId, wanted.sshKeyIds ?? []);
  (wanted.sshPublicKeys ?? []).forEach((key, index) => {
    checkTextLength(world, faults, `sshPublicKeys[${index}]`, key, 'sshPublicKey');
  });
  const { publicIpMode = 'none', publicIpId } = wanted;
  const publicIp =
    publicIpMode === 'existing' && publicIpId !== undefined
      ? world.store.first(sandboxTables.publicIps, { id: publicIpId, projectId })
      : undefined;
  if (publicIpMode === 'existing' && !publicIp) {
    faults.add('publicIpId', 'It must name a public IP of this project.');
  }
  if (publicIpMode !== 'existing' && publicIpId !== undefined) {
    faults.add('publicIpId', 'It goes with the publicIpMode `existing` alone.');
  }
  faults.refuse();
  if (!configuration) throw new Error('A configuration that is not there was not refused.');
  return { configuration, publicIp };
}

/**
 * Checks the create of a VM and reserves all that it needs: the name, its share of the quotas, capacity in the cluster,
 * a public IP. `publicIpId` is given for a public IP that was reserved with the VM and is still to be allocated.
 */
export function reserveVmResources(
  world: SandboxContext,
  projectId: string,
  wanted: WireVmCreate,
): { vmId: string; publicIpId: string | undefined } {
  const { store, rules, now } = world;
  const { configuration, publicIp } = resolve(world, projectId, wanted);
  requireFreeName(world, sandboxTables.vms, 'VM', wanted.name, { projectId });
  if (publicIp) {
    requireActiveResource('public IP', publicIp);
    if (publicIp.vmId !== null) {
      throw createConflictRefusal(
        `The public IP ${publicIp.id} is held by the VM ${publicIp.vmId}.`,
      );
    }
  }
  const { cpu, ram, disk } = configuration;
  const needsAddress = wanted.publicIpMode === 'new';
  claimQuota(world, { cpu, ram, disk, ...(needsAddress && { publicIps: 1 }) });
  if (countRemainingVmCapacity(world, configuration) === 0)
    throw createInsufficientCapacityRefusal(configuration.name);
  const vmId = createSandboxId(store, rules.seed, 'vm');
  store.insert(sandboxTables.vms, {
    id: vmId,
    projectId,
    name: wanted.name,
    status: 'creating',
    bootStatus: 'Starting',
    configurationId: configuration.id,
    imageId: wanted.imageId,
    tariffId: wanted.tariffId,
    cpu,
    ram,
    disk,
    sshKeyIds: JSON.stringify(wanted.sshKeyIds ?? []),
    sshPublicKeys: JSON.stringify(wanted.sshPublicKeys ?? []),
    plugins: JSON.stringify(wanted.plugins ?? []),
    saleId: createResourceSale(world, 'vm', vmId, wanted.tariffId),
    operationId: null,
    createdAt: now,
  });
  if (publicIp) store.update(sandboxTables.publicIps, { id: publicIp.id }, { vmId });
  return { vmId, publicIpId: needsAddress ? reservePublicIp(world, projectId, vmId) : undefined };
}
