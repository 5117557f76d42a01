import type { Command, ResourceRef } from '../../model/account/command.ts';
import {
  readAttributeText,
  readAttributeTextList,
  type Attributes,
  type Value,
} from '../../model/value.ts';
import { findCatalogEntryId } from '../catalog.ts';
import type { CommandContext, InPlaceDifference } from '../kind.ts';

function createVm(after: Attributes, context: CommandContext): Command {
  const { project, catalog } = context;
  const publicIp = after.publicIp ?? 'none';
  return {
    kind: 'createVm',
    project,
    name: readAttributeText(after, 'name'),
    imageId: findCatalogEntryId(catalog.images, after.image),
    configurationId: findCatalogEntryId(catalog.configurations, after.configuration),
    tariffId: findCatalogEntryId(catalog.tariffs, after.tariff),
    sshKeys: readAttributeTextList(after, 'sshKeys').map((key) => context.refTo('sshKey', key)),
    publicIp:
      publicIp === 'new' || publicIp === 'none'
        ? publicIp
        : context.refTo('publicIp', readAttributeText(after, 'publicIp')),
    plugins: readAttributeTextList(after, 'plugins'),
  };
}

function attach(networks: readonly string[], context: CommandContext): Command[] {
  const { project, self: vm } = context;
  return networks.map((key) => ({
    kind: 'attachVm',
    project,
    vm,
    network: context.refTo('network', key),
  }));
}

function setPower(power: Value | undefined, project: ResourceRef, vm: ResourceRef): Command[] {
  if (power === 'stopped') return [{ kind: 'stopVm', project, vm }];
  return power === 'running' ? [{ kind: 'startVm', project, vm }] : [];
}

/** Commands that set the renewal of a VM's sale, by the wanted setting. */
export const renewalCommands = {
  active: 'resumeSaleRenewal',
  cancelled: 'cancelSaleRenewal',
} as const;

export type SaleRenewal = keyof typeof renewalCommands;

/** Sent whenever the renewal is configured: right before the request, a look at the sale shows whether it is needed. */
function setRenewal(renewal: Value | undefined, project: ResourceRef, vm: ResourceRef): Command[] {
  if (renewal !== 'active' && renewal !== 'cancelled') return [];
  return [{ kind: renewalCommands[renewal], project, vm, sale: null }];
}

/** Lists commands that create a VM with these attributes. */
export function writeVmCreateCommands(
  after: Attributes,
  context: CommandContext,
): readonly Command[] {
  return [
    createVm(after, context),
    ...attach(readAttributeTextList(after, 'networks'), context),
    // The service starts a new VM, so that one configured as stopped is stopped afterwards.
    ...(after.power === 'stopped' ? setPower('stopped', context.project, context.self) : []),
    ...setRenewal(after.renewal, context.project, context.self),
  ];
}

/** Lists commands that change a VM in place or rebuild it. */
export function writeVmUpdateCommands(
  { fields, before, after, isRebuild, deleteBackups, backupFirst }: InPlaceDifference,
  context: CommandContext,
): readonly Command[] {
  const { project, self, catalog } = context;
  // Networks that do not differ may be unknown: they are left alone.
  const [had, wanted] = fields.has('networks')
    ? [readAttributeTextList(before, 'networks'), readAttributeTextList(after, 'networks')]
    : [[], []];
  return [
    // Detaching comes first: a network that is deleted in the same plan waits for it.
    ...had
      .filter((key) => !wanted.includes(key))
      .map((key): Command => ({
        kind: 'detachVm',
        project,
        vm: self,
        network: context.refTo('network', key),
      })),
    ...(fields.has('name')
      ? [{ kind: 'renameVm' as const, project, vm: self, name: readAttributeText(after, 'name') }]
      : []),
    ...(isRebuild && backupFirst ? [{ kind: 'createBackup' as const, project, vm: self }] : []),
    ...(isRebuild
      ? [
          {
            kind: 'rebuildVm' as const,
            project,
            vm: self,
            imageId: findCatalogEntryId(catalog.images, after.image),
            // A VM whose SSH keys are unknown keeps them through the rebuild.
            ...('sshKeys' in after && {
              sshKeys: readAttributeTextList(after, 'sshKeys').map((key) =>
                context.refTo('sshKey', key),
              ),
            }),
            deleteBackups,
          },
        ]
      : []),
    ...attach(
      wanted.filter((key) => !had.includes(key)),
      context,
    ),
    // The power after a rebuild is not published: it is set again, and the command is skipped where the power is right
    // already.
    ...(fields.has('power') || isRebuild ? setPower(after.power, project, self) : []),
    ...(fields.has('renewal') ? setRenewal(after.renewal, project, self) : []),
  ];
}

/** The commands that restore a backup of a VM, and its power: that after a restore is not published. */
export function writeVmRestorationCommands(
  { project, self: vm }: { readonly project: ResourceRef; readonly self: ResourceRef },
  backup: string,
  { power }: Attributes,
): readonly Command[] {
  return [{ kind: 'restoreBackup', project, vm, backup }, ...setPower(power, project, vm)];
}
