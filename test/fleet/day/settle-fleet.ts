import { serverDatabaseSchemaName } from '../../../src/server/database/database.ts';
import { compareNetworks, findDrift, nameCommit, readCommit } from './day-world.ts';
import { eachOf } from './each-of.ts';
import type { Day } from './day.ts';
import { planAndApply } from './plan-and-apply.ts';

/** All workspaces have been checked once more by then. */
const checkedMs = 75 * 60_000;
const atOnce = 200;

/** What is left of the day is put right, and everything is planned once more. Faults are noted where the server is wrong. */
export async function settleFleet(fleet: Day): Promise<void> {
  await fleet.day.clock.sleep(checkedMs);
  await compareDrift(fleet);
  const { grounds, workspaces, faults, means } = fleet;
  const astray = workspaces.filter(({ name }) => {
    const ground = grounds.get(name);
    const wanted = readCommit(nameCommit(ground?.revision ?? 0));
    return ground && compareNetworks(ground.live, wanted).length > 0;
  });
  await eachOf(astray, atOnce, (workspace) => planAndApply(fleet, workspace, 'put right'));
  const before = await countPlans(fleet);
  await eachOf(workspaces, atOnce, (workspace) => planAndApply(fleet, workspace, 'second plan'));
  const second = (await countPlans(fleet)) - before;
  if (second > workspaces.length)
    faults.push(`Second plans with changes: ${second - workspaces.length}.`);
  const { counts } = await means.store.readOverview({
    ...{ status: undefined, search: '', page: 1, viewer: undefined, caller: 'nobody' },
    mayApproveAll: false,
  });
  // A check by schedule may be under way at any moment.
  if (counts.inSync + counts.running !== workspaces.length)
    faults.push(`Not all workspaces are in sync: ${JSON.stringify(counts)}.`);
}

/** The server knows of drift where there is some, and nowhere else. */
async function compareDrift({ day, grounds, faults }: Day): Promise<void> {
  const rows = await day.database.ask<{ name: string }>(
    `SELECT w.name FROM ${serverDatabaseSchemaName}.drift_episodes e JOIN ${serverDatabaseSchemaName}.workspaces w ON w.id = e.workspace
     WHERE e.ended_at IS NULL`,
  );
  const known = new Set(rows.map(({ name }) => name));
  const there = [...grounds.values()].filter((ground) => findDrift(ground).length > 0);
  const names = new Set(there.map(({ name }) => name));
  const unseen = [...names].filter((name) => !known.has(name));
  const imagined = [...known].filter((name) => !names.has(name));
  if (unseen.length > 0) faults.push(`Drift that nobody saw: ${unseen.join(', ')}.`);
  if (imagined.length > 0) faults.push(`Drift that is none: ${imagined.join(', ')}.`);
}

async function countPlans({ day }: Day): Promise<number> {
  const [row] = await day.database.ask<{ count: string }>(
    `SELECT count(*) AS count FROM ${serverDatabaseSchemaName}.runs WHERE operation = 'plan'`,
  );
  return Number(row?.count ?? 0);
}
