// The interface of the server, by schemas/server.yaml. Whatever shows or asks for something goes through it.
import { Hono, type Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type * as prometheus from 'prom-client';
import { DiagnosticError } from '../../model/errors.ts';
import { findRestrictedViewer } from '../access/authenticate.ts';
import { isServerReachedByTls } from '../access/session-cookie.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { readAuditEntries } from '../audit/audit-log.ts';
import type { Schemas } from '../contract.ts';
import { isUnstorableText } from '../database/database.ts';
import { isRowId } from '../database/row-id.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { RunFault } from '../errors/run-fault.ts';
import { addHealthRoutes } from '../health/add-health-routes.ts';
import { loadOptionalPackage } from '../load-package.ts';
import { renderMetrics } from '../metrics/render-metrics.ts';
import { findRequiredMemberRole } from '../people/roles.ts';
import { cancelRun, requestApplyRun, requestRun, requireAddedRun } from '../runs/request-run.ts';
import type { StoredRun } from '../store/run.ts';
import { addAccountRoutes } from './account-routes.ts';
import { openEventStreamLimiter } from './answer-stream.ts';
import { describeRunReason, type ApiRequestContext, type ApiDependencies } from './api-means.ts';
import { addApprovalRoutes } from './approval-routes.ts';
import { addConnectionRoutes } from './connection-routes.ts';
import { followRunLog, printRunLog } from './follow-log.ts';
import { guardApiRoutes, isCallerStillAllowed } from './guard-api.ts';
import { addMemberRoutes } from './member-routes.ts';
import { addMessageRoutes } from './message-routes.ts';
import { addOverviewRoutes } from './overview-routes.ts';
import { addOwnerRoutes } from './owner-routes.ts';
import { explainUnansweredRequest } from './refuse-method.ts';
import { addPolicyRoutes } from './policy-routes.ts';
import { addReportRoutes } from './report-routes.ts';
import { listWorkspaceRoles, requireWorkspaceRole } from './require-role.ts';
import { describeWorkspaceDriftJson, describeRunJson, describeWorkspaceJson } from './show-run.ts';
import { findApplyWindowFit, findRunHold } from '../runs/run-timing.ts';
import { addStateRoutes } from './state-routes.ts';
import { traceRequests } from './trace-requests.ts';
import { openBodyValidation, type ReadValidatedBody } from './validate-body.ts';
import { addVariableSetRoutes } from './variable-set-routes.ts';
import { addWebhookRoutes } from './webhook-routes.ts';
import {
  addWorkspaceEditRoutes,
  createTakenNameProblem,
  requireAllowedVariables,
  requireValidApplySchedule,
  requireValidProbeRanges,
  requireKnownVariableSets,
  requireVariableValues,
  requireHostConnection,
  requireAcyclicWorkspaceOrder,
} from './workspace-routes.ts';

/** Makes the HTTP API of the server with all of its routes. */
export async function createApiRoutes(means: ApiDependencies): Promise<Hono<ApiRequestContext>> {
  const app = new Hono<ApiRequestContext>();
  app.use(
    '*',
    secureHeaders({
      // A page has a policy of its own.
      overwrite: false,
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      referrerPolicy: 'same-origin',
      strictTransportSecurity: isServerReachedByTls(means.publicUrl) && 'max-age=31536000',
    }),
  );
  app.use('*', async (context, next) => {
    await next();
    const { headers } = context.res;
    // Only now: what is answered to a fault comes after the routes.
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  });
  addHealthRoutes(app, means.readHealth);
  // Tracing starts below the health routes, as nobody wants a trace of each health check.
  app.use('*', traceRequests(means.tracing));
  addWebhookRoutes(app, means);
  const guard = guardApiRoutes(means);
  app.use('/api/*', guard);
  app.use('/metrics', guard);
  addMetrics(app, means);
  const readBody = await openBodyValidation();
  addWorkspaces(app, means, readBody);
  addWorkspaceEditRoutes(app, means, readBody);
  addOwnerRoutes(app, means, readBody);
  addRuns(app, means, readBody);
  addOverviewRoutes(app, means, readBody);
  addAccountRoutes(app, means, readBody);
  addConnectionRoutes(app, means, readBody);
  addMemberRoutes(app, means, readBody);
  addMessageRoutes(app, means, readBody);
  addPolicyRoutes(app, means, readBody);
  addVariableSetRoutes(app, means, readBody);
  addAudit(app, means);
  addStateRoutes(app, means);
  app.notFound((context) => explainUnansweredRequest(app, context).toResponse());
  app.onError((error, { req }) => {
    if (error instanceof ApiProblemError) return error.toResponse();
    if (error instanceof RunFault) {
      const problem = new ApiProblemError(409, 'The run cannot be queued', error.message);
      if (error.doneBy !== undefined) problem.more = { run: error.doneBy };
      return problem.toResponse();
    }
    // PostgreSQL cannot store a NUL character, so that nothing can have such a name.
    if (isUnstorableText(error) && req.path.includes('\0'))
      return new ApiProblemError(404, 'There is nothing at this path').toResponse();
    if (isUnstorableText(error))
      return new ApiProblemError(
        422,
        'No text can have the character NUL',
        'Leave it out.',
      ).toResponse();
    means.warn(error.stack ?? error.message);
    return new ApiProblemError(500, 'The server failed; its log says more').toResponse();
  });
  return app;
}

function addWorkspaces(
  app: Hono<ApiRequestContext>,
  { store, checkSource }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  app.get('/api/v1/workspaces', async (context) =>
    context.json({
      workspaces: (await store.workspaces.list(findRestrictedViewer(context.get('caller')))).map(
        describeWorkspaceJson,
      ),
    }),
  );
  app.post('/api/v1/workspaces', async (context) => {
    const given = await readBody(context.req.raw, 'NewWorkspace');
    requireAllowedVariables(given.variables);
    requireValidProbeRanges(given.allowProbes);
    requireValidApplySchedule(given);
    requireVariableValues(given.variables);
    await requireHostConnection(store, given);
    const warning = await checkSource(given);
    const made = await context.get('acting').record(
      async () => {
        await requireAcyclicWorkspaceOrder(store, given.name, given.after);
        await requireKnownVariableSets(store, given.variableSets);
        const added = await store.workspaces.add(given);
        if (!added) throw createTakenNameProblem();
        return added;
      },
      ({ name }) => ({
        act: 'workspace.create',
        target: `workspace/${name}`,
        detail: { variables: Object.keys(given.variables) },
      }),
    );
    return context.json(
      { ...describeWorkspaceJson(made), ...(warning !== undefined && { warning }) },
      201,
    );
  });
  app.get('/api/v1/workspaces/:name', async (context) => {
    const found = await store.workspaces.find(context.req.param('name'));
    if (!found) throw new ApiProblemError(404, 'There is no such workspace');
    const may = await listWorkspaceRoles(store, context.get('caller'), found.name);
    const drift = await store.drift.find(found.id);
    const shown = {
      ...describeWorkspaceJson(found),
      ...(drift && { drift: describeWorkspaceDriftJson(drift) }),
    };
    return context.json({ ...shown, roles: may });
  });
}

function addRuns(
  app: Hono<ApiRequestContext>,
  means: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const { store, engine, stopping } = means;
  const streams = openEventStreamLimiter();
  const find = async (id: string): Promise<StoredRun> => {
    const run = isRowId(id) ? await store.runs.find(id) : undefined;
    if (!run) throw new ApiProblemError(404, 'There is no such run');
    return run;
  };
  const show = async (run: StoredRun) => {
    if (run.status !== 'queued') {
      const { operation, endedAt } = run;
      const isOver = (operation === 'plan' || operation === 'apply') && endedAt !== undefined;
      return describeRunJson(run, {
        newerPlan: isOver ? await store.runs.findNewerPlan(run) : undefined,
        ...(await findApplyWindowFit(store, run, means.now())),
      });
    }
    const ahead = (await engine.list()).filter(
      ({ workspaceId, isPreview }) =>
        workspaceId === run.workspaceId && isPreview === (run.operation === 'preview'),
    );
    const hold = await findRunHold(store, run, means.now());
    return describeRunJson(run, { place: ahead.findIndex(({ id }) => id === run.id), ...hold });
  };
  addReportRoutes(app, means, find);
  addApprovalRoutes(app, means, readBody, find);
  app.get('/api/v1/runs', async (context) => {
    const limit = Number(context.req.query('limit') ?? 50);
    if (!Number.isInteger(limit) || limit < 1 || limit > 1_000) {
      throw new ApiProblemError(422, 'limit is a whole number from 1 to 1000');
    }
    const before = context.req.query('before');
    if (before !== undefined && !/^\d{1,15}$/.test(before))
      throw new ApiProblemError(422, 'before is the number of a run');
    const runs = await store.runs.list(
      context.req.query('workspace'),
      limit,
      before === undefined ? undefined : Number(before),
      findRestrictedViewer(context.get('caller')),
    );
    return context.json({ runs: runs.map((run) => describeRunJson(run)) });
  });
  app.post('/api/v1/runs', async (context) => {
    const given = await readBody(context.req.raw, 'NewRun');
    const id = await queue(means, given, find, context);
    return context.json(await show(await find(id)), 201);
  });
  app.get('/api/v1/runs/:id', async (context) =>
    context.json(await show(await find(context.req.param('id')))),
  );
  app.post('/api/v1/runs/:id/cancel', async (context) => {
    const run = await find(context.req.param('id'));
    if (!(await cancelRun(means, run, context.get('acting').by())))
      throw new ApiProblemError(409, 'The run has already ended');
    return context.json(await show(await find(run.id)), 202);
  });
  app.get('/api/v1/runs/:id/log', async (context) => {
    const run = await find(context.req.param('id'));
    const isAllowed = () => isCallerStillAllowed(means, context);
    const { id: callerId } = context.get('caller');
    if (asksForText(context)) {
      const name = `${run.workspace}-${run.number}.log`;
      return new Response(streams.admit(callerId, printRunLog(store, run), isAllowed), {
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="${name}"`,
        },
      });
    }
    const last = context.req.header('last-event-id') ?? '';
    const after = /^\d{1,15}$/.test(last) ? Number(last) : 0;
    const signal = AbortSignal.any([context.req.raw.signal, stopping]);
    const pieces = followRunLog(store, { runId: run.id, after, show, signal });
    return new Response(streams.admit(callerId, pieces, isAllowed), {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
    });
  });
}

/** A link of a page cannot send a header, so the address may say it, too. */
function asksForText({ req }: Context<ApiRequestContext>): boolean {
  return req.query('format') === 'text' || (req.header('accept') ?? '').startsWith('text/plain');
}

async function queue(
  means: ApiDependencies,
  given: Schemas['NewRun'],
  find: (id: string) => Promise<StoredRun>,
  context: Context<ApiRequestContext>,
): Promise<string> {
  const caller = context.get('caller');
  const by = context.get('acting').by();
  const reason = describeRunReason(caller);
  const { store } = means;
  if (given.operation === 'apply') {
    await requireWorkspaceRole(store, caller, 'apply', { of: 'run', name: given.plan });
    const plan = await find(given.plan);
    return requireAddedRun(await requestApplyRun(means, plan, { reason, by }));
  }
  const { operation, workspace: name } = given;
  await requireWorkspaceRole(store, caller, findRequiredMemberRole(operation), {
    of: 'workspace',
    name,
  });
  const workspace = await store.workspaces.find(name);
  if (!workspace) throw new ApiProblemError(404, 'There is no such workspace');
  return requestRun(means, {
    workspace,
    operation,
    reason,
    by,
    ...(given.commit !== undefined && { commit: given.commit }),
  });
}

/** Adds `/metrics`: for whoever may view all workspaces, as a token with the role `view`. */
function addMetrics(
  app: Hono<ApiRequestContext>,
  { store, version, now }: ApiDependencies,
  load = loadPrometheusClient,
): void {
  app.get('/metrics', async (context) => {
    const library = await load().catch((error: unknown) => {
      if (!(error instanceof DiagnosticError)) throw error;
      const [fault] = error.diagnostics;
      throw new ApiProblemError(501, fault?.summary ?? error.message, fault?.hint);
    });
    const [figures, workers, accounts, sweptAt] = await Promise.all([
      store.readFigures(),
      store.listWorkers(),
      store.accounts.listUse(),
      store.retention.readSweptAt(),
    ]);
    const text = await renderMetrics(library, {
      figures,
      workers,
      accounts,
      sweptAt,
      version,
      memoryBytes: process.memoryUsage.rss(),
      nowMs: now(),
    });
    return context.body(text, 200, { 'content-type': library.register.contentType });
  });
}

/** The library of Prometheus. @throws DiagnosticError where it is not installed */
export function loadPrometheusClient(
  load: () => Promise<typeof prometheus> = () => import('prom-client'),
): Promise<typeof prometheus> {
  const purpose = 'The server needs it to answer /metrics.';
  return loadOptionalPackage(load, { name: 'prom-client', version: '15', purpose });
}

// The audit log, for export and for reading: JSON Lines, an entry each.

const most = 1_000;

/** Adds the route. */
function addAudit(app: Hono<ApiRequestContext>, { store, stopping }: ApiDependencies): void {
  app.get('/api/v1/audit', async (context) => {
    const read = (name: string) => readNumber(name, context.req.query(name));
    const [after, before, newest] = [read('after'), read('before'), read('newest')];
    if (newest !== undefined && (newest < 1 || newest > most))
      throw new ApiProblemError(422, `newest is a whole number from 1 to ${most}`);
    const range = {
      ...(after !== undefined && { after }),
      ...(before !== undefined && { before }),
    };
    const entries =
      newest === undefined
        ? readAuditEntries(store.audit, after ?? 0)
        : await store.audit.list({ ...range, limit: newest, isNewestFirst: true });
    const stream = ReadableStream.from(writeLines(entries, stopping));
    return new Response(stream.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': 'application/jsonl; charset=utf-8' },
    });
  });
}

/** A line at a time: whoever reads slowly does not fill the memory. */
async function* writeLines(
  entries: AsyncIterable<AuditEntry> | Iterable<AuditEntry>,
  stopping: AbortSignal,
): AsyncGenerator<string> {
  for await (const entry of entries) {
    if (stopping.aborted) return;
    yield `${JSON.stringify(entry)}\n`;
  }
}

function readNumber(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d{1,15}$/.test(given)) throw new ApiProblemError(422, `${name} is a whole number`);
  return Number(given);
}
