import { resolve } from 'node:path';
import type { PlaceProblem } from '../checks/check.ts';
import { judgeOurs } from '../execute/secret-sink.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/plan.ts';
import type { State } from '../model/state.ts';
import { makesSecret, readWriteTo } from '../model/write-to.ts';
import { findPlaceFault } from '../state/written-file.ts';

/** True where the plan has the state say that a file is ours. */
function isTakenOn(change: Change): boolean {
  const { action, isImported, before, after } = change;
  if (makesSecret(change) || isImported) return action !== 'delete';
  return action === 'update' && readWriteTo(before).file !== readWriteTo(after).file;
}

/**
 * Looks whether the files can be written that the changes of a plan write, or that the state is to hold for ours from
 * then on: the problem of each that cannot, by address.
 */
export async function inspectDestinations(
  changes: readonly Change[],
  { resources, pending }: State,
  directory: string,
): Promise<ReadonlyMap<Address, PlaceProblem>> {
  const problems = new Map<Address, PlaceProblem>();
  for (const change of changes) {
    const { address, after, isImported } = change;
    const { file } = readWriteTo(after);
    if (change.kind !== 'accessToken' || file === undefined || !isTakenOn(change)) continue;
    const isOpen = pending.has(address) || isImported === true;
    const isOurs = judgeOurs(file, { managed: resources.get(address), isOpen });
    const path = resolve(directory, file);
    const fault = await findPlaceFault({ path, root: directory, isOurs });
    if (fault) problems.set(address, { file, ...fault });
  }
  return problems;
}
