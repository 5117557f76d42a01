import { childAddress, kindOfCollection, type Address } from '../../model/address.ts';
import type { KindName } from '../../model/kind-places.ts';
import { projectKind } from '../../model/kind-table.ts';
import { listDefaults, mergeUnder } from '../graph/apply-defaults.ts';
import { childOf, entriesOf, type Entry } from '../source/located-node.ts';
import { ResourceGroup } from './resource-group.ts';
import type { Space } from './space.ts';

/** A project with the resources of each of its collections, by key. */
export interface ProjectGroup {
  readonly self: ResourceGroup;
  readonly collections: ReadonlyMap<string, ReadonlyMap<string, ResourceGroup>>;
}

function makeCollection(
  space: Space,
  project: Address,
  body: Entry,
  [collection, kind]: readonly [string, KindName],
  path: readonly string[],
): ReadonlyMap<string, ResourceGroup> {
  const defaults = listDefaults(space.source.tree, body.value, collection);
  const groups = new Map<string, ResourceGroup>();
  for (const [key, entry] of entriesOf(childOf(body.value, collection))) {
    const address = childAddress(project, kind, key);
    const merged = mergeUnder(entry, defaults);
    const way = [...path, collection, key];
    groups.set(
      key,
      new ResourceGroup(space, { kind, project, address, key, entry: merged, path: way }),
    );
  }
  return groups;
}

/** The projects of a space by key. */
export function makeProjects(space: Space): ReadonlyMap<string, ProjectGroup> {
  const projects = new Map<string, ProjectGroup>();
  for (const [key, entry] of entriesOf(childOf(space.source.tree, 'projects'))) {
    const project = `${space.prefix}projects.${key}`;
    const path = ['projects', key];
    const own = mergeUnder(entry, listDefaults(space.source.tree, undefined, 'projects'));
    const collections = [...kindOfCollection].map(
      (one) => [one[0], makeCollection(space, project, entry, one, path)] as const,
    );
    projects.set(key, {
      self: new ResourceGroup(space, {
        kind: projectKind,
        project,
        address: project,
        key,
        entry: own,
        path,
      }),
      collections: new Map(collections),
    });
  }
  return projects;
}
