import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { LiveVm } from './model.ts';
import { vmBootStatuses } from './wire.ts';
import { foldNameForComparison } from '../../model/text/fold-name.ts';
import { readAttributeTextList, type Attributes } from '../../model/value.ts';
import type { CommandFacts, CommandTable, InvolvedResource } from '../command-facts.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import {
  combineToldMatches,
  compareToldValue,
  compareToldSets,
  type ToldValueMatch,
} from '../told.ts';

function isAttached({ networks }: LiveVm, network: string): ReportedOrUntoldField<boolean> {
  return networks?.some(({ networkId }) => networkId === network);
}

/** Networks of the VM in the state's record, except one. */
function otherNetworks(attributes: Attributes, key: string): readonly string[] {
  return readAttributeTextList(attributes, 'networks').filter((one) => one !== key);
}

/** A name proves nothing of the image that has it: the one before may have had it, too. */
function compareShownImage({ imageId: told, shownEntries }: LiveVm, asked: string): ToldValueMatch {
  const text = shownEntries?.imageId ?? asked;
  const isId = foldNameForComparison(text) === foldNameForComparison(asked);
  return told === asked && !isId ? 'untold' : compareToldValue(told, asked);
}

function compareAddress(told: ReportedOrUntoldField<string | null>, asked: string): ToldValueMatch {
  if (told === undefined) return 'untold';
  if (asked === 'none') return told === null ? 'same' : 'other';
  // A public IP may appear a while after its VM, so its absence proves nothing.
  return asked === 'new' || told === null || told === asked ? 'same' : 'other';
}

/**
 * Compares all attributes that no request changes, except for the plugins, which a service may report only when they are
 * installed.
 */
function compareVms(live: LiveVm, command: ResolvedCommandOf<'createVm'>): ToldValueMatch {
  const { sshKeyIds } = live;
  return combineToldMatches([
    compareToldValue(live.configurationId, command.configurationId),
    compareToldValue(live.tariffId, command.tariffId),
    compareToldValue(live.imageId, command.imageId),
    // A service may report SSH keys only when all are installed, so an empty list proves nothing.
    sshKeyIds?.length === 0 ? 'same' : compareToldSets(sshKeyIds, command.sshKeys),
    compareAddress(live.publicIpId, command.publicIp),
  ]);
}

/** Compares plugins without regard to case, as the service may change it. */
function comparePlugins(
  { plugins }: LiveVm,
  command: ResolvedCommandOf<'createVm'>,
): ToldValueMatch {
  return compareToldSets(
    plugins?.map(foldNameForComparison),
    command.plugins.map(foldNameForComparison),
  );
}

function involveNetwork({ network }: { readonly network: string }): readonly InvolvedResource[] {
  return [{ kind: 'network', id: network }];
}

/** Facts about a command that sets a VM's power. Where the service does not report that, the operation record has the end. */
function setting(bootStatus: string) {
  return {
    // A word that the contract does not define tells nothing.
    compareShown: ({ bootStatus: told }: LiveVm) =>
      compareToldValue(vmBootStatuses.some((word) => word === told) ? told : undefined, bootStatus),
    carryOut: (live: LiveVm): LiveVm => ({ ...live, bootStatus }),
  };
}

/** Facts about a command that lets the sale of a VM renew, or end with its running period. */
function settingRenewal<C extends 'resumeSaleRenewal' | 'cancelSaleRenewal'>(
  renewal: string,
): CommandFacts<'vm', C> {
  return {
    assumedSeconds: 0.5,
    procedure: { kind: 'by-sale', renewal, withSale: (command, sale) => ({ ...command, sale }) },
    sets: ['renewal'],
    compareShown: (live) => (live.renewal === renewal ? 'same' : 'other'),
    carryOut: (live) => ({ ...live, renewal }),
  };
}

