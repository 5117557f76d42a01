// Resources and module outputs as names for expressions: each value is computed when it is read.
import {
  UnchangedAccountValue,
  NameTree,
  Unknown,
  type ScopeValue,
} from '../../expressions/values/scope.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { singletonKindsByCollection, type InstanceKey } from '../../model/address.ts';
import { listAttributes, listComputedAttributes } from '../../kinds/attribute-names.ts';
import type { InstanceSet } from './each.ts';
import { expressionCollectionNames } from './check-names.ts';
import type { ResourceCollections, ResourceGroups, ResourceGroup } from './resource-group.ts';
import type { ModuleUse } from './space.ts';

/**
 * Instances as a list by index or a map by key; without `count` and `forEach` the single instance, null where it is not
 * enabled.
 */
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
    case 'disabled':
      return null;
    case 'unknown':
      return new Unknown(label, true);
  }
}

function readAttribute(
  group: ResourceGroup,
  name: string,
  instance?: InstanceKey,
): ScopeValue | undefined {
  group.space.session.read.resources.add(group.addressOf(instance));
  if (listComputedAttributes(group.kind).includes(name))
    return new Unknown(group.labelOf(instance, name));
  if (!listAttributes(group.kind).includes(name)) return undefined;
  const value = group.readAttribute(name, instance);
  const isFault = value instanceof Unknown && value.isFault;
  // The value was computed all the same, so that its sources (sensitive values, `data`) are noted.
  if (!isFault && group.mayStay(name, instance))
    return new UnchangedAccountValue(group.labelOf(instance, name));
  return value ?? kindRegistry[group.kind].fields[name]?.fallback ?? null;
}

/** Names of one instance: its attributes, and the collections below it. */
function readResource(group: ResourceGroup, instance: InstanceKey | undefined): NameTree {
  const names = listAttributes(group.kind);
  const made = new Map<string, NameTree>();
  return new NameTree(
    group.labelOf(instance),
    () => [...names, ...group.nestedOf(instance).keys()],
    (name) => {
      const groups = group.nestedOf(instance).get(name);
      if (!groups) return readAttribute(group, name, instance);
      const known = made.get(name) ?? readCollection(group.labelOf(instance, name), groups);
      made.set(name, known);
      return known;
    },
  );
}

/** Names of blocks by key, repeated or not; each value is made once. */
function readByKey<T extends { readonly instances: InstanceSet }>(
  label: string,
  all: ReadonlyMap<string, T>,
  labelOf: (one: T) => string,
  read: (one: T, instance: InstanceKey | undefined) => ScopeValue,
): NameTree {
  const made = new Map<string, ScopeValue>();
  return new NameTree(
    label,
    () => [...all.keys()],
    (key) => {
      const one = all.get(key);
      if (!one) return undefined;
      const known =
        made.get(key) ??
        readInstances(one.instances, labelOf(one), (instance) => read(one, instance));
      made.set(key, known);
      return known;
    },
  );
}

function readCollection(label: string, groups: ResourceGroups): NameTree {
  return readByKey(label, groups, (group) => group.labelOf(undefined), readResource);
}

/** A resource of which an account has one: its configured fields alone. */
function readSingle(collection: string, groups: ResourceGroups): NameTree {
  const group = groups.get(collection);
  return new NameTree(
    collection,
    () => [...(group?.fields.keys() ?? [])],
    (name) => (group?.fields.has(name) ? group.readAttribute(name, undefined) : undefined),
  );
}

/** Builds the names under which expressions read the resources of a module: the roots `projects`, `account` and so on. */
export function readResourceNameRoots(collections: ResourceCollections): readonly NameTree[] {
  return [...collections]
    .filter(([name]) => expressionCollectionNames.has(name))
    .map(([name, groups]) =>
      singletonKindsByCollection.has(name)
        ? readSingle(name, groups)
        : readCollection(name, groups),
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

/** Builds the name `modules`, under which expressions read the outputs of modules. */
export function readModuleNameRoots(modules: ReadonlyMap<string, ModuleUse>): NameTree {
  return readByKey('modules', modules, (module) => module.labelOf(undefined), readModule);
}
