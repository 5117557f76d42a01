import type { Address } from '../../model/address.ts';
import type { DesiredGraph, DesiredResource } from '../../model/resource.ts';
import { checkAddresses } from './check-addresses.ts';
import type { EmptyGroup } from '../../model/state/projected-state.ts';
import type { Declarations } from '../scope/declarations.ts';
import { countInstances } from '../scope/each.ts';
import { readChecks, readOutputs, readPolicies } from './read-conditions.ts';
import { isTrue } from './read-fields.ts';
import { readGuards } from './read-guards.ts';
import { readImports, readMoves, readRemovals, type ReadEntry } from './read-moves.ts';
import { Unknown } from '../../expressions/evaluate/scope.ts';
import { listScopes, type ModuleScope } from '../scope/module-scope.ts';

/** Projects in which whatever is not configured is to go. */
function listExclusive(space: ModuleScope): readonly Address[] {
  return listScopes(space).flatMap(({ projects }) =>
    [...projects.values()].flatMap(({ self }) => {
      const flag = self.readField('exclusive', undefined);
      return !(flag instanceof Unknown) && isTrue(flag) ? [self.address] : [];
    }),
  );
}

/** What is repeated no times, of which there are no resources. */
function listEmptyGroups(space: ModuleScope): readonly EmptyGroup[] {
  return listScopes(space).flatMap(({ projects }) =>
    [...projects.values()].flatMap(({ collections }) =>
      [...collections.values()].flatMap((groups) =>
        [...groups.values()].flatMap(({ address, eachKind, instances }): EmptyGroup[] =>
          eachKind !== 'none' && instances.kind !== 'unknown' && countInstances(instances) === 0
            ? [{ address, isList: eachKind === 'count' }]
            : [],
        ),
      ),
    ),
  );
}

/** What is repeated nobody knows how often, without an instance. */
function listUncertain(root: ModuleScope): ReadonlySet<Address> {
  const uncertain = listScopes(root).flatMap(({ projects, tokens, modules, prefix }) => {
    const collections = [...projects.values()].flatMap((project) => [
      ...project.collections.values(),
    ]);
    const groups = [tokens, ...collections].flatMap((all) => [...all.values()]);
    const used = [...modules.values()].map(({ instances, key }) => {
      return { instances, address: `${prefix}modules.${key}` };
    });
    return [...groups, ...used].filter(({ instances }) => instances.kind === 'unknown');
  });
  return new Set(uncertain.map(({ address }) => address));
}

function pick<T>(entries: readonly ReadEntry<T>[]): readonly T[] {
  return entries.map(({ entry }) => entry);
}

/** The lists that hold something. */
function withoutEmpty<T extends Readonly<Record<string, readonly unknown[]>>>(
  lists: T,
): Partial<T> {
  return Object.fromEntries(
    Object.entries(lists).filter(([, list]) => list.length > 0),
  ) as Partial<T>;
}

/** Everything that the configuration wants, with what it says about addresses and plans. */
export function readGraph(
  space: ModuleScope,
  declarations: Declarations,
  isWhole: boolean,
): DesiredGraph {
  const resources: readonly DesiredResource[] = declarations.all.map(({ resource }) => resource);
  const moved = readMoves(space);
  const imports = readImports(space);
  const removed = readRemovals(space);
  const exclusive = listExclusive(space);
  const guards = readGuards(space);
  const emptyGroups = listEmptyGroups(space);
  // What a file holds that could not be read may be what an address names.
  if (isWhole) {
    const modules = listScopes(space).flatMap(({ prefix }) => prefix.slice(0, -1) || []);
    const configured = { declarations, modules, uncertain: listUncertain(space) };
    checkAddresses({ moved, imports, removed }, configured, space.session.faults);
  }
  const lists = {
    moved: pick(moved),
    imports: pick(imports),
    removed: pick(removed),
    exclusive,
    policies: readPolicies(space),
    checks: readChecks(space),
    outputs: readOutputs(space),
    emptyGroups,
    unprotected: declarations.unprotected,
  };
  return { resources, ...withoutEmpty(lists), ...(guards && { guards }) };
}
