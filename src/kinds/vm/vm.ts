import { makeChildAddress } from '../../model/address.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { RecordedResource } from '../recorded-resource.ts';
import type { LiveVm } from './model.ts';
import { readAttributeText, readAttributeTextList, type Value } from '../../model/value.ts';
import { findVmConfiguration, spellCatalogEntry } from '../catalog.ts';
import type { ResourceKind } from '../kind.ts';
import { readIdAfterUnmanagedPrefix, spellLiveId, type LiveIdTranslator } from '../names.ts';
import { foreignVmFieldHints } from './foreign-keys.ts';
import configuration from './configuration.json' with { type: 'json' };
import { companionPublicIp, listPublicIpClaims } from './public-ip.ts';
import { checkVmCapacity } from './check-vm-capacity.ts';
import { checkFreeNetworkAddresses } from './check-networks.ts';
import { vmCommands } from './commands.ts';
import { vmExport } from './export.ts';
import { listVmLosses } from './losses.ts';
import { readVmPower } from './power.ts';
import { countVmQuotaUse, vmQuotas } from './quota.ts';
import { vmRetirement } from './retire.ts';
import { isVmRunning, listReviewedVmAttributes } from './signs.ts';
import { vmWireFormat } from './wire.ts';
import {
  writeVmCreateCommands,
  writeVmRestorationCommands,
  writeVmUpdateCommands,
} from './write-commands.ts';

/** The public IP in the configuration's terms: a key of `publicIps`, `new`, or null. */
function readPublicIp(
  live: LiveVm,
  names: LiveIdTranslator,
  desired: Value | undefined,
): ReportedOrUntoldField<string | null> {
  if (live.publicIpId === null || live.publicIpId === undefined) return live.publicIpId;
  const spelled = spellLiveId(names, 'publicIp', live.publicIpId);
  const isOutside =
    readIdAfterUnmanagedPrefix(spelled) !== undefined &&
    names.isReplaced?.(live.publicIpId) !== true;
  return desired === 'new' && isOutside ? 'new' : spelled;
}

/** Reads the id of the VM's public IP from the state's record. */
function recordedPublicIp(recorded: RecordedResource): ReportedOrUntoldField<string | null> {
  const { publicIp } = recorded.attributes;
  if (publicIp === null) return null;
  return publicIp === 'new'
    ? recorded.managed.allocatedPublicIpId
    : recorded.reference('publicIp', 'publicIp');
}

/** Tells whether the VM has a sale whose renewal the service does not report. */
function isRenewalUntold(live: LiveVm): boolean {
  return 'renewal' in live && live.renewal === undefined;
}

/**
 * A virtual machine with its attachments and its power. Its size, tariff, public IP and plugins are fixed at create (the
 * service answers every resize with 503); a new image means a rebuild, which loses the disk. SSH keys get onto a disk when it
 * is made: changed keys wait for the next rebuild, unless the configuration asks for one.
 */