/** Facts about each command of VMs. */
export const vmCommands: CommandTable<'vm'> = {
  createVm: {
    gives: 'power',
    operationTypes: ['Provision'],
    assumedSeconds: 30,
    procedure: {
      kind: 'needs-room',
      sizeOf: ({ configurationId }) => configurationId,
      tariffOf: ({ tariffId }) => tariffId,
    },
    compareUnchanging: (live, command) =>
      combineToldMatches([compareVms(live, command), comparePlugins(live, command)]),
    mayBecome: (live, command) =>
      live.status !== 'active' &&
      compareVms(live, command) !== 'other' &&
      live.plugins?.length === 0,
    involves: ({ publicIp }) =>
      publicIp === 'new' || publicIp === 'none' ? [] : [{ kind: 'publicIp', id: publicIp }],
    givenBy: ({ publicIp }) => (publicIp === 'none' ? [] : ['publicIp']),
    compareShown: ({ publicIpId }, { publicIp }) => {
      if (publicIp !== 'new') return 'same';
      return publicIpId === undefined ? 'untold' : publicIpId === null ? 'other' : 'same';
    },
  },
  renameVm: { sets: ['name'] },
  startVm: {
    gives: 'power',
    noun: 'start',
    operationTypes: ['Start'],
    assumedSeconds: 10,
    sets: ['power'],
    ...setting('Running'),
  },
  stopVm: {
    takes: 'power',
    noun: 'stop',
    operationTypes: ['Stop'],
    assumedSeconds: 10,
    sets: ['power'],
    ...setting('Stopped'),
  },
  rebootVm: {
    takes: 'power',
    gives: 'power',
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
    takes: 'power',
    gives: 'power',
    noun: 'restore',
    operationTypes: ['RestoreBackup'],
    assumedSeconds: 60,
    isJudgedByRecord: true,
    isRestore: true,
  },
  rebuildVm: {
    takes: 'power',
    gives: 'power',
    noun: 'rebuild',
    operationTypes: ['Rebuild'],
    assumedSeconds: 30,
    isRebuild: true,
    // The power after a rebuild is not published, so it counts as set.
    sets: ['image', 'sshKeys', 'power'],
    compareShown: (live, { imageId, sshKeys }) =>
      combineToldMatches([
        compareShownImage(live, imageId),
        sshKeys ? compareToldSets(live.sshKeyIds, sshKeys) : 'same',
      ]),
    carryOut: (live, { imageId, sshKeys }, ours) => ({
      ...live,
      imageId,
      ...(live.shownEntries && { shownEntries: { ...live.shownEntries, imageId } }),
      ...(sshKeys && { sshKeyIds: sshKeys }),
      // The VM may be stopped during the command: it comes back with the power that it had before.
      ...(ours?.power === 'running' && { bootStatus: 'Running' }),
    }),
  },
  attachVm: {
    gives: 'attachment',
    noun: 'attach',
    operationTypes: ['AttachNetwork'],
    assumedSeconds: 5,
    involves: involveNetwork,
    sets: ['networks', 'internalIp'],
    compareShown: (live, { network }) => compareToldValue(isAttached(live, network), true),
    carryOut: (live, { network }) =>
      !live.networks || isAttached(live, network)
        ? live
        : { ...live, networks: [...live.networks, { networkId: network, internalIp: null }] },
    remember: (attributes, { network }, spell) => {
      const key = spell('network', network);
      return { networks: [...otherNetworks(attributes, key), key] };
    },
  },
  detachVm: {
    takes: 'attachment',
    noun: 'detach',
    isReleasing: true,
    operationTypes: ['DetachNetwork'],
    assumedSeconds: 5,
    involves: involveNetwork,
    sets: ['networks', 'internalIp'],
    compareShown: (live, { network }) => compareToldValue(isAttached(live, network), false),
    carryOut: (live, { network }) => ({
      ...live,
      networks: live.networks?.filter(({ networkId }) => networkId !== network),
    }),
    remember: (attributes, { network }, spell) => ({
      networks: otherNetworks(attributes, spell('network', network)),
    }),
  },
  resumeSaleRenewal: settingRenewal('active'),
  cancelSaleRenewal: settingRenewal('cancelled'),
  deleteVm: { takes: 'power', operationTypes: ['Delete'], assumedSeconds: 10 },
};
