import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import { makeChildAddress, parseResourceAddress } from '../../model/address.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { readAttributeText, type Attributes } from '../../model/value.ts';
import type { CommandContext, ResourceKind } from '../kind.ts';
import { readIdAfterUnmanagedPrefix, spellLiveId } from '../names.ts';
import { combineToldMatches, compareToldValue, isSameOrUntold } from '../told.ts';
import type { ExclusiveClaim } from '../traits.ts';
import configuration from './configuration.json' with { type: 'json' };
import { portForwardExport } from './export.ts';
import { portForwardWireFormat } from './wire.ts';

/** The port of its public IP that a configured forward claims. */
function claimPort({ address, attributes }: DesiredResource): readonly ExclusiveClaim[] {
  const { protocol, publicPort } = attributes;
  const publicIp = parseResourceAddress(address)?.parent;
  if (publicIp === undefined || typeof protocol !== 'string' || typeof publicPort !== 'number') {
    return [];
  }
  const port = `${protocol} port ${publicPort}`;
  return [
    {
      id: `${publicIp} ${port}`,
      attribute: 'publicPort',
      code: 'duplicate-port',
      summary: `${publicIp} forwards its ${port} twice`,
      hint: 'Give one of the two another publicPort, or remove it.',
    },
  ];
}

/** Fields that the create and the update of a port forward have in common. */
function target(after: Attributes, context: CommandContext) {
  return {
    project: context.project,
    publicIp: context.parent,
    publicPort: Number(after.publicPort),
    vm: context.refTo('vm', readAttributeText(after, 'vm')),
    vmPort: Number(after.vmPort),
  };
}

/** Resources at both ends of a forward: its public IP and its VM. */
function involveEnds({
  vm,
  publicIp,
}: ResolvedCommandOf<'createPortForward' | 'updatePortForward'>) {
  return [
    { kind: 'vm', id: vm },
    { kind: 'publicIp', id: publicIp },
  ] as const;
}

/** A rule of a public IP that forwards traffic at one of its ports to a port of a VM. */
export const portForwardKind: ResourceKind<'portForward'> = {
  name: 'portForward',
  label: 'port forward',
  article: 'a',
  configuration,
  wire: portForwardWireFormat,
  scopes: () => ['network'],
  commands: {
    createPortForward: {
      gives: 'forward',
      operationTypes: ['CreatePortForward', 'Provision'],
      assumedSeconds: 3,
      involves: involveEnds,
      isInPlace: (live, command) => live.publicIpId === command.publicIp,
      // An unreported port may be this one: forwards have no name that would tell them apart.
      hasIdentity: (live, { protocol, publicPort }) =>
        isSameOrUntold(live.protocol, protocol) && isSameOrUntold(live.publicPort, publicPort),
      compareUnchanging: (live, { vm, vmPort }) =>
        combineToldMatches([
          compareToldValue(live.vmId, vm),
          compareToldValue(live.vmPort, vmPort),
        ]),
    },
    updatePortForward: {
      operationTypes: ['UpdatePortForward'],
      assumedSeconds: 3,
      involves: involveEnds,
      sets: ['publicPort', 'vm', 'vmPort'],
      compareShown: (live, { publicPort, vm, vmPort }) =>
        combineToldMatches([
          compareToldValue(live.publicPort, publicPort),
          compareToldValue(live.vmId, vm),
          compareToldValue(live.vmPort, vmPort),
        ]),
      carryOut: (live, { publicPort, vm, vmPort }) => ({ ...live, publicPort, vmId: vm, vmPort }),
    },
    deletePortForward: {
      takes: 'forward',
      operationTypes: ['DeletePortForward', 'Delete'],
      assumedSeconds: 3,
    },
  },
  fields: {
    protocol: { effect: 'replace', deferrable: ['tcp', 'udp'], isEssential: true },
    publicPort: { effect: 'update', deferrable: 'port', type: 'number' },
    vm: { effect: 'update', isReference: true },
    vmPort: { effect: 'update', deferrable: 'port', type: 'number' },
  },
  computed: ['id'],
  references: ({ project, attributes }) => {
    const vm = readAttributeText(attributes, 'vm');
    if (readIdAfterUnmanagedPrefix(vm) !== undefined) return [];
    return [{ attribute: 'vm', address: makeChildAddress(project, 'vm', vm) }];
  },
  claims: ({ address, attributes }) => {
    const publicIp = parseResourceAddress(address)?.parent ?? address;
    return [
      `${publicIp} ${readAttributeText(attributes, 'protocol')} port ${readAttributeText(attributes, 'publicPort')}`,
    ];
  },
  quota: () => ({}),
  derive: () => ({}),
  read: (live, names) => ({
    id: live.id,
    protocol: live.protocol,
    publicPort: live.publicPort,
    vm: live.vmId === undefined ? undefined : spellLiveId(names, 'vm', live.vmId),
    vmPort: live.vmPort,
  }),
  fromRecord: (recorded) => ({
    protocol: recorded.text('protocol'),
    publicPort: recorded.number('publicPort'),
    vmId: recorded.reference('vm', 'vm'),
    vmPort: recorded.number('vmPort'),
  }),
  create: (after, context) => [
    {
      kind: 'createPortForward',
      protocol: readAttributeText(after, 'protocol'),
      ...target(after, context),
    },
  ],
  update: ({ after }, context) => [
    { kind: 'updatePortForward', portForward: context.self, ...target(after, context) },
  ],
  destroy: ({ project, parent, self }) => [
    { kind: 'deletePortForward', project, publicIp: parent, portForward: self },
  ],
  traits: {
    signs: ({ protocol, publicPort, vmId, vmPort }) => ({ protocol, publicPort, vm: vmId, vmPort }),
    identifiedBy: ['protocol', 'publicPort', 'vm', 'vmPort'],
    parentId: ({ publicIpId }) => publicIpId,
    leadsTo: ({ vmId }) => vmId,
    claimsOnce: claimPort,
    marks: {
      fields: ['protocol', 'publicPort'],
      words: {
        takes: 'port',
        describe: ({ protocol, publicPort }) => `port ${protocol} ${publicPort}`,
        describeTaken: ({ id, protocol, publicPort }, address) => ({
          code: 'port-taken',
          summary: `Port ${protocol} ${publicPort} of this public IP is taken by a forward that is not in the state`,
          detail: `The live one has the id ${id}.`,
          hint: `Adopt it: with an imports entry ({ to: ${address}, id: ${id} }), or with --adopt. Or remove it, or choose another port.`,
        }),
      },
    },
    export: portForwardExport,
  },
};
