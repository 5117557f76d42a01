import { Unknown } from '../../expressions/values/scope.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import {
  removeInstanceKey,
  compareResourceAddresses,
  type ResourceAddress,
  type InstanceKey,
} from '../../model/address.ts';
import type { DeferredValue } from '../../model/deferred.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { describeMissingKey } from '../schema/explain-keys.ts';
import { resolveSchema } from '../schema/shape-schema.ts';
import type { ResourceDeclaration, ResourceDeclarations } from '../scope/declarations.ts';
import { deferValue } from '../scope/defer-value.ts';
import { listInstanceKeys } from '../scope/each.ts';
import { dropNonTextItems } from '../scope/interpret-field.ts';
import type { ModuleScope } from '../scope/module-scope.ts';
import { usesEach } from '../scope/resolve-node.ts';
import {
  listTopResourceGroups,
  type EvaluatedFieldNode,
  type ResourceGroup,
} from '../scope/resource-group.ts';
import { findYamlMapChild, type LocatedYamlNode } from '../source/located-node.ts';
import {
  isTrueNode,
  locateAttributes,
  readTimeouts,
  readNodeText,
  readNodeTexts,
} from '../source/read-fields.ts';
import { toSourceRange } from '../source/source-file.ts';
import { readMaxBackupAge, readLifecycle } from './read-lifecycle.ts';
import { readRollout, hasVaryingProbes } from './read-rollout.ts';

/** Attributes that all instances of a group share, or those of one instance. */
interface Part {
  readonly attributes: Attributes;
  /** Expressions of attributes whose values are known only after other changes were applied. */
  readonly deferred: Readonly<Record<string, DeferredValue>>;
  /** Names of attributes that depend on a sensitive value, so that they are not shown. */
  readonly sensitive: readonly string[];
  /** Entries of `data` that each attribute depends on. */
  readonly ofData: Readonly<Record<string, readonly string[]>>;
  /** Addresses of resources that the expressions of attributes read: the dependencies. */
  readonly mentions: ReadonlySet<ResourceAddress>;
}

function readPart(
  group: ResourceGroup,
  names: readonly string[],
  instance: InstanceKey | undefined,
): Part {
  const { space } = group;
  const attributes: Record<string, Value> = {};
  const deferred: Record<string, DeferredValue> = {};
  const sensitive: string[] = [];
  const ofData: Record<string, readonly string[]> = {};
  const mentions = new Set<ResourceAddress>();
  for (const name of names) {
    const { isSensitive, data, resources } = space.session.trace(() => {
      const value = group.readAttribute(name, instance);
      const written = group.fields.get(name)?.value;
      if (!(value instanceof Unknown)) {
        if (value !== undefined) attributes[name] = value;
      } else if (!value.isFault && written) {
        deferred[name] = deferValue(written, space, group.eachOf(instance));
      }
    });
    if (isSensitive && (name in attributes || name in deferred)) sensitive.push(name);
    if (data.size > 0 && name in attributes) ofData[name] = [...data];
    for (const one of resources) mentions.add(one);
  }
  return { attributes, deferred, sensitive, ofData, mentions: withoutInstances(mentions) };
}

/** The most mentioned resources that are listed one by one; of more, their groups are named. */
const mostMentions = 100;

function withoutInstances(mentions: ReadonlySet<ResourceAddress>): ReadonlySet<ResourceAddress> {
  return mentions.size > mostMentions ? new Set([...mentions].map(removeInstanceKey)) : mentions;
}

/** Lists the resources that a resource refers to, sorted and without itself. */
function listMentions(
  address: ResourceAddress,
  parts: readonly (Part | undefined)[],
): readonly ResourceAddress[] {
  const all = new Set(parts.flatMap((part) => (part ? [...part.mentions] : [])));
  all.delete(address);
  return [...all].sort(compareResourceAddresses);
}

function known(node: EvaluatedFieldNode): LocatedYamlNode | undefined {
  return node instanceof Unknown ? undefined : node;
}

/** Source of the value of each attribute. A public key that is read from a file has the source of its path. */
function findNodes(
  group: ResourceGroup,
  varying: ReadonlySet<string>,
): Record<string, LocatedYamlNode> {
  const nodes: Record<string, LocatedYamlNode> = {};
  for (const name of [...Object.keys(kindRegistry[group.kind].fields), 'publicKeyFile']) {
    const value = group.fields.get(name)?.value;
    if (!value) continue;
    const node = varying.has(name) ? value : (known(group.readField(name, undefined)) ?? value);
    nodes[name] = dropNonTextItems(node);
  }
  const { publicKeyFile } = nodes;
  const lifecycle = group.varies('lifecycle')
    ? undefined
    : known(group.readField('lifecycle', undefined));
  const triggers = findYamlMapChild(
    lifecycle ?? group.fields.get('lifecycle')?.value,
    'replaceTriggeredBy',
  );
  return {
    ...nodes,
    ...(publicKeyFile && { publicKey: publicKeyFile }),
    ...(triggers && { replaceTriggeredBy: dropNonTextItems(triggers) }),
  };
}

