import { resolve } from 'node:path';
import {
  compareResourceAddresses,
  isAtOrBelowAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { StateRuntime } from '../../model/runtime.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import { readConfiguredState, type StateWithTrust } from '../session/state/open-backend.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';

/**
 * Reads the state of a directory, journal records included, with the serial of a snapshot of all that. Nothing is locked or
 * changed. @throws DiagnosticError when it must exist and does not
 */
export async function readState(
  runtime: StateRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
  { mustExist = false } = {},
): Promise<StateWithTrust> {
  const { state, serial, diagnostics } = await readConfiguredState(
    runtime,
    resolve(runtime.cwd, directory),
  );
  reporter.showDiagnostics(diagnostics);
  if (mustExist && state.serial === 0 && state.resources.size + state.pending.size === 0) {
    throw noState(directory);
  }
  return { ...state, serial };
}

function noState(directory: string): DiagnosticError {
  const place = directory === '.' ? 'here' : `in ${directory}`;
  return createCommandRefusal('no-state', `There is no state ${place}`, {
    detail: 'The first apply creates the state, in .hostwright/ beside the configuration.',
    hint: 'Give the directory of the configuration with --chdir, or apply first.',
  });
}

/**
 * Addresses of the state, in address order; with prefixes, those at or below one of them.
 * @throws DiagnosticError for prefixes without a resource at or below them
 */
export function listStateAddresses(
  state: State,
  prefixes: readonly ResourceAddress[],
): ResourceAddress[] {
  const known = [...state.resources.keys()];
  requireStateAddresses(state, known, prefixes);
  return pickStateAddresses(known, prefixes);
}

/** Addresses at or below one of the prefixes, in address order; all without a prefix. */
export function pickStateAddresses(
  known: readonly ResourceAddress[],
  prefixes: readonly ResourceAddress[],
): ResourceAddress[] {
  return known
    .filter(
      (one) => prefixes.length === 0 || prefixes.some((prefix) => isAtOrBelowAddress(one, prefix)),
    )
    .sort(compareResourceAddresses);
}

/** Checks that the state has a resource at or below each address. @throws DiagnosticError for the addresses without one */
export function requireStateAddresses(
  state: State,
  known: readonly ResourceAddress[],
  addresses: readonly ResourceAddress[],
): void {
  const faults = addresses
    .filter((address) => !known.some((one) => isAtOrBelowAddress(one, address)))
    .flatMap((address) => notInState(state, address).diagnostics);
  if (faults.length > 0) throw new DiagnosticError(faults);
}

/** Finds a resource of the state. @throws DiagnosticError when there is none of that address */
export function findStateResource(state: State, address: ResourceAddress): ManagedResource {
  const resource = state.resources.get(address);
  if (resource) return resource;
  throw notInState(state, address);
}

function notInState(state: State, address: ResourceAddress): DiagnosticError {
  const known = [...state.resources.keys()];
  const instance =
    known.find((one) => isAtOrBelowAddress(one, address)) ?? suggestNearestName(address, known);
  const isDirectory = /^\.{1,2}$|[/\\]|^[\w-]+$/.test(address);
  const hint =
    instance === undefined && isDirectory
      ? 'Give an address, such as projects.shop. For a directory, use --chdir.'
      : instance === undefined
        ? 'See "hostwright state list" for its addresses; an index is in brackets: web[0].'
        : `Did you mean ${instance}?`;
  return createCommandRefusal('not-in-state', `The state has no ${address}`, { hint });
}
