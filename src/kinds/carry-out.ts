// What a command of ours makes of a resource: as it will be read, and as the state remembers it.
import type { CommandName, ResolvedCommand } from '../model/account/command.ts';
import type { LiveResource, LiveVm } from '../model/account/live.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { Attributes, Value } from '../model/value.ts';
import { rememberName } from './kept-name.ts';
import { spellId, type Names } from './kind.ts';

/** A resource after a command on it; as it is after one that it does not show, or that removes it. */
export function carryOut(live: LiveResource, command: ResolvedCommand): LiveResource {
  if (live.kind === 'vm') return carryOutOnVm(live, command);
  if (command.kind === 'updatePortForward' && live.kind === 'portForward') {
    const { publicPort, vm, vmPort } = command;
    return { ...live, publicPort, vmId: vm, vmPort };
  }
  if (command.kind === 'updateAccountLocale' && live.kind === 'account') {
    return { ...live, locale: command.locale };
  }
  if (command.kind === 'updateNotificationPreferences' && live.kind === 'account') {
    return { ...live, notifications: { ...live.notifications, ...command.preferences } };
  }
  return 'name' in command && 'name' in live ? { ...live, name: command.name } : live;
}

function carryOutOnVm(vm: LiveVm, command: ResolvedCommand): LiveVm {
  switch (command.kind) {
    case 'renameVm':
      return { ...vm, name: command.name };
    case 'detachVm':
      return {
        ...vm,
        networks: vm.networks.filter(({ networkId }) => networkId !== command.network),
      };
    case 'attachVm': {
      const isAttached = vm.networks.some(({ networkId }) => networkId === command.network);
      const attached = { networkId: command.network, internalIp: null };
      return isAttached ? vm : { ...vm, networks: [...vm.networks, attached] };
    }
    case 'startVm':
      return { ...vm, bootStatus: 'Running' };
    case 'stopVm':
      return { ...vm, bootStatus: 'Stopped' };
    case 'rebuildVm':
      return { ...vm, imageId: command.imageId, sshKeyIds: command.sshKeys };
    case 'resumeSaleRenewal':
      return { ...vm, renewal: 'active' };
    case 'cancelSaleRenewal':
      return { ...vm, renewal: 'cancelled' };
    default:
      return vm;
  }
}

/** The attributes that a command sets. What a rebuild does to the power is not published. */
const changed: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  renameProject: ['name'],
  renameSshKey: ['name'],
  renameNetwork: ['name'],
  renameVm: ['name'],
  renameToken: ['name'],
  startVm: ['power'],
  stopVm: ['power'],
  rebuildVm: ['image', 'sshKeys', 'power'],
  attachVm: ['internalIp'],
  detachVm: ['internalIp'],
  resumeSaleRenewal: ['renewal'],
  cancelSaleRenewal: ['renewal'],
  updatePortForward: ['publicPort', 'vm', 'vmPort'],
  updateAccountLocale: ['locale'],
  updateNotificationPreferences: ['notifications'],
};

/**
 * What the state remembers of a resource after a command on it that shows: what the command has not set stays as it was
 * last applied, so that what others do is still told. `read` is the resource as it is now, in the configuration's terms.
 */
export function rememberCommand(
  managed: ManagedResource,
  command: ResolvedCommand,
  live: LiveResource,
  { read, names }: { readonly read: Attributes; readonly names: Names },
): ManagedResource {
  const set = (changed[command.kind] ?? []).filter((name) => name in read);
  const attributes = {
    ...managed.attributes,
    ...Object.fromEntries(set.map((name) => [name, read[name] ?? null])),
    ...rememberNetworks(managed.attributes, command, names),
  };
  const resource = { ...managed, attributes };
  return 'name' in command ? rememberName(resource, live, command.name) : resource;
}

function rememberNetworks(
  { networks }: Attributes,
  command: ResolvedCommand,
  names: Names,
): Attributes {
  if (command.kind !== 'attachVm' && command.kind !== 'detachVm') return {};
  const key = spellId(names, 'network', command.network);
  const others = Array.isArray(networks) ? (networks as Value[]).filter((one) => one !== key) : [];
  return { networks: command.kind === 'attachVm' ? [...others, key] : others };
}
