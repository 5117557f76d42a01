import type { DesiredGraph } from '../model/resource.ts';
import type { Declarations } from './declarations.ts';
import type { Space } from './space.ts';

/** Everything that the configuration wants, with what it says about addresses and plans. */
export function readGraph(
  _space: Space,
  declarations: Declarations,
  _isWhole: boolean,
): DesiredGraph {
  return { resources: declarations.all.map(({ resource }) => resource) };
}
