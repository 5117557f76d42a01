import { resolve } from 'node:path';
import { compareAddresses, isAtOrBelow, type Address } from '../model/address.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime } from '../model/runtime.ts';
import type { ManagedResource, State } from '../model/state.ts';
import { suggest } from '../model/suggest.ts';
import { openState } from '../state/store.ts';
import { refuse } from './refuse.ts';
import type { Reporter } from './reporter.ts';

/** Reads the state of a directory. Nothing is locked or changed. @throws DiagnosticError when it must exist and does not */
export async function readState(
  runtime: Runtime,
  directory: string,
  reporter: Reporter,
  { mustExist = false } = {},
): Promise<State> {
  const store = await openState(resolve(runtime.cwd, directory), { isReadOnly: true });
  try {
    reporter.showDiagnostics(store.diagnostics);
    const { state } = store;
    if (mustExist && state.serial === 0 && state.resources.size + state.pending.size === 0) {
      throw new DiagnosticError([noState(directory)]);
    }
    return state;
  } finally {
    await store.close();
  }
}

function noState(directory: string): Diagnostic {
  return {
    severity: 'error',
    code: 'no-state',
    summary: directory === '.' ? 'There is no state here' : `There is no state in ${directory}`,
    detail: 'The state stands in .hostwright/ beside the configuration, from its first apply on.',
    hint: 'Give the directory of the configuration with --chdir, or apply first.',
  };
}

/** The addresses of the state, in address order; with prefixes, those at or below one of them. */
export function listAddresses(state: State, prefixes: readonly string[]): Address[] {
  return [...state.resources.keys()]
    .filter(
      (address) => prefixes.length === 0 || prefixes.some((prefix) => isAtOrBelow(address, prefix)),
    )
    .sort(compareAddresses);
}

/** One resource of the state. @throws DiagnosticError when there is none of that address */
export function findResource(state: State, address: Address): ManagedResource {
  const resource = state.resources.get(address);
  if (resource) return resource;
  throw notInState(state, address);
}

/** What is said of an address that the state does not have, nor anything below it. */
export function notInState(state: State, address: Address): DiagnosticError {
  const known = [...state.resources.keys()];
  const instance = known.find((one) => isAtOrBelow(one, address)) ?? suggest(address, known);
  const hint =
    instance === undefined
      ? 'See "hostwright state list" for the addresses that it has; an index stands in brackets: web[0].'
      : `Did you mean ${instance}?`;
  return refuse('not-in-state', `The state has no ${address}`, { hint });
}
