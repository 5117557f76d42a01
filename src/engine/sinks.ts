// Destinations of the values of new tokens: those that the configuration names, or none.
import { resolve } from 'node:path';
import type { SecretFileFault } from '../checks/check.ts';
import {
  makeSecretSinks,
  removeAllSecretFileRemains,
  type ClaimSecretSink,
  makeSecretFileOwnershipTest,
} from '../execute/secrets/secret-sink.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { Change } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { State } from '../model/state/state.ts';
import { isSecretCreatingChange, readSecretDestination } from '../model/write-to.ts';
import { findOutputFilePlaceFault } from '../state/files/written-file.ts';

/** The files and commands that get the values of new access tokens. */
export interface SecretSinks {
  readonly claim: ClaimSecretSink;
  /** The problem of each file that the changes of a plan could not write, by address. */
  inspect(
    changes: readonly Change[],
    state: State,
  ): Promise<ReadonlyMap<ResourceAddress, SecretFileFault>>;
  /** Removes temporary files that killed runs left beside the secret files. */
  sweep(state: State, desired: readonly DesiredResource[]): Promise<void>;
}

/**
 * Opens the destinations of secrets that a configuration names: files and commands. `directory`: absolute path of the
 * configuration's directory.
 */
export function openSecretSinks(
  means: Parameters<typeof makeSecretSinks>[0],
  directory: string,
): SecretSinks {
  return {
    claim: makeSecretSinks(means, directory),
    inspect: (changes, state) => inspectDestinations(changes, state, directory),
    sweep: (state, desired) => removeAllSecretFileRemains(state, desired, directory),
  };
}

/** Makes destinations that drop every secret: no file is written and no command is run, whatever the configuration names. */
export function makeDiscardingSecretSinks(label: string): SecretSinks {
  const nowhere = { label, keep: () => Promise.resolve(), abandon: () => Promise.resolve() };
  return makeFilelessSecretSinks(() => Promise.resolve(nowhere));
}

/** Sinks for tokens that write no files, as for a rehearsal. */
export function makeFilelessSecretSinks(claim: ClaimSecretSink): SecretSinks {
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
): Promise<ReadonlyMap<ResourceAddress, SecretFileFault>> {
  const problems = new Map<ResourceAddress, SecretFileFault>();
  for (const change of changes) {
    const { address, action, after, isImported } = change;
    const { file } = readSecretDestination(after);
    const managed = resources.get(address);
    const isWritten = isSecretCreatingChange(change);
    const isNew = readSecretDestination(managed?.attributes).file !== file;
    if (file === undefined || !(isWritten || isNew)) continue;
    if (action === 'delete' || action === 'forget') continue;
    // Where no file is written now, the state still counts it as ours from then on, as a file that a person has moved
    // there.
    const isOpen = pending.has(address) || isImported === true || !isWritten;
    const isOurs = makeSecretFileOwnershipTest(file, { managed, isOpen });
    const path = resolve(directory, file);
    const fault = await findOutputFilePlaceFault({ path, root: directory, isOurs });
    if (fault) problems.set(address, { file, ...fault });
  }
  return problems;
}
