// The account as it is, read in the fewest requests: every project by name, and what those hold that concern this
// configuration. A project that is neither configured nor ours is never looked into. Nothing here compares, decides or
// changes anything.
import type { ServiceCallOptions } from '../api/wire/caller.ts';
import type { ServiceClient } from '../api/client.ts';
import { operationPurposes } from '../api/contract/operation-needs.ts';
import { classifyRefusal, isNotFound } from '../api/errors/classify-error.ts';
import { decodeNameLengthCaps } from '../api/wire/decode-limits.ts';
import { specifiedReadOperations } from '../api/errors/describe-error.ts';
import { ServiceError } from '../api/errors/errors.ts';
import { kindRegistry } from '../kinds/registry.ts';
import { foldNameForComparison } from '../model/text/fold-name.ts';
import type {
  AccountLimits,
  LiveRecordOfKind,
  LiveResource,
  LiveSnapshot,
  ResourcePlace,
} from '../model/account/live.ts';
import type { MissingServiceOperation } from '../model/account/service-gaps.ts';
import { listDirectChildKinds, listNestedKinds, type KindName } from '../model/kind-places.ts';
import { projectKind } from '../model/kind-table.ts';

type LiveProject = LiveRecordOfKind<typeof projectKind>;

/** A resource that was in the account when an earlier run last saw it. */
export interface LastSeenResource {
  readonly kind: KindName;
  readonly id: string;
  /** Id of the resource's project; for a project its own id. */
  readonly projectId: string;
  /** Id of the public IP that holds a port forward; absent for other kinds. */
  readonly publicIpId?: string;
}

/** The part of the account that a plan has to read. */
export interface LiveReadScope {
  /** Ids of the projects that the state manages. */
  readonly projectIds: readonly string[];
  /** The names of the projects of the configuration: one that stands in the account may be adopted. */
  readonly projectNames: readonly string[];
  /**
   * Managed resources. A list may lag: those that it does not show are asked for by their ids before they are taken as gone.
   * None unless given.
   */
  readonly known?: readonly LastSeenResource[];
  /** Kinds outside of projects that are wanted: each is read only where somebody uses it. None unless given. */
  readonly outsideKinds?: readonly KindName[];
}

/** The part of the client that reading the account needs. */
export type LiveAccountReader = Pick<
  ServiceClient,
  'listProjects' | 'list' | 'get' | 'getCatalog' | 'getLimits' | 'getNameLengths'
> &
  Partial<Pick<ServiceClient, 'gaps' | 'lackedMembers'>>;

type CapOperation = 'getLimits' | 'getNameLengthLimits';

const noLimits: AccountLimits = { quotas: {}, maxSshKeysPerProject: null };
/**
 * Reads the account. The projects in scope are read in parallel, within the client's limit.
 * @throws ApiError for the first request that fails for good; the others are then given up.
 */
export async function readLiveSnapshot(
  client: LiveAccountReader,
  scope: LiveReadScope,
  { signal }: ServiceCallOptions = {},
): Promise<LiveSnapshot> {
  const failed = new AbortController();
  const options = {
    signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal,
  };
  const gaps: MissingServiceOperation[] = [...(client.gaps ?? [])];
  /** Caps only prove that a plan will fit: a token that may not read them plans all the same. */
  const readCaps = <T>(operation: CapOperation, reading: Promise<T>, untold: T): Promise<T> =>
    reading.catch((error: unknown) => {
      if (!(error instanceof ServiceError) || classifyRefusal(error) !== 'forbidden') throw error;
      const { neededFor, without } = operationPurposes[operation];
      gaps.push({ operation, why: 'forbidden', neededFor, without });
      return untold;
    });
  try {
    const [{ projects, contents }, ofAccount, catalog, limits, nameLengths] = await Promise.all([
      readProjects(client, scope, options),
      readOutsideProjects(client, scope, options),
      client.getCatalog(options),
      readCaps('getLimits', client.getLimits(options), noLimits),
      readCaps(
        'getNameLengthLimits',
        client.getNameLengths(options),
        decodeNameLengthCaps({}, kindRegistry),
      ),
    ]);
    return {
      projects,
      resources: [...[...contents.values()].flat(), ...ofAccount],
      readProjectIds: [...contents.keys()],
      catalog,
      limits,
      nameLengths,
      ...(gaps.length > 0 && { gaps }),
      ...(client.lackedMembers?.length && { lackedMembers: client.lackedMembers }),
    };
  } catch (error) {
    // Or the rest would go on with its retries long after the user has been told.
    failed.abort();
    if (error instanceof ServiceError) {
      error.isServiceThere = await isServiceThere(client, error, { signal });
    }
    throw error;
  }
}

/** Tells whether the service answers the other of the two reads by which it is recognised. */
async function isServiceThere(
  client: LiveAccountReader,
  error: ServiceError,
  options: ServiceCallOptions,
): Promise<boolean> {
  if (!isNotFound(error)) return false;
  const { operation } = error;
  if (!specifiedReadOperations.some((one) => one === operation)) return true;
  const other = operation === 'getLimits' ? client.listProjects : client.getLimits;
  return other(options).then(
    () => true,
    () => false,
  );
}

