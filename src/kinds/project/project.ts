import { readAttributeText } from '../../model/value.ts';
import { makeNamedKindExport } from '../export/export-named.ts';
import type { ResourceKind } from '../kind.ts';
import configuration from './configuration.json' with { type: 'json' };
import { projectWireFormat } from './wire.ts';

/** A project: the container of most other resources. It has a name and nothing more. */
export const projectKindDefinition: ResourceKind<'project'> = {
  name: 'project',
  label: 'project',
  article: 'a',
  configuration,
  wire: projectWireFormat,
  scopes: () => ['account'],
  commands: { createProject: {}, renameProject: { sets: ['name'] }, deleteProject: {} },
  fields: {
    name: {
      effect: 'update',
      deferrable: 'name',
      cap: { name: 'project', at: 'maxProjectNameLength', label: 'project name' },
    },
  },
  computed: ['id'],
  references: () => [],
  claims: ({ attributes }) => [`project name ${readAttributeText(attributes, 'name')}`],
  quota: () => ({ projects: 1 }),
  derive: () => ({}),
  read: (live) => ({ id: live.id, name: live.name }),
  fromRecord: (recorded) => ({ name: recorded.text('name') }),
  create: (after) => [{ kind: 'createProject', name: readAttributeText(after, 'name') }],
  update: ({ after }, { self }) => [
    { kind: 'renameProject', project: self, name: readAttributeText(after, 'name') },
  ],
  destroy: ({ self }) => [{ kind: 'deleteProject', project: self }],
  traits: {
    calledBy: 'name',
    signs: ({ name }) => ({ name }),
    quotas: { projects: { label: 'projects', name: 'projects', unit: '', at: ['projects'] } },
    inUse: { code: 'project-not-empty', verb: 'still holds', lead: 'In the way' },
    export: makeNamedKindExport('project'),
  },
};
