import { readAttributeText } from '../../model/value.ts';
import type { ResourceKind } from '../kind.ts';
import configuration from './configuration.json' with { type: 'json' };
import { publicIpExport } from './export.ts';
import { publicIpWireFormat } from './wire.ts';

/** A public IP address. It has no name; the service assigns the address. */
export const publicIpKind: ResourceKind<'publicIp'> = {
  name: 'publicIp',
  label: 'public IP',
  article: 'a',
  configuration,
  wire: publicIpWireFormat,
  scopes: () => ['network'],
  commands: {
    createPublicIp: {
      operationTypes: ['AllocatePublicIp', 'Provision'],
      assumedSeconds: 3,
      // An address that came with a VM belongs to that VM, and is not one that a create of its own made.
      hasIdentity: ({ vmId }) => vmId === null || vmId === undefined,
      // An address whose VM is unreported may be one that came with a VM.
      compareUnchanging: ({ vmId }) => (vmId === undefined ? 'untold' : 'same'),
      isIdentityPassing: true,
    },
    deletePublicIp: { operationTypes: ['ReleasePublicIp', 'Delete'], assumedSeconds: 3 },
  },
  fields: {},
  computed: ['id', 'address'],
  references: () => [],
  claims: () => [],
  quota: () => ({ publicIps: 1 }),
  derive: () => ({}),
  read: (live) => ({ id: live.id, address: live.address }),
  fromRecord: (recorded) => ({ address: recorded.text('address') }),
  create: (_after, { project }) => [{ kind: 'createPublicIp', project }],
  update: () => [],
  destroy: ({ project, self }) => [{ kind: 'deletePublicIp', project, publicIp: self }],
  traits: {
    calledBy: 'address',
    price: 'untold',
    quotas: { publicIps: { label: 'public IPs', name: 'public ips', unit: '', at: ['publicIps'] } },
    inUse: { code: 'public-ip-in-use', verb: 'is still used by', lead: 'In the way' },
    heldBy: { kind: 'vm', code: 'public-ip-held', idOf: ({ vmId }) => vmId },
    marks: { fields: [] },
    reservedKeys: {
      keys: ['new', 'none'],
      why: "`new` and `none` have a meaning of their own at a VM's publicIp.",
      misused: new Map([
        [
          'none',
          {
            detail: 'Use a key of publicIps, or `new`.',
            hint: 'Leave publicIp out for none.',
          },
        ],
      ]),
    },
    export: publicIpExport,
    // DNS may point to the address, and the service will give it to another customer.
    losses: {
      list: (_effect, before) => [`Its address ${readAttributeText(before, 'address')} is lost.`],
      hasBackups: false,
    },
  },
};
