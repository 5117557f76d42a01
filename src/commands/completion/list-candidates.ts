// Completions of a word in a shell, from the files of a configuration and a state beside it: fast, without a lock or a
// secret, and without a request except for names of the catalog. Errors are silent: a prompt is no place for them.
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Configuration } from '../../config/load-configuration.ts';
import {
  compareResourceAddresses,
  parseResourceAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import { kindNames } from '../../model/kind-places.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import { catalogListNames } from '../../render/account/catalog-text.ts';
import { decodeSnapshot } from '../../state/snapshot/snapshot.ts';
import { stateFileNames, openDiskStateFiles, stateDirectoryName } from '../../state/files/files.ts';
import { readConfigurationLeniently } from './read-quietly.ts';

/** Kinds of words that the shell can complete. */
export type CompletionSource =
  /** Addresses of the configuration and the state. */
  | 'addresses'
  /** Addresses of the state alone. */
  | 'managed'
  | 'outputs'
  /** `NAME=`, and with the equals sign `NAME=VALUE` where the catalog has the values. */
  | 'variables'
  | 'catalog lists'
  | 'directories';

/** The most completions that are offered: nobody reads more. */
const mostCandidates = 1_000;

/**
 * Lists completions of the word `begun`, in the order of addresses. Where `kind` is the name of a resource kind, only its
 * addresses are listed.
 */
export async function listCompletions(
  runtime: Runtime,
  directory: string,
  { source, kind, begun }: { source: CompletionSource; kind: string; begun: string },
): Promise<readonly string[]> {
  const found = await find(runtime, directory, { source, kind, begun });
  const isAddress = source === 'addresses' || source === 'managed';
  return [...new Set(found)]
    .filter((one) => one.startsWith(begun))
    .sort(isAddress ? compareResourceAddresses : undefined)
    .slice(0, mostCandidates);
}

async function find(
  runtime: Runtime,
  directory: string,
  { source, kind, begun }: { source: CompletionSource; kind: string; begun: string },
): Promise<readonly string[]> {
  if (source === 'catalog lists') return catalogListNames;
  if (source === 'directories') return listDirectories(runtime, begun);
  const loaded = await readConfigurationLeniently(runtime, directory);
  const configuration = loaded?.readable();
  const state = await readStateBeside(runtime, directory, configuration);
  switch (source) {
    case 'outputs':
      return listOutputs(configuration, state);
    case 'variables': {
      const names = [...(loaded?.values.keys() ?? [])];
      if (!configuration || !begun.includes('=')) return names.map((name) => `${name}=`);
      const name = begun.slice(0, begun.indexOf('='));
      const { listCatalogCompletions: listCatalogValues } =
        await import('./list-catalog-values.ts');
      const values = await listCatalogValues(runtime, configuration, name);
      return values.map((value) => `${name}=${value}`);
    }
    default:
      return listAddresses(source === 'managed' ? undefined : configuration, state, kind);
  }
}

/** Directories, each with a slash, since another may follow. Hidden ones only for a word that begins with a dot. */
async function listDirectories({ cwd }: Pick<Runtime, 'cwd'>, begun: string): Promise<string[]> {
  const [, parent = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(begun) ?? [];
  const entries = await readdir(resolve(cwd, parent), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((one) => one.isDirectory() && (name.startsWith('.') || !one.name.startsWith('.')))
    .map((one) => `${parent}${one.name}/`);
}

function listAddresses(
  configuration: Configuration | undefined,
  state: State | undefined,
  kind: string,
): ResourceAddress[] {
  const configured = configuration?.graph.resources.map(({ address }) => address) ?? [];
  const all = [...configured, ...(state?.resources.keys() ?? [])];
  const isKind = kindNames.includes(kind);
  return isKind ? all.filter((address) => parseResourceAddress(address)?.kind === kind) : all;
}

function listOutputs(configuration: Configuration | undefined, state: State | undefined): string[] {
  const configured = configuration?.graph.outputs?.map(({ name }) => name) ?? [];
  return [...configured, ...(state?.outputs?.keys() ?? [])];
}

/** The state in its local file; undefined where it is kept elsewhere, or encrypted. */
async function readStateBeside(
  { cwd }: Pick<Runtime, 'cwd'>,
  directory: string,
  configuration: Configuration | undefined,
): Promise<State | undefined> {
  if (configuration?.state.place) return undefined;
  const files = openDiskStateFiles(join(resolve(cwd, directory), stateDirectoryName));
  try {
    const paths = { snapshot: files.pathOf(stateFileNames.snapshot), backup: '', journal: '' };
    return decodeSnapshot((await files.read(stateFileNames.snapshot)) ?? '', paths).state;
  } catch {
    return undefined;
  }
}
