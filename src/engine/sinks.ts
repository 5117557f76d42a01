// Destinations of the values of new tokens: those that the configuration names, or none.
import type { SecretFileProblem } from '../checks/check.ts';
import { makeSinks, sweepSinks, type ClaimSink } from '../execute/secrets/secret-sink.ts';
import type { Address } from '../model/address.ts';
import type { Change } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import type { State } from '../model/state/state.ts';
import { inspectDestinations } from './inspect-destinations.ts';

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
