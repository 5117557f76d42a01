import { serverDatabaseSchemaName } from '../../../src/server/database/database.ts';
import type { Day } from './day.ts';

/** What came of a day. Times of the day are in seconds. */
export interface DayFigures {
  /** How many runs have ended. */
  readonly ended: number;
  /** Those that are still there, by what they did and how they ended. */
  readonly runs: Readonly<Record<string, number>>;
  /** From the moment when a check was due to its beginning: median, 99 of 100, the longest. */
  readonly lateness: readonly number[];
  /** Times at which a workspace was to be checked and was not. */
  readonly missedChecks: number;
  /** From a push to the end of its plan: median, 99 of 100, the longest. */
  readonly pushToPlan: readonly number[];
  readonly recoveries: readonly number[];
  readonly kills: number;
  readonly restarts: number;
  readonly outsideChanges: number;
  readonly episodes: number;
  readonly requests: number;
  /** Requests that were refused in an outage. */
  readonly refusals: number;
  /** Requests beyond what an account allows. */
  readonly excess: number;
  readonly deepest: number;
  readonly databaseMb: number;
  readonly memoryMb: number;
  /** Milliseconds of this machine, the first time and when it is asked for again. */
  readonly overviewMs: readonly number[];
  readonly runsPerSecond: number;
  readonly hours: number;
  readonly minutesOnMachine: number;
  readonly faults: readonly string[];
}

/** Reads them of the database, and of those who took part. */
export async function readDayFigures(
  fleet: Day,
  { clockMs, machineMs }: { readonly clockMs: number; readonly machineMs: number },
): Promise<DayFigures> {
  const { day, accounts, faults } = fleet;
  const counted = await day.database.ask<{ name: string; count: string }>(
    `SELECT operation || ' ' || status AS name, count(*) AS count FROM ${serverDatabaseSchemaName}.runs
     WHERE reason <> 'before' GROUP BY 1 ORDER BY 1`,
  );
  const runs = Object.fromEntries(counted.map(({ name, count }) => [name, Number(count)]));
  const excess = sum(accounts.map((account) => account.excess));
  for (const name of Object.keys(runs))
    if (/queued|running|(?:plan|drift) failed/.test(name))
      faults.push(`${runs[name]} runs: ${name}.`);
  if (excess > 0) faults.push(`Requests beyond the budget of their account: ${excess}.`);
  if (fleet.killedAt.size > 0)
    faults.push(`Runs that nobody went on with: ${fleet.killedAt.size}.`);
  const overviewMs = [await timeOverview(fleet), await timeOverview(fleet)];
  return {
    ended: fleet.engine.ended,
    runs,
    lateness: await readSpread(fleet, `started_at - ${dueAt}`, `operation = 'drift'`),
    missedChecks: await countMissed(fleet),
    pushToPlan: await readSpread(
      fleet,
      'ended_at - created_at',
      `operation = 'plan' AND reason = 'push to main'`,
    ),
    recoveries: spread(fleet.recoveriesMs.map((ms) => ms / 1_000)),
    ...{ kills: fleet.kills, restarts: fleet.restarts, deepest: fleet.deepest },
    outsideChanges: fleet.outsideChanges,
    episodes: await count(
      fleet,
      `SELECT count(*) AS count FROM ${serverDatabaseSchemaName}.drift_episodes`,
    ),
    requests: sum(accounts.map(({ requests }) => requests)),
    refusals: sum(accounts.map(({ refusals }) => refusals)),
    excess,
    databaseMb: Math.round(
      (await count(fleet, 'SELECT pg_database_size(current_database()) AS count')) / 2 ** 20,
    ),
    memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
    overviewMs,
    runsPerSecond: fleet.engine.ended / (machineMs / 1_000),
    hours: clockMs / 3_600_000,
    minutesOnMachine: machineMs / 60_000,
    faults,
  };
}

/** When a check was due is a part of its origin. */
const dueAt = `to_timestamp(split_part(origin, ':', 3)::float8)`;

async function readSpread(fleet: Day, interval: string, where: string): Promise<readonly number[]> {
  const rows = await fleet.day.database.ask<{ seconds: number }>(
    `SELECT extract(epoch FROM ${interval})::float8 AS seconds FROM ${serverDatabaseSchemaName}.runs
     WHERE ${where} AND ended_at IS NOT NULL`,
  );
  return spread(rows.map(({ seconds }) => seconds));
}

const countMissed = async (fleet: Day): Promise<number> =>
  count(
    fleet,
    `SELECT coalesce(sum(slots - runs), 0) AS count FROM (
       SELECT 1 + round(extract(epoch FROM max(${dueAt}) - min(${dueAt})) / 3600) AS slots, count(*) AS runs
       FROM ${serverDatabaseSchemaName}.runs WHERE operation = 'drift' GROUP BY workspace) checked`,
  );

async function count(fleet: Day, statement: string): Promise<number> {
  const [row] = await fleet.day.database.ask<{ count: string }>(statement);
  return Number(row?.count ?? 0);
}

async function timeOverview({ means }: Day): Promise<number> {
  const begun = performance.now();
  await means.store.readOverview({
    ...{ status: undefined, search: '', page: 1, viewer: undefined, caller: 'nobody' },
    mayApproveAll: true,
  });
  return Math.round(performance.now() - begun);
}

function spread(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return sorted.length === 0 ? [] : [at(0.5), at(0.99), at(1)];
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
