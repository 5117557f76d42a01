// Destinations of the values of new tokens: those that the configuration names, or none.
import { resolve } from 'node:path';
import type { SecretFileProblem } from '../checks/check.ts';
import { makeSinks, sweepSinks, type ClaimSink, makeOwnershipTest } from '../execute/secrets/secret-sink.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { State } from '../model/state/state.ts';
import { makesSecret, readWriteTo } from '../model/write-to.ts';
import { findPlaceFault } from '../state/files/written-file.ts';

/** The files and commands that get the values of new access tokens. */
export interface SecretSinks {
  readonly claim: ClaimSink;
  /** The problem of each file that the changes of a plan could not write, by address. */
  inspect(
    changes: readonly Change[],
    state: State,
  ): Promise<ReadonlyMap<Address, SecretFileProblem>>;
  /** Removes temporary files that killed runs left beside the secret files. */
  sweep(state: State, desired: readonly DesiredResource[]): Promise<void>;
}

/** The files and the commands that the configuration in a directory names; it is absolute. */
export function openSecretSinks(
  means: Parameters<typeof makeSinks>[0],
  directory: string,
): SecretSinks {
  return {
    claim: makeSinks(means, directory),
    inspect: (changes, state) => inspectDestinations(changes, state, directory),
    sweep: (state, desired) => sweepSinks(state, desired, directory),
  };
}

/** Keeps no value, writes no file and runs no command, whatever the configuration names. */
export function dropSecrets(label: string): SecretSinks {
  const nowhere = { label, keep: () => Promise.resolve(), abandon: () => Promise.resolve() };
  return withoutFiles(() => Promise.resolve(nowhere));
}

/** Sinks for tokens that write no files, as for a rehearsal. */
export function withoutFiles(claim: ClaimSink): SecretSinks {
  return { claim, inspect: () => Promise.resolve(new Map()), sweep: () => Promise.resolve() };
}

/**
 * Looks whether the files can be written that the changes of a plan write, or that the state is to hold for ours from
 * then on: the problem of each that cannot, by address.
 */
async function inspectDestinations(
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
