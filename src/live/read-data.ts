// Reads candidates for `data` from the account: of a project that is not managed the one list that holds the kind, or one
// resource alone where it is asked for by its id. `plan/data/` picks among them.
import { readAttributes } from '../kinds/read-attributes.ts';
import type { ServiceCallOptions } from '../api/wire/caller.ts';
import { describeError } from '../api/errors/describe-error.ts';
import { ServiceError } from '../api/errors/errors.ts';
import { findDataSource, type DataSource } from '../kinds/data-sources.ts';
import { kindRegistry } from '../kinds/registry.ts';
import {
  getLiveStatus,
  type Catalog,
  type LiveRecordOfKind,
  type LiveResource,
} from '../model/account/live.ts';
import type { DataCandidate, DataQueryFault, DataQuery } from '../model/data.ts';
import { isProject, type KindName } from '../model/kind-places.ts';
import { projectKind } from '../model/kind-table.ts';
import { readAttributeText, type Attributes, type Value } from '../model/value.ts';
import type { LiveAccountReader } from './read-live.ts';

/** Resources that a `data` query may select, or the reason why there are none. */
export type DataQueryCandidates =
  | {
      readonly kind: 'candidates';
      readonly candidates: readonly DataCandidate[];
      /** Name of the candidates' project; absent for kinds outside of projects. */
      readonly projectName?: string;
    }
  /** The query's project is not unique: none, or several, have this name or id. */
  | {
      readonly kind: 'project-unclear';
      readonly found: readonly LiveRecordOfKind<typeof projectKind>[];
      readonly all: readonly string[];
    }
  /** The service refuses to list what the query looks for. */
  | { readonly kind: 'refused'; readonly fault: DataQueryFault };

const emptyCatalog: Catalog = { configurations: [], images: [], tariffs: [] };

/**
 * Reads the candidates of each query, in their order, all at once.
 * @throws ApiError where the service cannot be reached, or does not tell even its projects
 */
export async function readDataCandidates(
  source: LiveAccountReader,
  queries: readonly DataQuery[],
): Promise<readonly DataQueryCandidates[]> {
  const failed = new AbortController();
  try {
    const reader = new DataReader(source, { signal: failed.signal });
    return await Promise.all(queries.map((query) => reader.read(query)));
  } catch (error) {
    // Other queries are aborted at a failure: they would go on with retries in vain.
    failed.abort();
    throw error;
  }
}

class DataReader {
  readonly #source: LiveAccountReader;
  readonly #options: ServiceCallOptions;

  constructor(source: LiveAccountReader, options: ServiceCallOptions) {
    this.#source = source;
    this.#options = options;
  }

  async read(query: DataQuery): Promise<DataQueryCandidates> {
    const described = findDataSource(query.kind);
    if (!described) return { kind: 'candidates', candidates: [] };
    if (described.list) {
      const entries = await this.#source.getCatalog(this.#options);
      const candidates = entries[described.list].map((entry) => ({
        id: entry.id,
        key: entry.name,
        createdAt: null,
        values: complete(described, listOffered(entry)),
      }));
      return { kind: 'candidates', candidates };
    }
    const kind = query.kind as KindName;
    if (!described.isInProject) return this.#readOutside(kind, described);
    return this.#readInProject(kind, described, query);
  }

  /** Candidates of a kind outside of projects, or the projects themselves. */
  async #readOutside(kind: KindName, described: DataSource): Promise<DataQueryCandidates> {
    const records = isProject(kind)
      ? await this.#source.listProjects(this.#options)
      : await this.#source.list(kind, { projectId: '' }, this.#options);
    return { kind: 'candidates', candidates: await this.#describe(records, kind, described) };
  }

  async #readInProject(
    kind: KindName,
    described: DataSource,
    query: DataQuery,
  ): Promise<DataQueryCandidates> {
    const projects = await this.#source.listProjects(this.#options);
    const byId = projects.filter(({ id }) => id === query.project);
    const byName = projects.filter(({ name }) => name?.normalize('NFC') === query.project);
    const found = byName.length > 0 ? byName : byId;
    const [project] = found;
    if (!project || found.length > 1) {
      return { kind: 'project-unclear', found, all: projects.flatMap(({ name = [] }) => name) };
    }
    try {
      const records = await this.#readRecords(kind, project.id, query);
      const candidates = await this.#describe(records, kind, described);
      return { kind: 'candidates', candidates, projectName: project.name ?? project.id };
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return { kind: 'refused', fault: explainRefusal(query, error) };
    }
  }

  /** A candidate that is asked for by its id is read alone; where there is none, the list is read for the message. */
  async #readRecords(
    kind: KindName,
    projectId: string,
    { selector }: DataQuery,
  ): Promise<readonly LiveResource[]> {
    if ('attribute' in selector && selector.attribute === 'id') {
      const one = await this.#source.get(kind, { projectId }, selector.value, this.#options);
      if (one) return [one];
    }
    return this.#source.list(kind, { projectId }, this.#options);
  }

  async #describe(
    records: readonly LiveResource[],
    kind: KindName,
    described: DataSource,
  ): Promise<readonly DataCandidate[]> {
    const needsCatalog = Object.values(kindRegistry[kind].fields).some(({ offered }) => offered);
    const catalog = needsCatalog ? await this.#source.getCatalog(this.#options) : emptyCatalog;
    // References of a candidate are shown as ids: the configuration has no key for their resources.
    const names = { catalog, localKey: (_kind: KindName, id: string) => id };
    return records
      .filter((live) => getLiveStatus(live) !== 'deleting')
      .map((live) => {
        const values = complete(described, readAttributes(live, names, undefined));
        const key = readAttributeText(values, described.calledBy);
        return {
          id: live.id,
          key: key === '' ? null : key,
          createdAt: live.createdAt ?? null,
          values,
        };
      });
  }
}

/** Attributes by name; undefined where the service says nothing. */
type Told = Readonly<Record<string, Value | undefined>>;

/** An entry of the catalog as expressions read it: a price has its parts, and a number where the contract has one. */
function listOffered(entry: Catalog[keyof Catalog][number]): Told {
  const price = 'price' in entry ? entry.price : undefined;
  return {
    ...entry,
    price: price && Number(price.amount),
    currency: price?.currency,
    period: price?.period,
  };
}

/** Every attribute that expressions read; null for what the service does not say. */
function complete({ attributes }: DataSource, given: Told): Attributes {
  return Object.fromEntries(
    Object.keys(attributes).map((name): [string, Value] => [name, given[name] ?? null]),
  );
}

function explainRefusal({ name }: DataQuery, error: ServiceError): DataQueryFault {
  const { code, summary, detail, hint } = describeError(error);
  return {
    code,
    summary: `\`${name}\` cannot be read: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    ...(detail !== undefined && { detail }),
    ...(hint !== undefined && { hint }),
    field: projectKind,
  };
}