/** Reads the settings of a resource beside its attributes: `rebuild`, `backups`, `rollout`, `lifecycle`, `timeouts`. */
function readRest(
  group: ResourceGroup,
  instance: InstanceKey | undefined,
): Partial<DesiredResource> {
  const field = (name: string) => known(group.readField(name, instance));
  const { faults } = group.space.session;
  const lifecycle = readLifecycle(group, field('lifecycle'));
  const rollout = readRollout(group, instance, field('rollout'));
  return {
    ...readRebuild(group, field('rebuild')),
    ...readMaxBackupAge(group, field('backups')),
    ...(rollout && { rollout }),
    ...(lifecycle && { lifecycle }),
    timeouts: readTimeouts(field('timeouts'), group.address, faults),
  };
}

/** Tells whether `preventDestroy` is set for no instance, present or former. */
function protectsNone(group: ResourceGroup): boolean {
  if (group.varies('lifecycle')) return false;
  const node = group.readField('lifecycle', undefined);
  return !(node instanceof Unknown) && !isTrueNode(findYamlMapChild(node, 'preventDestroy'));
}

/** Checks a block without a resource for faults that do not depend on values: it may have a resource tomorrow. */
function checkUnused(group: ResourceGroup, declarations: ResourceDeclarations): void {
  const { space, address } = group;
  const nested = group.nestedOf(undefined);
  checkRequired(group);
  for (const [name, { value }] of group.fields) {
    if (!nested.has(name)) usesEach(value, { space, each: group.eachOf(undefined), address });
  }
  for (const one of listTopResourceGroups(nested)) {
    checkUnused(one, declarations);
    if (protectsNone(one)) declarations.unprotected.push(one.address);
  }
}

const restFields = ['rebuild', 'backups', 'rollout', 'lifecycle', 'timeouts'];

/** Expands one block of the configuration into its resources. */
function expandGroup(group: ResourceGroup, declarations: ResourceDeclarations): void {
  const { kind, entry, instances } = group;
  const { expansion } = group.space.session;
  if (group.isFixed && !expansion.claimResources(1, entry.key)) return;
  declarations.declareKey(group.collection, group.key, instances);
  if (!group.isFixed && protectsNone(group)) declarations.unprotected.push(group.address);
  const keys = listInstanceKeys(instances);
  if (keys.length === 0) {
    checkUnused(group, declarations);
    return;
  }
  checkRequired(group);
  const names = Object.keys(kindRegistry[kind].fields);
  const isNamedByKey = group.eachKind !== 'none' && !group.fields.has('name');
  const varying = new Set(
    names.filter((name) => group.varies(name) || (name === 'name' && isNamedByKey)),
  );
  const fixed = names.filter((name) => !varying.has(name));
  const nodes = findNodes(group, varying);
  const shared = readPart(group, fixed, undefined);
  const variesBeside = restFields.some((name) => group.varies(name)) || hasVaryingProbes(group);
  const rest = variesBeside ? undefined : readRest(group, undefined);
  const all = {
    ...shared.attributes,
    ...Object.fromEntries(
      [...varying, ...Object.keys(shared.deferred)].map((name) => [name, null]),
    ),
  };
  const attributeSources = locateAttributes(all, nodes, entry.key);
  const source = toSourceRange(entry.key);
  for (const instance of keys) {
    const own = varying.size > 0 ? readPart(group, [...varying], instance) : undefined;
    const sensitive = own ? [...shared.sensitive, ...own.sensitive] : shared.sensitive;
    const deferred = own ? { ...shared.deferred, ...own.deferred } : shared.deferred;
    const ofData = own ? { ...shared.ofData, ...own.ofData } : shared.ofData;
    const address = group.addressOf(instance);
    const mentions = listMentions(address, [shared, own]);
    const resource = {
      address,
      kind,
      project: group.projectOf(instance),
      attributes: own ? { ...shared.attributes, ...own.attributes } : shared.attributes,
      ...(Object.keys(deferred).length > 0 && { deferred }),
      ...(sensitive.length > 0 && { sensitive }),
      ...(Object.keys(ofData).length > 0 && { ofData }),
      ...(mentions.length > 0 && { mentions }),
      ...(rest ?? readRest(group, instance)),
      source,
      attributeSources,
    } as DesiredResource;
    declarations.all.push({ resource, key: entry.key, nodes } satisfies ResourceDeclaration);
  }
}

/** Expands a group and all nested groups, one level after the other. */
function expandWhole(group: ResourceGroup, declarations: ResourceDeclarations): void {
  let level: readonly ResourceGroup[] = [group];
  while (level.length > 0) {
    for (const one of level) {
      expandGroup(one, declarations);
      if (listInstanceKeys(one.instances).length > 0) checkFields(one);
    }
    level = level.flatMap((one) => one.listNested());
  }
}

