import { resolve } from 'node:path';
import type { SecretFileProblem } from '../checks/check.ts';
import { makeOwnershipTest } from '../execute/secrets/secret-sink.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/plan/plan.ts';
import type { State } from '../model/state/state.ts';
import { makesSecret, readWriteTo } from '../model/write-to.ts';
import { findPlaceFault } from '../state/files/written-file.ts';

/**
 * Looks whether the files can be written that the changes of a plan write, or that the state is to hold for ours from
 * then on: the problem of each that cannot, by address.
 */
export async function inspectDestinations(
  changes: readonly Change[],
  { resources, pending }: State,
  directory: string,
): Promise<ReadonlyMap<Address, SecretFileProblem>> {
  const problems = new Map<Address, SecretFileProblem>();
  for (const change of changes) {
    const { address, action, after, isImported } = change;
    const { file } = readWriteTo(after);
    const managed = resources.get(address);
    const isWritten = makesSecret(change);
    const isNew = readWriteTo(managed?.attributes).file !== file;
    if (file === undefined || !(isWritten || isNew)) continue;
    if (action === 'delete' || action === 'forget') continue;
    // Nothing is written now, but the state then counts the file as ours, as one that was moved by hand.
    const isOpen = pending.has(address) || isImported === true || !isWritten;
    const isOurs = makeOwnershipTest(file, { managed, isOpen });
    const path = resolve(directory, file);
    const fault = await findPlaceFault({ path, root: directory, isOurs });
    if (fault) problems.set(address, { file, ...fault });
  }
  return problems;
}
