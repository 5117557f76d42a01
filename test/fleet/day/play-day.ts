// A day of a fleet in virtual time: drift is looked for around the clock while people push, workers die, PostgreSQL restarts
// and accounts refuse. Stores, sweeps, leases, recovery and runs are real, as is PostgreSQL; engine, program and accounts are doubles.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSeededRandom } from '../../../src/sandbox/clock/seeded-random.ts';
import { queueDueDriftChecks } from '../../../src/server/drift/sweep-drift.ts';
import { deleteOldServerData } from '../../../src/server/retention/prune.ts';
import { queueForgottenRuns } from '../../../src/server/runs/request-run.ts';
import { disabledTracing } from '../../../src/server/traces/tracing.ts';
import { doDueTasks } from '../../../src/server/workers/do-due-tasks.ts';
import { isDatabaseError } from '../../../src/state/backends/postgres/database-errors.ts';
import type { Day, DayOptions } from './day.ts';
import { openDayDatabase, type DayDatabase } from './day-database.ts';
import { readDayFigures, type DayFigures } from './day-figures.ts';
import { openMeans, startDayWorker, type DayWorker } from './day-worker.ts';
import type { Ground } from './day-world.ts';
import { anyWorker, nameUser, pushAndKill, refuse, spoil } from './disturb-day.ts';
import { EngineDouble } from './engine-double.ts';
import { populateFleet } from './populate-fleet.ts';
import { openProgramDouble } from './program-double.ts';
import { settleFleet } from './settle-fleet.ts';

const hourMs = 3_600_000;
const sweepMs = 5_000;
const watchMs = 2_000;
const dueMs = 5_000;
const pruneMs = 600_000;

/** Plays it. */
export async function playDay(options: DayOptions): Promise<DayFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-fleet-'));
  const day = await openDayDatabase();
  try {
    return await day.clock.run(play(options, day, folder));
  } finally {
    await day.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function play(options: DayOptions, day: DayDatabase, folder: string): Promise<DayFigures> {
  const { clock } = day;
  const random = createSeededRandom(options.seed);
  const engine = new EngineDouble(clock, random);
  const means = openMeans(day, day.database, engine.join('watcher'));
  const grounds = new Map<string, Ground>();
  const faults = engine.faults;
  const killedAt = new Map<string, number>();
  const recoveriesMs: number[] = [];
  const startProgram = openProgramDouble({
    ...{ clock, random, grounds },
    fault: (text) => void faults.push(text),
  });
  const onAttempt = (runId: string) => {
    const at = killedAt.get(runId);
    if (at === undefined) return;
    recoveriesMs.push(clock.now() - at);
    killedAt.delete(runId);
  };
  const workers: DayWorker[] = [];
  const ground = { day, engine, startProgram, folder, onAttempt };
  for (let count = 1; count <= options.workers; count += 1)
    workers.push(await startDayWorker(ground, nameUser(count)));
  const workerId = workers[0]?.session.id ?? '';
  const populated = await populateFleet(options, day, means.store, { random, workerId, grounds });
  const fleet: Day = {
    ...{ options, random, means, grounds, ...populated, faults },
    ...{ ...ground, killedAt, recoveriesMs, workers, outsideChanges: 0 },
    ...{ isOver: false, kills: 0, restarts: 0, deepest: 0, workerCount: options.workers },
  };
  const begun = { clockMs: clock.now(), machineMs: performance.now() };
  const upkeep = [
    repeat(fleet, sweepMs, () => queueDueDriftChecks(anyWorker(fleet).means)),
    repeat(fleet, watchMs, () => keepWatch(fleet)),
    repeat(fleet, dueMs, () => doDue(fleet)),
    repeat(fleet, pruneMs, () => tidy(fleet)),
  ];
  await Promise.all([
    spoil(fleet),
    refuse(fleet),
    pushAndKill(fleet),
    reportHours(fleet),
    clock.sleep(options.hours * hourMs),
  ]);
  const dayMs = {
    clockMs: clock.now() - begun.clockMs,
    machineMs: performance.now() - begun.machineMs,
  };
  options.say('The day is over. Everything is put right, and planned once more.');
  await settleFleet(fleet);
  fleet.isOver = true;
  await Promise.all(upkeep);
  const figures = await readDayFigures(fleet, dayMs);
  for (const worker of fleet.workers) await worker.kill();
  return figures;
}

/** Does something again and again. PostgreSQL may be away at the moment: then the next time does it. */
async function repeat(fleet: Day, everyMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!fleet.isOver) {
    if (fleet.workers.length > 0)
      await work().catch((error: unknown) => {
        if (!isDatabaseError(error)) fleet.faults.push(`Upkeep failed: ${String(error)}.`);
      });
    await fleet.day.clock.sleep(everyMs);
  }
}

async function keepWatch(fleet: Day): Promise<void> {
  const { clock } = fleet.day;
  fleet.deepest = Math.max(fleet.deepest, fleet.engine.open);
  for (const { session, means } of [...fleet.workers]) {
    const recover = async (id: string) =>
      means.engine.recover(id, await means.store.turns.listBegun(id));
    await clock.hold(() => session.recoverOthers(recover));
  }
  await queueForgottenRuns(fleet.means);
}

async function doDue(fleet: Day): Promise<void> {
  const { means, session } = anyWorker(fleet);
  const work = { ...means, workerId: session.id, tracing: disabledTracing };
  const warn = (text: string) => void fleet.faults.push(text);
  await doDueTasks({ ...work, warn }, session.lost);
}

/** What is old is deleted, in the middle of everything else. */
async function tidy({ means, day }: Day): Promise<void> {
  const { store, engine } = means;
  await deleteOldServerData({
    store,
    engine,
    now: () => day.clock.now(),
    driftHours: 24,
    logDays: 90,
  });
}

async function reportHours({ options, day, engine }: Day): Promise<void> {
  for (let hour = 1; hour <= options.hours; hour += 1) {
    await day.clock.sleep(hourMs);
    options.say(`Hour ${hour}: ${engine.open} runs are open.`);
  }
}
