import type { Resolved } from '../../api/contract/codec.ts';
import type { LiveVm } from './model.ts';
import { textsOf, type Attributes } from '../../model/value.ts';
import type { CommandFacts, CommandTable, Involved } from '../command-facts.ts';
import { isSameOrUntold, isSameSet, isSameSetOrUntold } from '../told.ts';

function isAttached({ networks }: LiveVm, network: string): boolean {
  return networks.some(({ networkId }) => networkId === network);
}

/** The networks that are remembered, without one. */
function otherNetworks(attributes: Attributes, key: string): readonly string[] {
  return textsOf(attributes, 'networks').filter((one) => one !== key);
}

function hasAskedAddress(asked: string, publicIpId: string | null): boolean {
  if (asked === 'none') return publicIpId === null;
  // It may be given a while after the VM.
  return asked === 'new' || publicIpId === null || publicIpId === asked;
}

function isSameVm(live: LiveVm, command: Resolved<'createVm'>): boolean {
  return (
    isSameOrUntold(live.configurationId, command.configurationId) &&
    isSameOrUntold(live.tariffId, command.tariffId) &&
    isSameOrUntold(live.imageId, command.imageId) &&
    isSameSetOrUntold(live.sshKeyIds, command.sshKeys) &&
    hasAskedAddress(command.publicIp, live.publicIpId)
  );
}

function hasSamePlugins(live: LiveVm, command: Resolved<'createVm'>): boolean {
  return live.hasUntoldPlugins === true || isSameSet(live.plugins, command.plugins);
}

function involveNetwork({ network }: { readonly network: string }): readonly Involved[] {
  return [{ kind: 'network', id: network }];
}

/** What sets one field of a VM to one value, and shows by it. */
function setting(field: 'bootStatus' | 'renewal', value: string) {
  return {
    isShown: (live: LiveVm) => live[field] === value,
    carryOut: (live: LiveVm): LiveVm => ({ ...live, [field]: value }),
  };
}

/** Lets the sale of a VM renew, or end with its running period. */
function settingRenewal<C extends 'resumeSaleRenewal' | 'cancelSaleRenewal'>(
  renewal: string,
): CommandFacts<'vm', C> {
  return {
    assumedSeconds: 0.5,
    procedure: { kind: 'by-sale', renewal, withSale: (command, sale) => ({ ...command, sale }) },
    sets: ['renewal'],
    ...setting('renewal', renewal),
  };
}

/** What each command about a VM does. */
export const vmCommands: CommandTable<'vm'> = {
  createVm: {
    operationTypes: ['Provision'],
    assumedSeconds: 30,
    procedure: { kind: 'needs-room', sizeOf: ({ configurationId }) => configurationId },
    hasUnchanging: (live, command) => isSameVm(live, command) && hasSamePlugins(live, command),
    // A service may tell its plugins only when it is installed.
    mayBecome: (live, command) =>
      live.status !== 'active' && isSameVm(live, command) && live.plugins.length === 0,
    involves: ({ publicIp }) =>
      publicIp === 'new' || publicIp === 'none' ? [] : [{ kind: 'publicIp', id: publicIp }],
    isShown: ({ publicIpId }, { publicIp }) => publicIp !== 'new' || publicIpId !== null,
  },
  renameVm: { sets: ['name'] },
  startVm: {
    noun: 'start',
    operationTypes: ['Start'],
    assumedSeconds: 10,
    sets: ['power'],
    ...setting('bootStatus', 'Running'),
  },
  stopVm: {
    noun: 'stop',
    operationTypes: ['Stop'],
    assumedSeconds: 10,
    sets: ['power'],
    ...setting('bootStatus', 'Stopped'),
  },
  rebootVm: {
    noun: 'reboot',
    operationTypes: ['Reboot'],
    assumedSeconds: 10,
    isJudgedByRecord: true,
  },
  createBackup: {
    noun: 'backup',
    operationTypes: ['CreateBackup'],
    assumedSeconds: 60,
    isJudgedByRecord: true,
    procedure: { kind: 'backup' },
  },
  restoreBackup: {
    noun: 'restore',
    operationTypes: ['RestoreBackup'],
    assumedSeconds: 60,
    isJudgedByRecord: true,
  },
  rebuildVm: {
    noun: 'rebuild',
    operationTypes: ['Rebuild'],
    assumedSeconds: 30,
    isRebuild: true,
    // What a rebuild does to the power is not published.
    sets: ['image', 'sshKeys', 'power'],
    isShown: (live, { imageId, sshKeys }) =>
      live.imageId === imageId && isSameSet(live.sshKeyIds, sshKeys),
    carryOut: (live, { imageId, sshKeys }, ours) => ({
      ...live,
      imageId,
      sshKeyIds: sshKeys,
      // It may be stopped meanwhile: it comes back as it was before.
      ...(ours?.power === 'running' && { bootStatus: 'Running' }),
    }),
  },
  attachVm: {
    noun: 'attach',
    operationTypes: ['AttachNetwork'],
    assumedSeconds: 5,
    involves: involveNetwork,
    sets: ['networks', 'internalIp'],
    isShown: (live, { network }) => isAttached(live, network),
    carryOut: (live, { network }) =>
      isAttached(live, network)
        ? live
        : { ...live, networks: [...live.networks, { networkId: network, internalIp: null }] },
    remember: (attributes, { network }, spell) => {
      const key = spell('network', network);
      return { networks: [...otherNetworks(attributes, key), key] };
    },
  },
  detachVm: {
    noun: 'detach',
    operationTypes: ['DetachNetwork'],
    assumedSeconds: 5,
    involves: involveNetwork,
    sets: ['networks', 'internalIp'],
    isShown: (live, { network }) => !isAttached(live, network),
    carryOut: (live, { network }) => ({
      ...live,
      networks: live.networks.filter(({ networkId }) => networkId !== network),
    }),
    remember: (attributes, { network }, spell) => ({
      networks: otherNetworks(attributes, spell('network', network)),
    }),
  },
  resumeSaleRenewal: settingRenewal('active'),
  cancelSaleRenewal: settingRenewal('cancelled'),
  deleteVm: { operationTypes: ['Delete'], assumedSeconds: 10 },
};
