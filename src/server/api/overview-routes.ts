// Routes of the overview: all workspaces, accounts and workers at a glance.
import type { Hono } from 'hono';
import { findRestrictedViewer } from '../access/authenticate.ts';
import { isRoleGranted } from '../people/roles.ts';
import {
  overviewPageSize,
  workspaceStatuses,
  type OverviewWorkspaceRow,
} from '../store/overview.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { describeWorkspaceDriftJson, describeWorkspaceJson } from './show-run.ts';
import type { ReadValidatedBody } from './validate-body.ts';
import type { Schemas } from '../contract.ts';

/** One page of the paged list of workspaces, as JSON. */
export type OverviewJson = Schemas['Overview'];
/** The server itself as JSON: version, health, hold. */
export type ServerInfoJson = Schemas['Server'];

const mostPages = 100_000;
const mostSearched = 200;

/** Adds the API routes of the overview of workspaces. */
export function addOverviewRoutes(
  app: Hono<ApiRequestContext>,
  { store, version }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  app.get('/api/v1/overview', async (context) => {
    const query = readQuery((name) => context.req.query(name));
    const caller = context.get('caller');
    const who = { viewer: findRestrictedViewer(caller), caller: caller.id };
    const mayApproveAll = isRoleGranted(caller.roles, 'approve');
    const { counts, rows } = await store.readOverview({ ...query, ...who, mayApproveAll });
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const total = query.status === undefined ? all : counts[query.status];
    const workspaces = rows.map(showRow);
    const hold = await store.hold.read();
    return context.json({
      ...(hold && { hold }),
      counts,
      total,
      page: query.page,
      pageSize: overviewPageSize,
      workspaces,
    });
  });
  app.get('/api/v1/server', async (context) => {
    const [hold, workers, sessionCount, staleTexts, sweptAt] = await Promise.all([
      store.hold.read(),
      store.listWorkers(),
      store.sessions.count(),
      store.blobs.countStale(),
      store.retention.readSweptAt(),
    ]);
    const key = { id: store.blobs.keyId, staleTexts };
    const shown = { version, sessionCount, key, workers };
    return context.json({ ...shown, ...(hold && { hold }), ...(sweptAt && { sweptAt }) });
  });
  const path = '/api/v1/server/hold';
  app.put(path, async (context) => {
    const { reason } = await readBody(context.req.raw, 'NewHold');
    const hold = { reason, isCopy: false };
    await context.get('acting').record(
      async () => {
        if (!(await store.hold.begin(hold)))
          throw new ApiProblemError(409, 'The server is held already');
      },
      () => ({ act: 'server.hold', target: 'server', detail: hold }),
    );
    return context.json(await store.hold.read());
  });
  app.delete(path, async (context) => {
    await context.get('acting').record(
      async () => {
        if (!(await store.hold.end())) throw new ApiProblemError(409, 'The server is not held');
      },
      () => ({ act: 'server.release', target: 'server' }),
    );
    return context.body(null, 204);
  });
  app.delete('/api/v1/sessions', async (context) => {
    await context.get('acting').record(
      () => store.sessions.endAll(),
      () => ({ act: 'sessions.end', target: 'sessions' }),
    );
    return context.body(null, 204);
  });
}

function readQuery(read: (name: string) => string | undefined) {
  const given = read('status');
  const status = workspaceStatuses.find((one) => one === given);
  if (given !== undefined && status === undefined)
    throw new ApiProblemError(422, `status is one of ${workspaceStatuses.join(', ')}`);
  const page = Number(read('page') ?? 1);
  if (!Number.isInteger(page) || page < 1 || page > mostPages)
    throw new ApiProblemError(422, `page is a whole number from 1 to ${mostPages}`);
  const search = read('search') ?? '';
  if (search.length > mostSearched || search.includes('\0'))
    throw new ApiProblemError(422, `search is a text of at most ${mostSearched} characters`);
  return { status, search, page };
}

function showRow({ lastRun, counts, approval, drift, ...workspace }: OverviewWorkspaceRow): object {
  return {
    ...describeWorkspaceJson(workspace),
    ...(lastRun && { lastRun }),
    ...(approval && { approval }),
    ...(drift && { drift: describeWorkspaceDriftJson(drift) }),
    ...(counts && workspace.status === 'waiting' && { planCounts: counts }),
  };
}
