import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import type { DurableRunEngine } from '../../../src/server/engine/durable-engine.ts';
import { openGitHosts } from '../../../src/server/hosts/open-hosts.ts';
import { SlowCheckoutLimiter } from '../../../src/server/sources/host-places.ts';
import { carryOutRun } from '../../../src/server/runs/carry-out-run.ts';
import type { RunRequestDependencies } from '../../../src/server/runs/request-run.ts';
import type { StartChildProgram } from '../../../src/server/runs/run-child.ts';
import type { ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore } from '../../../src/server/store/store.ts';
import { disabledTracing } from '../../../src/server/traces/tracing.ts';
import {
  openWorkerSession,
  type WorkerSession,
} from '../../../src/server/workers/worker-session.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';
import type { DayDatabase } from './day-database.ts';
import type { EngineDouble } from './engine-double.ts';

/** What all workers have. */
export interface WorkerGround {
  readonly day: DayDatabase;
  readonly engine: EngineDouble;
  readonly startProgram: StartChildProgram;
  /** For the files of runs. */
  readonly folder: string;
  /** Hears of each attempt of a run. */
  readonly onAttempt: (runId: string) => void;
}

/** A worker of the day. */
export interface DayWorker {
  readonly user: string;
  readonly means: RunRequestDependencies;
  readonly session: WorkerSession;
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>;
}

const key = 'a key of a server that only a fleet knows';

/** What the requests of a process go through. */
export function openMeans(
  { clock }: Pick<DayDatabase, 'clock'>,
  database: ServerDatabase,
  engine: DurableRunEngine,
): RunRequestDependencies {
  const runtime = { ...silentRuntime, clock };
  const store = assembleServerStore(database, openServerKeyring([key]));
  return { store, engine, runtime, hosts: openGitHosts(store.connections, runtime) };
}

/** Starts one: with connections of its own, and everything else that is real. */
export async function startDayWorker(ground: WorkerGround, user: string): Promise<DayWorker> {
  const { day, engine, startProgram, folder, onAttempt } = ground;
  const { clock } = day;
  const database = await day.connect(user);
  const session = await clock.hold(() =>
    openWorkerSession(database, { host: 'here', version: '1' }),
  );
  const { id: workerId, lost } = session;
  const means = openMeans(
    day,
    database,
    engine.join(workerId, (runId) => {
      onAttempt(runId);
      return carryOutRun(run, runId);
    }),
  );
  const silent = () => undefined;
  const run = {
    ...{ store: means.store, startProgram, workerId, lost, log: { info: silent, warn: silent } },
    runtime: { ...silentRuntime, clock },
    states: { answer: () => Promise.resolve({ rows: [] }), close: () => Promise.resolve() },
    tracing: disabledTracing,
    places: new SlowCheckoutLimiter(),
    maxMs: 7_200_000,
    listAuthors: () => Promise.resolve(undefined),
    openCheckout: async () => {
      const scratch = join(folder, randomUUID());
      await clock.hold(() => mkdir(scratch));
      const close = () => clock.hold(() => rm(scratch, { recursive: true, force: true }));
      return { directory: scratch, scratch, reads: [], submodules: [], close };
    },
  };
  return {
    ...{ user, means, session },
    async kill() {
      engine.leave(workerId);
      await day.cut(user);
      void database.close().catch(silent);
    },
  };
}