/**
 * Expands the blocks of a scope and of its modules into resources, and stops where they are too many. A resource with
 * faults is included as far as it could be read.
 */
export function expandResources(scope: ModuleScope, declarations: ResourceDeclarations): void {
  const { expansion } = scope.session;
  for (const groups of scope.collections.values()) {
    for (const group of groups.values()) expandWhole(group, declarations);
  }
  for (const module of scope.modules.values()) {
    for (const inner of module.spaces()) {
      if (expansion.isExceeded) return;
      expandResources(inner, declarations);
    }
  }
  if (!expansion.isExceeded) scope.settle();
}

/** Reports required fields that a resource has neither itself nor from defaults. */
function checkRequired(group: ResourceGroup): void {
  const { kind, fields, entry, path, address, space } = group;
  const isEmpty = entry.value.kind === 'scalar' && entry.value.value === null;
  const required = Object.entries(kindRegistry[kind].fields).filter(
    ([, { isRequired }]) => isRequired,
  );
  if (required.length === 0 || (entry.value.kind !== 'map' && !isEmpty)) return;
  const known = resolveSchema({ $ref: `#/$defs/${kind}` }).properties ?? {};
  // A misspelt key was reported; it is not missing too.
  const meant = [...fields.keys()]
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => suggestNearestName(key, Object.keys(known)));
  for (const [name] of required) {
    if (fields.has(name) || meant.includes(name)) continue;
    const fault = describeMissingKey(name, known[name] ?? {}, path, entry.key);
    space.session.faults.add({ address, ...fault });
  }
}

/** Reports the faults that the kind finds in the fields of a group, once for all instances. */
function checkFields(group: ResourceGroup): void {
  const { fields, entry, address, space } = group;
  const { checks } = kindRegistry[group.kind].traits;
  if (!checks?.fields) return;
  const [instance] = listInstanceKeys(group.instances);
  const placeOf = (name: string) => fields.get(name)?.value ?? entry.key;
  const found = checks.fields({
    has: (name) => fields.has(name),
    textOf: (name) => {
      const node = group.readField(name, instance);
      return node instanceof Unknown ? undefined : readNodeText(node);
    },
    sourceOf: (name) => toSourceRange(placeOf(name)),
  });
  for (const { field, ...fault } of found) {
    space.session.faults.add({ ...fault, address, place: placeOf(field) });
  }
}

type Rebuild = Pick<
  DesiredResource,
  'rebuildOn' | 'deleteBackupsOnRebuild' | 'backupBeforeRebuild' | 'restoresFailedRebuild'
>;

/** Reads `rebuild`: the fields that may ask for one, and what becomes of the backups. */
function readRebuild(group: ResourceGroup, node: LocatedYamlNode | undefined): Rebuild {
  const deletes = isTrueNode(findYamlMapChild(node, 'deleteBackups'));
  const backsUp = isTrueNode(findYamlMapChild(node, 'backupFirst'));
  const restores = isTrueNode(findYamlMapChild(node, 'restoreOnFailure'));
  refuseContradictions(group, node, { deletes, backsUp, restores });
  const on = findYamlMapChild(node, 'on');
  return {
    ...(on && { rebuildOn: readNodeTexts(on) }),
    ...(deletes && { deleteBackupsOnRebuild: true }),
    ...(backsUp && { backupBeforeRebuild: true }),
    ...(restores && { restoresFailedRebuild: true }),
  };
}

function refuseContradictions(
  { space, entry, address }: ResourceGroup,
  node: LocatedYamlNode | undefined,
  { deletes, backsUp, restores }: Readonly<Record<'deletes' | 'backsUp' | 'restores', boolean>>,
): void {
  const { faults } = space.session;
  const placeOf = (name: string) => findYamlMapChild(node, name) ?? entry.key;
  if (deletes && backsUp) {
    faults.add({
      code: 'conflicting-fields',
      summary: '`deleteBackups` and `backupFirst` contradict each other',
      detail: 'The rebuild would delete the very backup that was made for it.',
      hint: 'Keep one of them.',
      address,
      place: placeOf('backupFirst'),
    });
  }
  if (deletes && restores) {
    faults.add({
      code: 'conflicting-fields',
      summary: '`deleteBackups` and `restoreOnFailure` contradict each other',
      detail: 'The rebuild would delete the very backup that is to be restored.',
      hint: 'Keep one of them.',
      address,
      place: placeOf('restoreOnFailure'),
    });
  } else if (restores && !backsUp) {
    faults.add({
      code: 'conflicting-fields',
      summary: '`restoreOnFailure` needs `backupFirst: true`',
      detail: 'Without it no backup is made before a rebuild, so there would be none to restore.',
      hint: 'Add `backupFirst: true` to `rebuild`, or remove `restoreOnFailure`.',
      address,
      place: placeOf('restoreOnFailure'),
    });
  }
}
