import {
  accountAddress,
  childAddress,
  topAddress,
  type Address,
  type InstanceKey,
} from '../../model/address.ts';
import {
  isOutsideProjects,
  isProject,
  kindNames,
  kindPlaces,
  listHeldKinds,
  type KindName,
} from '../../model/kind-places.ts';
import { noEach, type EachBinding } from './each.ts';
import { listDefaults, mergeUnder } from './apply-defaults.ts';
import {
  mapChildOf,
  mapEntriesOf,
  type YamlEntry,
  type LocatedNode,
} from '../source/located-node.ts';
import { ResourceGroup, type ResourceCollections, type ResourceGroups } from './resource-group.ts';
import type { ModuleExpressionContext } from './space.ts';

/** Holder of collections: a block, or the whole configuration, which has no address. */
interface Holder {
  readonly body: LocatedNode;
  readonly address?: Address;
  /** Project of the resources in the block; not used for projects themselves. */
  readonly project: Address;
  /** The values of `each` in this block. */
  readonly each: EachBinding;
  readonly path: readonly string[];
  /** Blocks of `defaults` for the resources in the block, the nearest first. */
  readonly defaults: readonly (LocatedNode | undefined)[];
}

/**
 * The group of a kind with one resource per account; none where its block is absent or empty. The block is at the top of the
 * configuration.
 */
function makeSingle(space: ModuleExpressionContext, kind: KindName): ResourceGroups {
  const { collection: key } = kindPlaces[kind];
  const entry = space.source.tree.entries.get(key);
  if (!entry || space.prefix !== '' || mapEntriesOf(entry.value).size === 0) return new Map();
  const place = { project: accountAddress, address: key, key, path: [key], outer: noEach };
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
      ? topAddress(kind, key, space.prefix)
      : childAddress(holder.address, kind, key);
  const project = isProject(kind) ? undefined : holder.project;
  const path = [...holder.path, collection, key];
  const entry = mergeUnder(given, listDefaults(holder.defaults, collection));
  // Defaults of projects give no resources: those that a project holds are its own.
  const { value: body } = isProject(kind) ? given : entry;
  const held = listHeldKinds(kind);
  const defaults = [mapChildOf(body, 'defaults'), ...holder.defaults];
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
    [...mapEntriesOf(mapChildOf(holder.body, collection))].map((one) => [
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
export function makeGroups(space: ModuleExpressionContext): ResourceCollections {
  const { tree } = space.source;
  const defaults = [mapChildOf(tree, 'defaults')];
  const whole = { body: tree, project: accountAddress, path: [], defaults, each: noEach };
  return makeCollections(space, kindNames.filter(isOutsideProjects), whole);
}
