import {
  accountAddress,
  makeChildAddress,
  makeTopLevelAddress,
  type ResourceAddress,
  type InstanceKey,
} from '../../model/address.ts';
import {
  isKindOutsideProjects,
  isProject,
  kindNames,
  kindPlaces,
  listDirectChildKinds,
  type KindName,
} from '../../model/kind-places.ts';
import {
  findYamlMapChild,
  listYamlMapEntries,
  type YamlEntry,
  type LocatedYamlNode,
  type YamlMapNode,
} from '../source/located-node.ts';
import { emptyEachBinding, type EachBinding } from './each.ts';
import { ResourceGroup, type ResourceCollections, type ResourceGroups } from './resource-group.ts';
import type { ModuleExpressionContext } from './space.ts';

/** Holder of collections: a block, or the whole configuration, which has no address. */
interface Holder {
  readonly body: LocatedYamlNode;
  readonly address?: ResourceAddress;
  /** Project of the resources in the block; not used for projects themselves. */
  readonly project: ResourceAddress;
  /** The values of `each` in this block. */
  readonly each: EachBinding;
  readonly path: readonly string[];
  /** Blocks of `defaults` for the resources in the block, the nearest first. */
  readonly defaults: readonly (LocatedYamlNode | undefined)[];
}

/**
 * The group of a kind with one resource per account; none where its block is absent or empty. The block is at the top of the
 * configuration.
 */
function makeSingle(space: ModuleExpressionContext, kind: KindName): ResourceGroups {
  const { collection: key } = kindPlaces[kind];
  const entry = space.source.tree.entries.get(key);
  if (!entry || space.prefix !== '' || listYamlMapEntries(entry.value).size === 0) return new Map();
  const place = {
    project: accountAddress,
    address: key,
    key,
    path: [key],
    outer: emptyEachBinding,
  };
  return new Map([[key, new ResourceGroup(space, { ...place, kind, entry })]]);
}

function makeGroup(
  space: ModuleExpressionContext,
  kind: KindName,
  [key, given]: readonly [string, YamlEntry],
  holder: Holder,
): ResourceGroup {
  const { collection } = kindPlaces[kind];
  const address =
    holder.address === undefined
      ? makeTopLevelAddress(kind, key, space.prefix)
      : makeChildAddress(holder.address, kind, key);
  const project = isProject(kind) ? undefined : holder.project;
  const path = [...holder.path, collection, key];
  const entry = mergeUnder(given, listDefaults(holder.defaults, collection));
  // Defaults of projects give no resources: those that a project holds are its own.
  const { value: body } = isProject(kind) ? given : entry;
  const held = listDirectChildKinds(kind);
  const defaults = [findYamlMapChild(body, 'defaults'), ...holder.defaults];
  const makeNested = (group: ResourceGroup, instance: InstanceKey | undefined) =>
    makeCollections(space, held, {
      body,
      path,
      defaults,
      address: group.addressOf(instance),
      project: group.projectOf(instance),
      each: group.eachOf(instance),
    });
  const { each: outer } = holder;
  const options = { kind, project, address, key, entry, path, outer };
  return new ResourceGroup(space, held.length === 0 ? options : { ...options, makeNested });
}

function makeCollection(
  space: ModuleExpressionContext,
  kind: KindName,
  holder: Holder,
): ResourceGroups {
  const { collection, isSingle } = kindPlaces[kind];
  if (isSingle) return makeSingle(space, kind);
  return new Map(
    [...listYamlMapEntries(findYamlMapChild(holder.body, collection))].map((one) => [
      one[0],
      makeGroup(space, kind, one, holder),
    ]),
  );
}

function makeCollections(
  space: ModuleExpressionContext,
  kinds: readonly KindName[],
  holder: Holder,
): ResourceCollections {
  return new Map(
    kinds.map((kind) => [kindPlaces[kind].collection, makeCollection(space, kind, holder)]),
  );
}

/** The resources of a space, by the collections at the top of the YAML: projects, and the kinds outside of projects. */
export function makeResourceGroups(space: ModuleExpressionContext): ResourceCollections {
  const { tree } = space.source;
  const defaults = [findYamlMapChild(tree, 'defaults')];
  const whole = { body: tree, project: accountAddress, path: [], defaults, each: emptyEachBinding };
  return makeCollections(space, kindNames.filter(isKindOutsideProjects), whole);
}

/** Blocks of `defaults` for the resources of a collection, the nearest first. */
function listDefaults(
  defaults: readonly (LocatedYamlNode | undefined)[],
  collection: string,
): readonly YamlMapNode[] {
  const found = defaults.map((one) => findYamlMapChild(one, collection));
  return found.filter((node) => node?.kind === 'map');
}

const repeating = ['count', 'forEach'];

function mergeMaps(own: YamlMapNode, below: YamlMapNode): YamlMapNode {
  const entries = new Map(own.entries);
  const isRepeated = repeating.some((key) => own.entries.has(key));
  for (const [key, entry] of below.entries) {
    const mine = entries.get(key);
    // `count` and `forEach` exclude each other: the one that is nearer to the resource holds.
    if (!mine && isRepeated && repeating.includes(key)) continue;
    if (!mine) entries.set(key, entry);
    else if (mine.value.kind === 'map' && entry.value.kind === 'map' && key !== 'forEach') {
      entries.set(key, { key: mine.key, value: mergeMaps(mine.value, entry.value) });
    }
  }
  return { ...own, entries };
}

/** A body with defaults under it: maps merge, everything else is taken as a whole. Each value keeps its own place. */
function mergeUnder(entry: YamlEntry, defaults: readonly YamlMapNode[]): YamlEntry {
  if (defaults.length === 0) return entry;
  const { key, value } = entry;
  const isEmpty = value.kind === 'scalar' && value.value === null;
  const { file, start, end } = value;
  const own: LocatedYamlNode = isEmpty
    ? { kind: 'map', entries: new Map(), file, start, end }
    : value;
  if (own.kind !== 'map') return entry;
  return { key, value: defaults.reduce(mergeMaps, own) };
}
