// What happens to a fleet: people push and change things outside, workers and PostgreSQL end, accounts refuse.
import type { Workspace } from '../../../src/server/store/workspaces.ts';
import type { Day } from './day.ts';
import { startDayWorker, type DayWorker } from './day-worker.ts';
import { insist, planAndApply } from './plan-and-apply.ts';

const hourMs = 3_600_000;
const hourSeconds = 3_600;
const outageMs = 600_000;
const restartAfterKillMs = 5_000;

/** People change things outside, one workspace of a hundred an hour. */
export async function spoil(fleet: Day): Promise<void> {
  const { random, day, options, grounds } = fleet;
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
    fleet.outsideChanges += 1;
  }
}

/** In each hour, an account answers 429 for ten minutes. */
export async function refuse({ random, day, options, accounts }: Day): Promise<void> {
  for (let hour = 0; hour < options.hours; hour += 1) {
    const beforeMs = random() * (hourMs - outageMs);
    await day.clock.sleep(beforeMs);
    const account = accounts[Math.floor(random() * accounts.length)];
    if (account) account.outageUntil = day.clock.now() + outageMs;
    await day.clock.sleep(hourMs - beforeMs);
  }
}

/** An hour of the day: a push a second or one to each workspace, a worker killed each minute, PostgreSQL restarted twice. */
export async function pushAndKill(fleet: Day): Promise<void> {
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
  await planAndApply(fleet, workspace, 'push to main');
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
  for (let count = 0; count < gone.length; count += 1) await insist(fleet, () => addWorker(fleet));
}

/** A worker starts, with a user of its own. */
async function addWorker(fleet: Day): Promise<void> {
  fleet.workerCount += 1;
  fleet.workers.push(await startDayWorker(fleet, nameUser(fleet.workerCount)));
}

/** The user of a worker. */
export const nameUser = (number: number) => `worker_${number}`;

/** One of those that live. */
export function anyWorker({ workers, random }: Day): DayWorker {
  const one = workers[Math.floor(random() * workers.length)];
  if (!one) throw new Error('There is no worker.');
  return one;
}
