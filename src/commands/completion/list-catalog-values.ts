// Names of the catalog for a variable that gives one: an image, a configuration, a tariff. The service is only asked for an
// account that the environment names, or that was applied to from here, and where no question would come up.
import { ServiceDialect } from '../../api/binding/dialect.ts';
import { resolveContractFile } from '../session/resolve-contract.ts';
import { createServiceClient } from '../../api/client.ts';
import { resolveToken } from '../../api/transport/token.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { parseResourceAddress } from '../../model/address.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { Runtime } from '../../model/runtime.ts';
import { defaultSandboxCatalog } from '../../sandbox/store/catalog.ts';
import { locateService, type RemoteServiceAddress } from '../session/locate-service.ts';
import { openServiceNetwork } from '../session/service-network.ts';
import { readLocalState } from '../session/state/open-backend.ts';
import { readConfigurationLeniently } from './read-quietly.ts';

/** The longest wait for the service, since a person waits for the prompt. */
const patienceMs = 1_500;
/** The most resources that are traced to find the field that a variable is for. */
const mostTraced = 200;

type CatalogNames = Readonly<Record<keyof Catalog, readonly { readonly name: string }[]>>;

/**
 * Lists catalog values that fit a variable, for completion; none where the variable sets no catalog field, or the catalog cannot
 * be read in time.
 */
export async function listCatalogCompletions(
  runtime: Runtime,
  configuration: Configuration,
  variable: string,
): Promise<readonly string[]> {
  const list = await findList(runtime, configuration, variable);
  if (!list) return [];
  try {
    const catalog = await readCatalog(runtime, configuration);
    return catalog?.[list].map(({ name }) => name) ?? [];
  } catch {
    return [];
  }
}

/** The catalog list of the field whose value is this variable and nothing else. */
async function findList(
  runtime: Pick<Runtime, 'bounds' | 'cwd' | 'env' | 'variables'>,
  { directory, graph }: Configuration,
  variable: string,
): Promise<keyof Catalog | undefined> {
  const offered = graph.resources.filter(({ kind }) => hasOffered(kind)).slice(0, mostTraced);
  const traced = offered.map(({ address }) => address);
  const origins = (await readConfigurationLeniently(runtime, directory, traced))?.readable()
    .origins;
  for (const [address, fields] of origins ?? []) {
    const parsed = parseResourceAddress(address);
    if (!parsed) continue;
    const found = fields.find(
      ({ written }) => written?.replaceAll(/\s/g, '') === `\${var.${variable}}`,
    );
    const list = found && fieldsOf(parsed.kind)[found.name]?.offered;
    if (list) return list;
  }
  return undefined;
}

type KindName = keyof typeof kindRegistry;
type Field = { readonly offered?: keyof Catalog };

const fieldsOf = (kind: KindName): Readonly<Record<string, Field>> => kindRegistry[kind].fields;
const hasOffered = (kind: KindName) => Object.values(fieldsOf(kind)).some(({ offered }) => offered);

async function readCatalog(
  runtime: Runtime,
  configuration: Configuration,
): Promise<CatalogNames | undefined> {
  const quiet: Runtime = { ...runtime, askPermission: undefined };
  const state = await readLocalState(quiet, configuration.directory, configuration.state);
  if (!state) return undefined;
  const { place } = await locateService(quiet, configuration, state);
  if (place.kind === 'sandbox') return defaultSandboxCatalog;
  const isKnown = place.givenBy === 'HOSTWRIGHT_BASE_URL' || state.service === place.name;
  if (!isKnown) return undefined;
  const { contract } = await resolveContractFile(quiet, configuration, state);
  return askService(runtime, place, new ServiceDialect(contract?.binding));
}

async function askService(
  runtime: Pick<Runtime, 'clock' | 'env' | 'execute' | 'openNetwork' | 'random'>,
  place: RemoteServiceAddress,
  dialect: ServiceDialect,
): Promise<Catalog> {
  const { clock, env } = runtime;
  // The token comes from the environment: no `--token-command` is run for a completion.
  const token = await resolveToken({ env, execute: (...call) => runtime.execute(...call) });
  const network = await openServiceNetwork(runtime, place);
  const end = new AbortController();
  try {
    const client = createServiceClient({
      dialect,
      kinds: kindRegistry,
      clock,
      token,
      baseUrl: place.baseUrl,
      exchange: network.exchange,
      maxConcurrency: 3,
      random: () => runtime.random(),
    });
    const late = clock.sleep(patienceMs, end.signal).then(() => Promise.reject(new Error('late')));
    return await Promise.race([client.getCatalog({ signal: end.signal }), late]);
  } finally {
    end.abort();
    network.close();
  }
}
