import { textOf } from '../../model/value.ts';
import { exportNamed } from '../export-named.ts';
import type { Kind } from '../kind.ts';
import { networkWire } from './wire.ts';

/** A private network of a project. The platform assigns its address range. */
export const network: Kind<'network'> = {
  name: 'network',
  label: 'network',
  wire: networkWire,
  traits: ({ name }) => ({ name }),
  commands: {
    createNetwork: { operationTypes: ['CreateNetwork', 'Provision'] },
    renameNetwork: { sets: ['name'] },
    deleteNetwork: { operationTypes: ['DeleteNetwork', 'Delete'] },
  },
  fields: { name: { effect: 'update', late: 'name' } },
  computed: ['id', 'cidr'],
  references: () => [],
  claims: ({ project, attributes }) => [`${project} network name ${textOf(attributes, 'name')}`],
  quota: () => ({ networks: 1 }),
  derive: () => ({}),
  read: (live) => ({ id: live.id, name: live.name, cidr: live.cidr }),
  create: (after, { project }) => [{ kind: 'createNetwork', project, name: textOf(after, 'name') }],
  update: ({ after }, { project, self }) => [
    { kind: 'renameNetwork', project, network: self, name: textOf(after, 'name') },
  ],
  destroy: ({ project, self }) => [{ kind: 'deleteNetwork', project, network: self }],
  isBlockedByReferences: true,
  export: exportNamed('network'),
};
