import type { Address } from '../model/address.ts';
import type { DesiredGraph, DesiredResource } from '../model/resource.ts';
import { checkAddresses } from './check-addresses.ts';
import type { Declarations } from './declarations.ts';
import { isTrue } from './read-fields.ts';
import { readGuards } from './read-guards.ts';
import { readImports, readMoves, readRemovals, type ReadEntry } from './read-moves.ts';
import { Unknown } from '../expressions/scope.ts';
import { listSpaces, type Space } from './space.ts';

/** Projects in which whatever is not configured is to go. */
function listExclusive(space: Space): readonly Address[] {
  return listSpaces(space).flatMap(({ projects }) =>
    [...projects.values()].flatMap(({ self }) => {
      const flag = self.readField('exclusive', undefined);
      return !(flag instanceof Unknown) && isTrue(flag) ? [self.address] : [];
    }),
  );
}

function given<T>(name: string, entries: readonly ReadEntry<T>[]): Record<string, readonly T[]> {
  return entries.length > 0 ? { [name]: entries.map(({ entry }) => entry) } : {};
}

/** Everything that the configuration wants, with what it says about addresses and plans. */
export function readGraph(
  space: Space,
  declarations: Declarations,
  isWhole: boolean,
): DesiredGraph {
  const resources: readonly DesiredResource[] = declarations.all.map(({ resource }) => resource);
  const moved = readMoves(space);
  const imports = readImports(space);
  const removed = readRemovals(space);
  const exclusive = listExclusive(space);
  const guards = readGuards(space);
  // What a file holds that could not be read may be what an address names.
  if (isWhole) checkAddresses({ moved, imports, removed }, declarations, space.session.faults);
  return {
    resources,
    ...given('moved', moved),
    ...given('imports', imports),
    ...given('removed', removed),
    ...(exclusive.length > 0 && { exclusive }),
    ...(guards && { guards }),
  };
}
