// A day of a fleet in virtual time: drift is looked for around the clock while people push, workers die, PostgreSQL restarts
// and accounts refuse. Stores, sweeps, leases, recovery and runs are real, as is PostgreSQL; engine, program and accounts are doubles.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepDrift } from '../../../src/server/drift/sweep-drift.ts';
import { prune } from '../../../src/server/retention/prune.ts';
import { queueForgotten, requestApply, requestRun } from '../../../src/server/runs/request-run.ts';
import type { RequestMeans } from '../../../src/server/runs/request-run.ts';
import type { Run } from '../../../src/server/runs/run.ts';
import type { Workspace } from '../../../src/server/store/workspaces.ts';
import { noTracing } from '../../../src/server/traces/tracing.ts';
import { doDueTasks } from '../../../src/server/workers/do-due-tasks.ts';
import { createRandom } from '../../../src/sandbox/clock/seeded-random.ts';
import type { DayDatabase } from './day-database.ts';
import { openDayDatabase } from './day-database.ts';
import { readDayFigures, type DayFigures } from './day-figures.ts';
import { openMeans, startDayWorker, type DayWorker, type WorkerGround } from './day-worker.ts';
import { nameCommit, type AccountDouble, type Ground } from './day-world.ts';
import { EngineDouble } from './engine-double.ts';
import { openProgramDouble } from './program-double.ts';
import { populateFleet } from './populate-fleet.ts';
import { settleFleet } from './settle-fleet.ts';

/** How large the fleet is, and how long its day. */
export interface DayOptions {
  readonly workspaces: number;
  readonly accounts: number;
  readonly workers: number;
  readonly hours: number;
  readonly seed: number;
  /** Hears how far it is. */
  readonly say: (text: string) => void;
}

/** What was changed outside, and when. */
export interface OutsideChange {
  readonly ground: Ground;
  readonly at: number;
}

/** The day while it runs. */
export interface Day extends WorkerGround {
  readonly options: DayOptions;
  readonly day: DayDatabase;
  readonly random: () => number;
  readonly means: RequestMeans;
  readonly accounts: readonly AccountDouble[];
  readonly grounds: ReadonlyMap<string, Ground>;
  readonly workspaces: readonly Workspace[];
  readonly workers: DayWorker[];
  readonly faults: string[];
  readonly outside: OutsideChange[];
  readonly recoveriesMs: number[];
  /** Runs whose worker was killed, and when. */
  readonly killedAt: Map<string, number>;
  /** Set at the end of the day. */
  isOver: boolean;
  kills: number;
  restarts: number;
  /** Most runs that were open at once. */
  deepest: number;
  workerCount: number;
}

const hourMs = 3_600_000;
const hourSeconds = 3_600;
const sweepMs = 60_000;
const watchMs = 2_000;
const dueMs = 5_000;
const pruneMs = 600_000;
const outageMs = 600_000;
const restartAfterKillMs = 5_000;

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
  const random = createRandom(options.seed);
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
    ...{ ...ground, killedAt, recoveriesMs, workers, outside: [] },
    ...{ isOver: false, kills: 0, restarts: 0, deepest: 0, workerCount: options.workers },
  };
  const begun = { clockMs: clock.now(), machineMs: performance.now() };
  const upkeep = [
    repeat(fleet, sweepMs, () => sweepDrift(anyWorker(fleet).means)),
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

async function addWorker(fleet: Day): Promise<void> {
  fleet.workerCount += 1;
  fleet.workers.push(await startDayWorker(fleet, nameUser(fleet.workerCount)));
}

const nameUser = (number: number) => `worker_${number}`;

function anyWorker({ workers, random }: Day): DayWorker {
  const one = workers[Math.floor(random() * workers.length)];
  if (!one) throw new Error('There is no worker.');
  return one;
}

/** Does something again and again. PostgreSQL may be away at the moment: then the next time does it. */
async function repeat(fleet: Day, everyMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!fleet.isOver) {
    if (fleet.workers.length > 0) await work().catch(() => undefined);
    await fleet.day.clock.sleep(everyMs);
  }
}

async function keepWatch(fleet: Day): Promise<void> {
  const { clock } = fleet.day;
  fleet.deepest = Math.max(fleet.deepest, fleet.engine.open);
  for (const { session, means } of [...fleet.workers]) {
    await clock.hold(() => session.recoverOthers((id) => means.engine.recover(id)));
  }
  await queueForgotten(fleet.means);
}

async function doDue(fleet: Day): Promise<void> {
  const { means, session } = anyWorker(fleet);
  const work = { ...means, workerId: session.id, tracing: noTracing };
  const warn = (text: string) => void fleet.faults.push(text);
  await doDueTasks({ ...work, warn }, session.lost);
}

/** What is old is deleted, in the middle of everything else. */
async function tidy({ means, day }: Day): Promise<void> {
  const { store, engine } = means;
  await prune({ store, engine, now: () => day.clock.now(), driftHours: 24, logDays: 90 });
}