export const vmKind: ResourceKind<'vm'> = {
  name: 'vm',
  label: 'VM',
  article: 'a',
  configuration,
  wire: vmWireFormat,
  // A VM is attached below its networks, and renewed by its sale.
  scopes: (attributes) => [
    'compute',
    ...(readAttributeTextList(attributes, 'networks').length > 0 ? (['network'] as const) : []),
    ...(attributes.renewal === undefined ? [] : (['account'] as const)),
  ],
  commands: vmCommands,
  fields: {
    name: {
      effect: 'update',
      deferrable: 'name',
      cap: { name: 'vm', at: 'maxVmNameLength', label: 'VM name' },
    },
    image: {
      effect: 'rebuild',
      deferrable: 'text',
      offered: 'images',
      isEssential: true,
      isRequired: true,
    },
    configuration: {
      effect: 'replace',
      deferrable: 'text',
      offered: 'configurations',
      isEssential: true,
      isRequired: true,
      settles: ['cpu', 'ram', 'disk'],
    },
    tariff: {
      effect: 'replace',
      deferrable: 'text',
      offered: 'tariffs',
      isEssential: true,
      isRequired: true,
    },
    sshKeys: { effect: 'rebuild', isReference: true, isSet: true, fallback: [] },
    networks: {
      effect: 'update',
      isReference: true,
      isSet: true,
      fallback: [],
      settles: ['internalIp'],
    },
    publicIp: { effect: 'replace', isReference: true, isEssential: true, fallback: null },
    plugins: { effect: 'replace', deferrable: 'texts', isSet: true, fallback: [] },
    power: {
      effect: 'update',
      deferrable: ['running', 'stopped'],
      initial: { value: 'running' },
    },
    renewal: { effect: 'update', deferrable: ['active', 'cancelled'] },
  },
  computed: ['id', 'internalIp'],

  references({ project, attributes }) {
    const to = (
      attribute: string,
      kind: 'sshKey' | 'network' | 'publicIp',
      key: string,
      index?: number,
    ) =>
      readIdAfterUnmanagedPrefix(key) === undefined
        ? [
            {
              attribute,
              ...(index !== undefined && { index }),
              address: makeChildAddress(project, kind, key),
            },
          ]
        : [];
    const { publicIp } = attributes;
    return [
      ...readAttributeTextList(attributes, 'sshKeys').flatMap((key, index) =>
        to('sshKeys', 'sshKey', key, index),
      ),
      ...readAttributeTextList(attributes, 'networks').flatMap((key, index) =>
        to('networks', 'network', key, index),
      ),
      ...(typeof publicIp === 'string' && publicIp !== 'new'
        ? to('publicIp', 'publicIp', publicIp)
        : []),
    ];
  },

  claims({ project, attributes }) {
    const { publicIp } = attributes;
    const name = `${project} vm name ${readAttributeText(attributes, 'name')}`;
    // The service lets one VM hold a public IP; the next one must wait until it is released.
    if (typeof publicIp !== 'string' || publicIp === 'new') return [name];
    return [name, `${project} holder of ${publicIp}`];
  },

  quota: countVmQuotaUse,

  derive(attributes, catalog) {
    const size = findVmConfiguration(catalog, attributes.configuration);
    return {
      ...(size && { cpu: size.cpu, ram: size.ram, disk: size.disk }),
      ...(readAttributeTextList(attributes, 'networks').length === 0 && { internalIp: null }),
    };
  },

  read(live, names, desired) {
    const { catalog } = names;
    return {
      id: live.id,
      name: live.name,
      image: spellCatalogEntry(catalog.images, live.imageId, desired?.image),
      configuration: spellCatalogEntry(
        catalog.configurations,
        live.configurationId,
        desired?.configuration,
      ),
      tariff: spellCatalogEntry(catalog.tariffs, live.tariffId, desired?.tariff),
      sshKeys: live.sshKeyIds?.map((id) => spellLiveId(names, 'sshKey', id)),
      networks: live.networks?.map(({ networkId }) => spellLiveId(names, 'network', networkId)),
      publicIp: readPublicIp(live, names, desired?.publicIp),
      plugins: live.plugins,
      power: readVmPower(live),
      // The renewal is only compared where it is configured: elsewhere it is not even read.
      ...((desired?.renewal !== undefined || isRenewalUntold(live)) && {
        renewal: 'renewal' in live ? live.renewal : null,
      }),
      cpu: live.cpu,
      ram: live.ram,
      disk: live.disk,
      internalIp: live.networks && (live.networks[0] ? live.networks[0].internalIp : null),
    };
  },

  fromRecord: (recorded) => ({
    name: recorded.text('name'),
    imageId: recorded.entry('image', 'images'),
    configurationId: recorded.entry('configuration', 'configurations'),
    tariffId: recorded.entry('tariff', 'tariffs'),
    sshKeyIds:
      recorded.managed.builtFrom?.map(({ id }) => id) ?? recorded.references('sshKeys', 'sshKey'),
    networks: recorded
      .references('networks', 'network')
      ?.map((networkId) => ({ networkId, internalIp: undefined })),
    publicIpId: recordedPublicIp(recorded),
    plugins: recorded.texts('plugins'),
    cpu: recorded.number('cpu'),
    ram: recorded.number('ram'),
    disk: recorded.number('disk'),
    renewal: recorded.text('renewal'),
  }),

  create: writeVmCreateCommands,
  update: writeVmUpdateCommands,
  destroy: ({ project, self }) => [{ kind: 'deleteVm', project, vm: self }],
  traits: {
    calledBy: 'name',
    identifiedBy: ['name', 'image', 'configuration'],
    signs: listReviewedVmAttributes,
    isRunning: isVmRunning,
    isMeantToStop: ({ power }) => power === 'stopped',
    lock: {
      lockCode: 'vm-busy',
      workOf: ({ operation, operationStatus }) => ({ operation, status: operationStatus }),
    },
    sale: {
      field: 'renewal',
      withSale: (live, { renewal }) => ({ ...live, renewal }),
      recall: (live, planned) =>
        'renewal' in planned ? { renewal: planned.renewal, ...live } : live,
    },
    // Assumption: a tariff is the price of a whole VM, whatever its size, since the service prices nothing else.
    price: { field: 'tariff' },
    quotas: vmQuotas,
    entryIds: ({ imageId, configurationId, tariffId }) => ({
      image: imageId,
      configuration: configurationId,
      tariff: tariffId,
    }),
    builtFrom: {
      field: 'sshKeys',
      idsOf: ({ sshKeyIds }) => sshKeyIds,
      rebuildOn: ['image'],
    },
    retire: vmRetirement,
    restore: writeVmRestorationCommands,
    backUp: ({ project, self: vm }, maxAgeMs) => [{ kind: 'createBackup', project, vm, maxAgeMs }],
    losses: { list: listVmLosses, hasBackups: true },
    attributesOf: {
      'vm.bootStatus': ['power'],
      'vm.networks': ['networks', 'internalIp'],
      'vmNetwork.networkId': ['networks', 'internalIp'],
      'vmNetwork.internalIp': ['internalIp'],
      'sale.renewal': ['renewal'],
    },
    holds: [
      {
        field: 'networks',
        kind: 'network',
        idsOf: ({ networks = [] }) => networks.map(({ networkId }) => networkId),
      },
      {
        field: 'publicIp',
        kind: 'publicIp',
        idsOf: ({ publicIpId }) => (typeof publicIpId === 'string' ? [publicIpId] : []),
      },
    ],
    brings: companionPublicIp,
    checks: { room: (input) => [...checkFreeNetworkAddresses(input), ...checkVmCapacity(input)] },
    claimsOnce: listPublicIpClaims,
    foreignKeys: foreignVmFieldHints,
    export: vmExport,
  },
};
