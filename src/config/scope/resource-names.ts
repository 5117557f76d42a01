// Resources, and the outputs of modules, as names that expressions read: each is worked out when it is asked for.
import { NameTree, Unknown, type ScopeValue } from '../../expressions/evaluate/scope.ts';
import { kinds } from '../../kinds/registry.ts';
import { kindOfCollection, type InstanceKey } from '../../model/address.ts';
import { listAttributes, listComputed } from '../../kinds/attribute-names.ts';
import { projectKind } from '../../model/kind-table.ts';
import type { InstanceSet } from './each.ts';
import type { ProjectGroup } from './project-group.ts';
import type { ResourceGroup } from './resource-group.ts';
import type { ModuleUse } from './space.ts';

/** Instances as a list by index or a map by key; the one itself without `count` and `forEach`. */
function readInstances(
  instances: InstanceSet,
  label: string,
  read: (instance: InstanceKey | undefined) => ScopeValue,
): ScopeValue {
  switch (instances.kind) {
    case 'one':
      return read(undefined);
    case 'count':
      return Array.from({ length: instances.count }, (_, index) => read(index));
    case 'keys':
      return new NameTree(
        label,
        () => [...instances.values.keys()],
        (key) => (instances.values.has(key) ? read(key) : undefined),
      );
    case 'unknown':
      return new Unknown(label, true);
  }
}

function readAttribute(
  group: ResourceGroup,
  name: string,
  instance?: InstanceKey,
): ScopeValue | undefined {
  if (listComputed(group.kind).includes(name)) return new Unknown(group.labelOf(instance, name));
  if (!listAttributes(group.kind).includes(name)) return undefined;
  const value = group.readAttribute(name, instance);
  return value ?? kinds[group.kind].fields[name]?.fallback ?? null;
}

/** The attributes of one instance, and what lies below it. */
function readResource(group: ResourceGroup, instance: InstanceKey | undefined): NameTree {
  const names = listAttributes(group.kind);
  return new NameTree(
    group.labelOf(instance),
    () => [...names, ...group.nested.keys()],
    (name) => {
      const groups = group.nested.get(name);
      return groups
        ? readCollection(group.labelOf(undefined, name), groups)
        : readAttribute(group, name, instance);
    },
  );
}

function readCollection(label: string, groups: ReadonlyMap<string, ResourceGroup>): NameTree {
  const made = new Map<string, ScopeValue>();
  return new NameTree(
    label,
    () => [...groups.keys()],
    (key) => {
      const group = groups.get(key);
      if (!group) return undefined;
      let value = made.get(key);
      if (value === undefined) {
        value = readInstances(group.instances, group.labelOf(undefined), (instance) =>
          readResource(group, instance),
        );
        made.set(key, value);
      }
      return value;
    },
  );
}

function readProject({ self, collections }: ProjectGroup): NameTree {
  const made = new Map<string, NameTree>();
  for (const [name, groups] of collections)
    made.set(name, readCollection(self.labelOf(undefined, name), groups));
  return new NameTree(
    self.labelOf(undefined),
    () => [...listAttributes(projectKind), ...kindOfCollection.keys()],
    (name) => made.get(name) ?? readAttribute(self, name),
  );
}

/** `projects` of a space. */
export function readProjects(projects: ReadonlyMap<string, ProjectGroup>): NameTree {
  const made = new Map<string, NameTree>();
  return new NameTree(
    'projects',
    () => [...projects.keys()],
    (key) => {
      const project = projects.get(key);
      const known = made.get(key) ?? (project && readProject(project));
      if (known) made.set(key, known);
      return known;
    },
  );
}

function readModule(group: ModuleUse, instance: InstanceKey | undefined): ScopeValue {
  const module = group.spaceOf(instance);
  if (!module) return new Unknown(group.labelOf(instance), true);
  const outputs = new NameTree(
    `${group.labelOf(instance)}.outputs`,
    () => module.outputNames,
    (name) => module.readOutput(name),
  );
  return NameTree.of(group.labelOf(instance), { outputs });
}

/** `account` of a configuration: what it says of the account, and nothing else. */
export function readAccount(group: ResourceGroup | undefined): NameTree {
  return new NameTree(
    'account',
    () => [...(group?.fields.keys() ?? [])],
    (name) => (group?.fields.has(name) ? group.readAttribute(name, undefined) : undefined),
  );
}

/** `modules` of a space: of each its outputs, and nothing else. */
export function readModules(modules: ReadonlyMap<string, ModuleUse>): NameTree {
  const made = new Map<string, ScopeValue>();
  return new NameTree(
    'modules',
    () => [...modules.keys()],
    (key) => {
      const group = modules.get(key);
      if (!group) return undefined;
      let value = made.get(key);
      if (value === undefined) {
        value = readInstances(group.instances, group.labelOf(undefined), (instance) =>
          readModule(group, instance),
        );
        made.set(key, value);
      }
      return value;
    },
  );
}
