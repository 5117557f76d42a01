// `hostwright server` and `hostwright worker`: any number of processes over one PostgreSQL, which plan and apply what
// repositories hold. Each run is a process of this program; nothing of the plan, the state and the apply is done a second time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Runtime } from '../model/runtime.ts';
import { identifyProcess } from '../state/lock/lock-holder.ts';
import { createFirstAdminToken } from './access/admin-token.ts';
import { adoptServerKey } from './access/confirm-key.ts';
import type { ApiDependencies } from './api/api-means.ts';
import { serverActor } from './audit/audit-entry.ts';
import { openServerDatabase, type ServerDatabase } from './database/database.ts';
import { advisoryLockKeys } from './database/lock-keys.ts';
import { migrateServerTables } from './database/migrations/migrate.ts';
import { queueDueDriftChecks } from './drift/sweep-drift.ts';
import type { DurableRunEngine, DurableRunEngineOptions } from './engine/durable-engine.ts';
import type { ReadHealth } from './health/add-health-routes.ts';
import { DatabaseDiskSpace, healthCheckTimeoutMs, openHealthChecks } from './health/open-health.ts';
import { requireGit } from './health/require-git.ts';
import { openGitHosts } from './hosts/open-hosts.ts';
import { openServerLog, type ServerLog } from './log-lines.ts';
import { openMailSender } from './messages/open-mail.ts';
import { sendDueMessages } from './messages/send-messages.ts';
import { openOidcProvider } from './oidc/open-oidc.ts';
import { readOidcSettings } from './oidc/read-oidc-settings.ts';
import { pollRepositories } from './pulls/poll-sources.ts';
import { deleteOldServerData } from './retention/prune.ts';
import { readRetentionSettings } from './retention/read-retention-settings.ts';
import { carryOutRun } from './runs/carry-out-run.ts';
import type { RunRequestDependencies } from './runs/request-run.ts';
import type { StartChildProgram } from './runs/run-child.ts';
import { readServerKeys, type ServerKeyring } from './secrets/keyring.ts';
import { openWorkspaceSourceCheck } from './sources/check-source.ts';
import { SlowCheckoutLimiter } from './sources/host-places.ts';
import {
  createRunAuthorLister,
  createRunCheckoutOpener,
  removeAbandonedCheckouts,
} from './sources/open-checkout.ts';
import { openWorkspaceStateGateway } from './states/open-states.ts';
import { openStateSqlExecutor, type StateSqlExecutor } from './states/serve-statements.ts';
import { publicUrlSetting, summaryStatusNameSetting } from './store/settings.ts';
import { assembleServerStore, type ServerStore } from './store/store.ts';
import { openTracing } from './traces/open-tracing.ts';
import type { Tracing } from './traces/tracing.ts';
import { doDueTasks } from './workers/do-due-tasks.ts';
import { repeatWorkerCheck, createDueWorkCheck } from './workers/watch-others.ts';
import { openWorkerSession, type WorkerSession } from './workers/worker-session.ts';

/** Options that the commands `server` and `worker` share. */
export interface ServerOptions {
  readonly databaseUrl: string;
  /** Address of the same database for the states, with a role that has fewer rights. */
  readonly stateDatabaseUrl: string;
  /** Host and port that the API listens at; absent for a worker. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** Host and port at which a worker answers health checks, and nothing else. */
  readonly healthAt?: { readonly host: string; readonly port: number };
  /** True for a process that carries out runs. */
  readonly carriesOut: boolean;
  /** Milliseconds that a run may take, its checkout included. */
  readonly runTimeoutMs: number;
  readonly version: string;
  /** Starts the server held: it plans, and applies nothing until it is released. */
  readonly hold?: boolean;
  /** Public address of the server, as `https://hostwright.example.com`. */
  readonly publicUrl?: string;
  /** Name of the summary status; `hostwright` unless any start has given another. */
  readonly statusName?: string;
}

/** Ports of the server to the outside, which tests replace. */
export interface ServerExternalDependencies {
  readonly startProgram: StartChildProgram;
  readonly openEngine: (options: DurableRunEngineOptions) => Promise<DurableRunEngine>;
}

/** A running process of the server or a worker. */
export interface RunningServer {
  /** Address of the API; undefined for a worker. */
  readonly origin: string | undefined;
  /** Address at which a worker says how it is; undefined where it has none. */
  readonly healthOrigin: string | undefined;
  readonly workerId: string;
  /** The token of the first administrator, at the very first start. */
  readonly adminToken: string | undefined;
  /** Link that signs the first administrator in, with a token; undefined later. */
  readonly signInUrl: string | undefined;
  /** Number of texts that were encrypted again with a new key at the start. */
  readonly rotated: number;
  /**
   * Aborted once PostgreSQL has ended the session of this process, so that other workers continue its runs. A process with an API
   * answers health checks until PostgreSQL is back.
   */
  readonly lost: AbortSignal;
  /** Takes no further run, waits for those under way, and ends. */
  close(): Promise<void>;
}

type ClosingStep = () => Promise<void> | void;

