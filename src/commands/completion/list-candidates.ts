// What a shell may complete a word to, from the files of a configuration and a state beside it: fast, without a request,
// a lock or a secret. Whatever is wrong with them, it is no time to say so.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadConfiguration, type Configuration } from '../../config/load-configuration.ts';
import { compareAddresses, parseAddress, type Address } from '../../model/address.ts';
import { kindNames } from '../../model/kind-places.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import { decodeSnapshot } from '../../state/snapshot/snapshot.ts';

/** What is looked for. */
export type CandidateSource =
  /** Addresses of the configuration and the state. */
  | 'addresses'
  /** Those of the state alone. */
  | 'managed'
  | 'outputs';

/** What an answer may have: nobody reads more. */
const mostCandidates = 1_000;

/**
 * What may stand in place of `begun`, in the order of addresses. `kind`: only addresses of this kind, where it is the name
 * of one.
 */
export async function listCandidates(
  runtime: Runtime,
  directory: string,
  { source, kind, begun }: { source: CandidateSource; kind: string; begun: string },
): Promise<readonly string[]> {
  const configuration = await readQuietly(runtime, directory);
  const state = await readStateBeside(runtime, directory, configuration);
  const found =
    source === 'outputs'
      ? listOutputs(configuration, state)
      : listAddresses(source === 'managed' ? undefined : configuration, state, kind);
  return [...new Set(found)]
    .filter((one) => one.startsWith(begun))
    .sort(source === 'outputs' ? undefined : compareAddresses)
    .slice(0, mostCandidates);
}

function listAddresses(
  configuration: Configuration | undefined,
  state: State | undefined,
  kind: string,
): Address[] {
  const configured = configuration?.graph.resources.map(({ address }) => address) ?? [];
  const all = [...configured, ...(state?.resources.keys() ?? [])];
  const isKind = (kindNames as readonly string[]).includes(kind);
  return isKind ? all.filter((address) => parseAddress(address)?.kind === kind) : all;
}

function listOutputs(configuration: Configuration | undefined, state: State | undefined): string[] {
  const configured = configuration?.graph.outputs?.map(({ name }) => name) ?? [];
  return [...configured, ...(state?.outputs?.keys() ?? [])];
}

/** As much of the configuration as can be read. */
async function readQuietly(
  { cwd, env, variables, bounds }: Runtime,
  directory: string,
): Promise<Configuration | undefined> {
  try {
    const loaded = await loadConfiguration({
      directory,
      workingDirectory: cwd,
      variables: { given: variables ?? [], env, areOptional: true },
      ...(bounds && { bounds }),
    });
    return loaded.readable();
  } catch {
    return undefined;
  }
}

/** The state as its file has it; undefined where it is kept elsewhere, or encrypted. */
async function readStateBeside(
  { cwd }: Runtime,
  directory: string,
  configuration: Configuration | undefined,
): Promise<State | undefined> {
  if (configuration?.state.place) return undefined;
  const path = join(resolve(cwd, directory), '.hostwright', 'state.json');
  try {
    const paths = { snapshot: path, backup: '', journal: '' };
    return decodeSnapshot(await readFile(path, 'utf8'), paths).state;
  } catch {
    return undefined;
  }
}