async function readProjects(
  client: LiveAccountReader,
  scope: LiveReadScope,
  options: ServiceCallOptions,
) {
  const listed = await completeList(
    await client.listProjects(options),
    findKnown(scope, projectKind),
    (id) => client.get(projectKind, { projectId: id }, id, options),
  );
  const ids = new Set(scope.projectIds);
  // A service may have kept another form of the name that it was given.
  const names = new Set(scope.projectNames.map(foldNameForComparison));
  const concerned = listed.filter(
    ({ id, name }) => ids.has(id) || names.has(foldNameForComparison(name ?? '')),
  );
  const read = await Promise.all(
    concerned.map(async (project) => ({
      id: project.id,
      resources: await readContents(client, project, scope, options),
    })),
  );
  const contents = new Map<string, readonly LiveResource[]>();
  const gone = new Set<string>();
  for (const { id, resources } of read) {
    if (resources) contents.set(id, resources);
    else gone.add(id);
  }
  return { projects: listed.filter(({ id }) => !gone.has(id)), contents };
}

/** Resources of the wanted kinds outside of projects, such as access tokens. */
async function readOutsideProjects(
  client: LiveAccountReader,
  scope: LiveReadScope,
  options: ServiceCallOptions,
): Promise<readonly LiveResource[]> {
  const { outsideKinds = [] } = scope;
  const lists = await Promise.all(
    outsideKinds.map((kind) =>
      readList(client, kind, { projectId: '' }, { known: findKnown(scope, kind), options }),
    ),
  );
  return lists.flat();
}

/** Contents of one project; undefined when it was deleted while they were read. */
async function readContents(
  client: LiveAccountReader,
  { id: projectId }: LiveProject,
  scope: LiveReadScope,
  options: ServiceCallOptions,
): Promise<readonly LiveResource[] | undefined> {
  try {
    const contents = await Promise.all(
      listDirectChildKinds(projectKind).map((kind) =>
        readWithNested(client, kind, { projectId, scope, options }),
      ),
    );
    return contents.flat();
  } catch (error) {
    if (
      isNotFound(error) &&
      !(await isListed(client, projectKind, { projectId }, projectId, options))
    )
      return undefined;
    throw error;
  }
}

/**
 * Tells whether a resource still stands in which a list was not found: the path of the list may be another. That of its
 * single read may be another as well, so that only its own list proves it gone.
 */
async function isListed(
  client: LiveAccountReader,
  kind: KindName,
  place: ResourcePlace,
  id: string,
  options: ServiceCallOptions,
): Promise<boolean> {
  if ((await client.get(kind, place, id, options)) !== undefined) return true;
  const listed: readonly LiveResource[] = await (kind === projectKind
    ? client.listProjects(options)
    : client.list(kind, place, options));
  return listed.some((one) => one.id === id);
}

/** Project to read, with options of the reading. */
interface Within {
  readonly projectId: string;
  readonly scope: LiveReadScope;
  readonly options: ServiceCallOptions;
}

/** The resources of one kind with the nested ones of each: public IPs, and their port forwards. */
async function readWithNested(
  client: LiveAccountReader,
  kind: KindName,
  within: Within,
): Promise<readonly LiveResource[]> {
  const { projectId, scope, options } = within;
  const known = findKnown(scope, kind, (one) => one.projectId === projectId);
  const resources = await readList(client, kind, { projectId }, { known, options });
  const nested = await Promise.all(
    listNestedKinds(kind).flatMap((below) =>
      resources.map((holder) => readBelow(client, below, holder, within)),
    ),
  );
  return [...resources, ...nested.flat()];
}

/** Resources of one kind below a holder; none when the holder was deleted while they were read. */
async function readBelow(
  client: LiveAccountReader,
  kind: KindName,
  holder: LiveResource,
  { projectId, scope, options }: Within,
): Promise<readonly LiveResource[]> {
  const known = findKnown(scope, kind, ({ publicIpId }) => publicIpId === holder.id);
  try {
    const place = { projectId, publicIpId: holder.id };
    return await readList(client, kind, place, { known, options });
  } catch (error) {
    if (
      !isNotFound(error) ||
      (await isListed(client, holder.kind, { projectId }, holder.id, options))
    )
      throw error;
    return [];
  }
}

/** Reads a list, and singly the known resources that it does not show. */
async function readList(
  client: LiveAccountReader,
  kind: KindName,
  place: ResourcePlace,
  { known, options }: { readonly known: readonly string[]; readonly options: ServiceCallOptions },
): Promise<readonly LiveResource[]> {
  const listed = await client.list(kind, place, options);
  // An empty list may be no list at all: some services answer null for it.
  if (kindRegistry[kind].traits.believedList && listed.length > 0) return listed;
  return completeList(listed, known, (id) => client.get(kind, place, id, options));
}

function findKnown(
  { known = [] }: LiveReadScope,
  kind: KindName,
  isThere: (one: LastSeenResource) => boolean = () => true,
): readonly string[] {
  return known.filter((one) => one.kind === kind && isThere(one)).map(({ id }) => id);
}

/** A list, with the known resources that it does not show and that a get still finds. */
async function completeList<R extends LiveResource>(
  listed: readonly R[],
  known: readonly string[],
  get: (id: string) => Promise<R | undefined>,
): Promise<readonly R[]> {
  const shown = new Set(listed.map(({ id }) => id));
  const hidden = await Promise.all(known.filter((id) => !shown.has(id)).map(get));
  return [...listed, ...hidden.filter((one) => one !== undefined)];
}
