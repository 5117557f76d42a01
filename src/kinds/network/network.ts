import { readAttributeText } from '../../model/value.ts';
import { makeNamedKindExport } from '../export/export-named.ts';
import type { ResourceKind } from '../kind.ts';
import configuration from './configuration.json' with { type: 'json' };
import { networkWireFormat } from './wire.ts';

const assigned =
  'Remove it: the service assigns the address range. Expressions read it as `cidr` of the network.';

/** A private network of a project. The service assigns its address range. */
export const networkKind: ResourceKind<'network'> = {
  name: 'network',
  label: 'network',
  article: 'a',
  configuration,
  wire: networkWireFormat,
  scopes: () => ['network'],
  commands: {
    createNetwork: { operationTypes: ['CreateNetwork', 'Provision'], assumedSeconds: 3 },
    renameNetwork: { sets: ['name'] },
    deleteNetwork: { operationTypes: ['DeleteNetwork', 'Delete'], assumedSeconds: 3 },
  },
  fields: {
    name: {
      effect: 'update',
      deferrable: 'name',
      cap: { name: 'network', at: 'maxNetworkNameLength', label: 'network name' },
    },
  },
  computed: ['id', 'cidr'],
  references: () => [],
  claims: ({ project, attributes }) => [
    `${project} network name ${readAttributeText(attributes, 'name')}`,
  ],
  quota: () => ({ networks: 1 }),
  derive: () => ({}),
  read: (live) => ({ id: live.id, name: live.name, cidr: live.cidr }),
  fromRecord: (recorded) => ({ name: recorded.text('name'), cidr: recorded.text('cidr') }),
  create: (after, { project }) => [
    { kind: 'createNetwork', project, name: readAttributeText(after, 'name') },
  ],
  update: ({ after }, { project, self }) => [
    { kind: 'renameNetwork', project, network: self, name: readAttributeText(after, 'name') },
  ],
  destroy: ({ project, self }) => [{ kind: 'deleteNetwork', project, network: self }],
  traits: {
    calledBy: 'name',
    signs: ({ name }) => ({ name }),
    identifiedBy: ['name', 'cidr'],
    quotas: { networks: { label: 'networks', name: 'networks', unit: '', at: ['networks'] } },
    inUse: {
      code: 'network-in-use',
      verb: 'is still attached to',
      lead: 'Attached',
      isByReferences: true,
      // A VM of Hostwright keeps a network that its configuration no longer gives, so the hint says to take it out there
      // first.
      hintForManaged:
        'Remove this network from `networks` of the VMs in the configuration; detach or adopt other VMs. Or keep it with a removed entry with destroy: false.',
    },
    foreignKeys: {
      cidr: assigned,
      cidrblock: assigned,
      iprange: assigned,
      addressspace: assigned,
      subnet: assigned,
      subnets: assigned,
      vms: 'Name the network in `networks` of each VM.',
    },
    export: makeNamedKindExport('network'),
  },
};
