// The account as it is, read in the fewest requests: every project by name, and what those hold that concern this
// configuration. A project that is neither configured nor ours is never looked into. Nothing here compares, decides or
// changes anything.
import type { CallOptions } from '../api/transport/call.ts';
import type { ServiceClient } from '../api/client.ts';
import { isNotFound } from '../api/errors/classify-error.ts';
import { foldName } from '../model/text/fold-name.ts';
import type { LiveOf, LiveResource, LiveSnapshot } from '../model/account/live.ts';
import type { LivePortForward } from '../kinds/port-forward/model.ts';
import type { LiveProject } from '../kinds/project/model.ts';
import type { LivePublicIp } from '../kinds/public-ip/model.ts';
import type { KindName } from '../model/kind-places.ts';

/** A kind outside of projects that is read only where somebody uses it. */
export type AccountKind = 'account' | 'accessToken';

/** Something that stood in the account when we last saw it. */
export interface KnownResource {
  readonly kind: KindName;
  readonly id: string;
  /** Its own id for a project. */
  readonly projectId: string;
  /** A port forward's public IP. */
  readonly publicIpId?: string;
}

/** What of the account concerns us. */
export interface LiveScope {
  /** The projects of the state. */
  readonly projectIds: readonly string[];
  /** The names of the projects of the configuration: one that stands in the account may be adopted. */
  readonly projectNames: readonly string[];
  /**
   * What is ours. A list may lag: what it does not show of this is asked for by its id before it is taken as gone. None
   * unless given.
   */
  readonly known?: readonly KnownResource[];
  /** Kinds outside of projects that are wanted; none unless given. */
  readonly accountKinds?: ReadonlySet<AccountKind>;
  /** Whether the forwards of a public IP are wanted; all are unless given. */
  readonly forwardsOf?: (publicIp: LivePublicIp) => boolean;
}

/** Part of the client: what is needed to read. */
export type LiveSource = Pick<
  ServiceClient,
  'listProjects' | 'list' | 'get' | 'getCatalog' | 'getLimits' | 'getNameLengths'
>;

/**
 * Reads the account. The projects in scope are read in parallel, within the client's limit.
 * @throws ApiError for the first request that fails for good; the others are then given up.
 */
export async function readLive(
  client: LiveSource,
  scope: LiveScope,
  { signal }: CallOptions = {},
): Promise<LiveSnapshot> {
  const failed = new AbortController();
  const options = {
    signal: signal ? AbortSignal.any([signal, failed.signal]) : failed.signal,
  };
  try {
    const [{ projects, contents }, ofAccount, catalog, limits, nameLengths] = await Promise.all([
      readProjects(client, scope, options),
      readOutsideProjects(client, scope, options),
      client.getCatalog(options),
      client.getLimits(options),
      client.getNameLengths(options),
    ]);
    return {
      projects,
      resources: [...[...contents.values()].flat(), ...ofAccount],
      readProjectIds: [...contents.keys()],
      catalog,
      limits,
      nameLengths,
    };
  } catch (error) {
    // Or the rest would go on with its retries long after the user has been told.
    failed.abort();
    throw error;
  }
}

async function readProjects(client: LiveSource, scope: LiveScope, options: CallOptions) {
  const listed = await completeList(
    await client.listProjects(options),
    findKnown(scope, 'project'),
    (id) => client.get('project', { projectId: id }, id, options),
  );
  const ids = new Set(scope.projectIds);
  // A service may have kept another form of the name that it was given.
  const names = new Set(scope.projectNames.map(foldName));
  const concerned = listed.filter(({ id, name }) => ids.has(id) || names.has(foldName(name)));
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

/** What lies in no project, and is wanted. */
async function readOutsideProjects(
  client: LiveSource,
  { accountKinds = new Set() }: LiveScope,
  options: CallOptions,
): Promise<readonly LiveResource[]> {
  const lists = [...accountKinds].map((kind): Promise<readonly LiveResource[]> =>
    client.list(kind, { projectId: '' }, options),
  );
  return (await Promise.all(lists)).flat();
}

/** What one project holds; undefined when it was deleted while we read. */
async function readContents(
  client: LiveSource,
  project: LiveProject,
  scope: LiveScope,
  options: CallOptions,
): Promise<readonly LiveResource[] | undefined> {
  const projectId = project.id;
  const { forwardsOf = () => true } = scope;
  const list = async <K extends KindName>(kind: K): Promise<readonly LiveOf<K>[]> => {
    const place = { projectId };
    const known = findKnown(scope, kind, ({ projectId: of }) => of === projectId);
    const listed = await client.list(kind, place, options);
    return completeList(listed, known, (id) => client.get(kind, place, id, options));
  };
  const listWithForwards = async (): Promise<readonly (LivePublicIp | LivePortForward)[]> => {
    const publicIps = await list('publicIp');
    const wanted = publicIps.filter(forwardsOf);
    const forwards = await Promise.all(
      wanted.map((publicIp) => readForwards(client, publicIp, scope, options)),
    );
    return [...publicIps, ...forwards.flat()];
  };
  try {
    const kinds = await Promise.all([
      list('sshKey'),
      list('network'),
      listWithForwards(),
      list('vm'),
    ]);
    return kinds.flat();
  } catch (error) {
    // A list that is not there may also mean that its path is another: then the project still stands.
    if (
      isNotFound(error) &&
      (await client.get('project', { projectId }, projectId, options)) === undefined
    ) {
      return undefined;
    }
    throw error;
  }
}

/** The forwards of a public IP; none when it was released while we read. */
async function readForwards(
  client: LiveSource,
  { id, projectId }: LivePublicIp,
  scope: LiveScope,
  options: CallOptions,
): Promise<readonly LivePortForward[]> {
  const place = { projectId, publicIpId: id };
  const known = findKnown(scope, 'portForward', ({ publicIpId }) => publicIpId === id);
  try {
    const listed = await client.list('portForward', place, options);
    return await completeList(listed, known, (one) =>
      client.get('portForward', place, one, options),
    );
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const still = await client.get('publicIp', { projectId }, id, options);
    if (still !== undefined) throw error;
    return [];
  }
}

function findKnown(
  { known = [] }: LiveScope,
  kind: KindName,
  isThere: (one: KnownResource) => boolean = () => true,
): readonly string[] {
  return known.filter((one) => one.kind === kind && isThere(one)).map(({ id }) => id);
}

/** A list, and what it does not show although it stands there. */
async function completeList<R extends LiveResource>(
  listed: readonly R[],
  known: readonly string[],
  get: (id: string) => Promise<R | undefined>,
): Promise<readonly R[]> {
  const shown = new Set(listed.map(({ id }) => id));
  const hidden = await Promise.all(known.filter((id) => !shown.has(id)).map(get));
  return [...listed, ...hidden.filter((one) => one !== undefined)];
}