/** A run that is under way is waited for so long when its worker stops. */
const drainMs = 10 * 60_000;
/** Work beside the runs begins at most so many milliseconds after it is due. */
const dueEveryMs = 500;
const messageConnections = 8;
const pollName = 'poll-sources';
/** Schedule of polling git hosts: every 30 seconds; the first field is for seconds. */
const pollTimes = '*/30 * * * * *';
const driftName = 'sweep-drift';
/** Each 5 seconds: few checks at a time, since a push would wait behind them. */
const driftTimes = '*/5 * * * * *';
const pruneName = 'prune';
/** Schedule of deleting old data: every 10 minutes. */
const pruneTimes = '45 */10 * * * *';

/**
 * Starts a process of the team server: one with the API and the web pages, or a worker that carries out runs.
 * @throws DiagnosticError, BackendError where it cannot start
 */
export async function startServer(
  runtime: Runtime,
  options: ServerOptions,
  ports: ServerExternalDependencies,
): Promise<RunningServer> {
  const log = openServerLog(runtime);
  const { warn } = log;
  await requireGit(runtime);
  const keyring = await readServerKeys(runtime);
  const room = new DatabaseDiskSpace();
  const noteFault = (fault: unknown) => room.note(fault);
  const database = await openServerDatabase(options.databaseUrl, noteFault);
  const closing: ClosingStep[] = [() => database.close()];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  try {
    await migrateServerTables(database);
    const store = assembleServerStore(database, keyring);
    const rotated = await adoptServerKey(store);
    const hold = await store.hold.confirmPlace(options.hold);
    if (hold) warn(`The server is held, and applies nothing: ${hold.reason}`);
    const { version } = options;
    const tracing = await openTracing(runtime, { version, warn });
    closing.push(() => tracing.close());
    const session = await openWorkerSession(database, { host: runtime.process.host, version });
    closing.push(() => session.close());
    const hosts = openGitHosts(store.connections, runtime);
    closing.push(() => hosts.close());
    const states = await openStateSqlExecutor(options.stateDatabaseUrl, noteFault);
    closing.push(() => states.close());
    const parts = { ...ports, store, hosts, states, log, tracing };
    const engine = await openAlone(database, () => openEngine(runtime, options, parts, session));
    let closed: Promise<void> | undefined;
    const closeEngine = (patienceMs: number) => (closed ??= engine.close(patienceMs));
    closing.push(() => closeEngine(session.lost.aborted ? 0 : drainMs));
    const means: RunRequestDependencies = { store, engine, hosts, runtime };
    closing.push(repeatWorkerCheck(createDueWorkCheck(means, session, warn), warn));
    const work = { ...means, workerId: session.id, warn, tracing };
    closing.push(repeatWorkerCheck((stopping) => doDueTasks(work, stopping), warn, dueEveryMs));
    const network = runtime.openNetwork({ maxConnections: messageConnections });
    closing.push(() => network.close());
    const mail = await openMailSender(runtime);
    closing.push(() => mail?.close());
    const sending = { ...work, exchange: network.exchange, mail };
    closing.push(
      repeatWorkerCheck((stopping) => sendDueMessages(sending, stopping), warn, dueEveryMs),
    );
    if (options.publicUrl !== undefined)
      await store.settings.write(publicUrlSetting, options.publicUrl);
    if (options.statusName !== undefined)
      await store.settings.write(summaryStatusNameSetting, options.statusName);
    const readHealth = openHealthChecks({
      database: () => database.ping(healthCheckTimeoutMs),
      room: () => room.look(() => store.settings.tryRoom()),
      session: () => session.lost.throwIfAborted(),
      git: () => requireGit(runtime),
    });
    const serving = { ...means, mail, warn, tracing, readHealth };
    const healthOrigin = await openHealthListener(options.healthAt, readHealth, closing);
    const origin = await openListener(runtime, serving, options, closing, keyring);
    const adminToken = origin === undefined ? undefined : await makeAdminToken(store);
    const signInUrl =
      origin === undefined || adminToken === undefined
        ? undefined
        : await store.signInLinks.issue(options.publicUrl ?? origin);
    const { id: workerId } = session;
    const lost = followLoss(session.lost, async () => {
      closeEngine(0).catch(() => undefined);
      if (origin !== undefined) await outlast(database, warn);
    });
    return { origin, healthOrigin, workerId, adminToken, signInUrl, rotated, lost, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes a signal that aborts after the session has ended and `before` has resolved. */
function followLoss(session: AbortSignal, before: () => Promise<void>): AbortSignal {
  const ended = new AbortController();
  session.addEventListener('abort', () => void before().finally(() => ended.abort()), {
    once: true,
  });
  return ended.signal;
}

/**
 * Waits until PostgreSQL answers again. Meanwhile the process carries out nothing, and still tells its health, which a
 * restarted process could not.
 */
async function outlast(database: ServerDatabase, warn: (text: string) => void): Promise<void> {
  const answers = () =>
    database.ping(healthCheckTimeoutMs).then(
      () => true,
      () => false,
    );
  if (await answers()) return;
  warn('PostgreSQL is away: this process ends as soon as it is back, so that it starts anew.');
  do await sleep(dueEveryMs);
  while (!(await answers()));
}

/** The token of the first administrator, at the very first start. */
function makeAdminToken(store: ServerStore): Promise<string | undefined> {
  return store.transact(async () => {
    const token = await createFirstAdminToken(store.settings);
    const act = { act: 'administrator-token.make', target: 'sessions', result: 'done' } as const;
    if (token !== undefined) await store.audit.append(serverActor, act);
    return token;
  });
}

async function openEngine(
  runtime: Runtime,
  options: ServerOptions,
  {
    store,
    hosts,
    states,
    log,
    tracing,
    ...ports
  }: Pick<RunRequestDependencies, 'store' | 'hosts'> &
    ServerExternalDependencies & {
      readonly states: StateSqlExecutor;
      readonly log: ServerLog;
      readonly tracing: Tracing;
    },
  session: WorkerSession,
): Promise<DurableRunEngine> {
  const { databaseUrl, version, carriesOut, runTimeoutMs: maxMs } = options;
  const { warn } = log;
  const { id: workerId, lost } = session;
  const { pid, host } = runtime.process;
  await removeAbandonedCheckouts(host);
  const openCheckout = createRunCheckoutOpener(hosts, identifyProcess(pid, host));
  const listAuthors = createRunAuthorLister(hosts);
  const { startProgram } = ports;
  const given = { store, openCheckout, listAuthors, runtime, startProgram, states };
  const places = new SlowCheckoutLimiter();
  const run = { ...given, workerId, lost, log, tracing, places, maxMs };
  const kept = readRetentionSettings(runtime);
  const engine: DurableRunEngine = await ports.openEngine({
    databaseUrl,
    workerId,
    version,
    carriesOut,
    warn,
    carryOut: (runId) => carryOutRun(run, runId),
    scheduled: {
      [pollName]: () =>
        tracing.span('poll sources', {}, () =>
          pollRepositories({ store, engine, hosts, runtime }, warn),
        ),
      [driftName]: () =>
        tracing.span('sweep drift', {}, () => queueDueDriftChecks({ store, engine })),
      [pruneName]: () =>
        deleteOldServerData({ ...kept, store, engine, now: () => runtime.clock.now() }),
    },
  });
  await engine.schedule(pollName, pollTimes);
  await engine.schedule(driftName, driftTimes);
  await engine.schedule(pruneName, pruneTimes);
  return engine;
}

async function openHealthListener(
  at: ServerOptions['healthAt'],
  readHealth: ReadHealth,
  closing: ClosingStep[],
): Promise<string | undefined> {
  if (!at) return undefined;
  const [{ createHealthRoutes }, { serveApi }] = await Promise.all([
    import('./health/add-health-routes.ts'),
    import('./api/serve-api.ts'),
  ]);
  const app = createHealthRoutes(readHealth);
  const served = await serveApi(async (request) => app.fetch(request), at);
  closing.push(() => served.close());
  return served.origin;
}

async function openListener(
  runtime: Pick<Runtime, 'clock' | 'env'>,
  means: RunRequestDependencies & Pick<ApiDependencies, 'mail' | 'warn' | 'tracing' | 'readHealth'>,
  { listen, publicUrl, version, stateDatabaseUrl }: ServerOptions,
  closing: ClosingStep[],
  keyring: ServerKeyring,
): Promise<string | undefined> {
  if (!listen) return undefined;
  const [{ createApiRoutes: openApi }, { serveApi }, { addWebPageRoutes: addPages }] =
    await Promise.all([
      import('./api/open-api.ts'),
      import('./api/serve-api.ts'),
      import('./web/add-pages.ts'),
    ]);
  const stopping = new AbortController();
  const parts = { stopping: stopping.signal, version, publicUrl };
  const now = () => runtime.clock.now();
  const settings = readOidcSettings(runtime);
  const oidc = settings && (await openOidcProvider(settings, keyring, now));
  const states = openWorkspaceStateGateway(stateDatabaseUrl, runtime.clock);
  closing.push(() => states.close());
  const checkSource = openWorkspaceSourceCheck(means.hosts);
  const apiMeans = { ...means, ...parts, now, oidc, states, checkSource };
  const app = await openApi(apiMeans);
  addPages(app, apiMeans);
  const served = await serveApi(
    async (request, address) => app.fetch(request, { address }),
    listen,
  );
  closing.push(async () => {
    stopping.abort();
    await served.close();
  });
  return served.origin;
}

const lookMs = 100;

/**
 * Does what may make the tables of the engine, while no other process does. The engine makes indexes concurrently: that waits
 * for every statement of others, so a statement that waits for the lock would wait for ever. Hence each asks again and again.
 */
async function openAlone<T>(
  database: Pick<ServerDatabase, 'connect'>,
  open: () => Promise<T>,
): Promise<T> {
  const client = await database.connect();
  try {
    while (!(await tryLock(client))) await sleep(lookMs);
    return await open();
  } finally {
    // The end of the session frees the lock.
    client.release(true);
  }
}

async function tryLock(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS free',
    [advisoryLockKeys.engine],
  );
  return rows[0]?.free === true;
}