/** People change things outside, one workspace of a hundred an hour. */
async function spoil(fleet: Day): Promise<void> {
  const { random, day, options, grounds, outside } = fleet;
  const all = [...grounds.values()];
  const meanMs = (100 * hourMs) / options.workspaces;
  const until = day.clock.now() + options.hours * hourMs;
  for (;;) {
    await day.clock.sleep(-Math.log(1 - random()) * meanMs);
    if (day.clock.now() >= until) return;
    const ground = all[Math.floor(random() * all.length)];
    const names = [...(ground?.state.keys() ?? [])];
    const name = names[Math.floor(random() * names.length)];
    if (!ground || name === undefined) continue;
    if (random() < 0.3) ground.live.delete(name);
    else ground.live.set(name, `outside ${day.clock.now()}`);
    outside.push({ ground, at: day.clock.now() });
  }
}

/** In each hour, an account answers 429 for ten minutes. */
async function refuse({ random, day, options, accounts }: Day): Promise<void> {
  for (let hour = 0; hour < options.hours; hour += 1) {
    const beforeMs = random() * (hourMs - outageMs);
    await day.clock.sleep(beforeMs);
    const account = accounts[Math.floor(random() * accounts.length)];
    if (account) account.outageUntil = day.clock.now() + outageMs;
    await day.clock.sleep(hourMs - beforeMs);
  }
}

/** An hour of the day: a push a second or one to each workspace, a worker killed each minute, PostgreSQL restarted twice. */
async function pushAndKill(fleet: Day): Promise<void> {
  const { options, day, random, workspaces } = fleet;
  await day.clock.sleep(Math.floor(options.hours / 2) * hourMs);
  const pushed: Promise<void>[] = [];
  const order = workspaces.toSorted(() => random() - 0.5);
  const pushEvery = Math.max(1, Math.floor(hourSeconds / order.length));
  for (let second = 0; second < hourSeconds; second += 1) {
    const workspace = second % pushEvery === 0 ? order[second / pushEvery] : undefined;
    if (workspace) pushed.push(push(fleet, workspace));
    if (second % 60 === 30) pushed.push(kill(fleet));
    if (second === 1_200 || second === 2_400) pushed.push(restart(fleet));
    await day.clock.sleep(1_000);
  }
  await Promise.all(pushed);
}

/** A commit comes, is planned, and its plan is applied; where something was changed outside in between, once more. */
async function push(fleet: Day, workspace: Workspace): Promise<void> {
  const ground = fleet.grounds.get(workspace.name);
  if (!ground) return;
  ground.revision += 1 + Math.floor(fleet.random() * 3);
  await planAndApply(fleet, workspace, `push to main`);
}

/** @returns the plan, once nothing is left to do */
export async function planAndApply(fleet: Day, workspace: Workspace, reason: string): Promise<Run> {
  const { means, grounds, day } = fleet;
  for (;;) {
    const commit = nameCommit(grounds.get(workspace.name)?.revision ?? 0);
    const plan = await untilEnded(
      fleet,
      await insist(fleet, () =>
        requestRun(means, { workspace, operation: 'plan', commit, reason }),
      ),
    );
    if (plan.status === 'succeeded' && plan.hasChanges === false) return plan;
    if (plan.status === 'succeeded') {
      const origin = `day:${plan.id}`;
      const apply = await insist(fleet, () => requestApply(means, plan, { reason, origin }));
      if (apply !== undefined) await untilEnded(fleet, apply);
    }
    await day.clock.sleep(1_000);
  }
}

/** What a request does that finds the database away: it is sent again. */
async function insist<T>({ day }: Day, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await day.clock.sleep(2_000);
    }
  }
}

async function untilEnded(fleet: Day, id: string): Promise<Run> {
  for (;;) {
    const run = await insist(fleet, () => fleet.means.store.runs.find(id));
    if (!run) throw new Error(`The run ${id} is gone.`);
    if (run.status !== 'queued' && run.status !== 'running') return run;
    await fleet.day.clock.sleep(2_000);
  }
}

async function kill(fleet: Day): Promise<void> {
  // All of them may have ended with PostgreSQL a moment ago.
  if (fleet.workers.length === 0) return;
  const worker = anyWorker(fleet);
  noteKilled(fleet, worker);
  fleet.workers.splice(fleet.workers.indexOf(worker), 1);
  fleet.kills += 1;
  await worker.kill();
  await fleet.day.clock.sleep(restartAfterKillMs);
  await insist(fleet, () => addWorker(fleet));
}

function noteKilled({ engine, killedAt, day }: Day, { session }: DayWorker): void {
  for (const id of engine.listBegun(session.id)) killedAt.set(id, day.clock.now());
}

/** All processes end with PostgreSQL, and their supervisors start them again. */
async function restart(fleet: Day): Promise<void> {
  const gone = fleet.workers.splice(0);
  for (const worker of gone) noteKilled(fleet, worker);
  fleet.restarts += 1;
  await fleet.day.restart();
  await Promise.all(gone.map((worker) => worker.kill()));
  await fleet.day.clock.sleep(restartAfterKillMs);
  for (const { user } of gone) if (user !== '') await insist(fleet, () => addWorker(fleet));
}

async function reportHours({ options, day, engine }: Day): Promise<void> {
  for (let hour = 1; hour <= options.hours; hour += 1) {
    await day.clock.sleep(hourMs);
    options.say(`Hour ${hour}: ${engine.open} runs are open.`);
  }
}
