import { requestApplyRun, requestRun } from '../../../src/server/runs/request-run.ts';
import type { StoredRun } from '../../../src/server/store/run.ts';
import type { Workspace } from '../../../src/server/store/workspaces.ts';
import { isDatabaseError } from '../../../src/state/backends/postgres/database-errors.ts';
import type { Day } from './day.ts';
import { nameCommit } from './day-world.ts';

/** @returns the plan, once nothing is left to do */
export async function planAndApply(
  fleet: Day,
  workspace: Workspace,
  reason: string,
): Promise<StoredRun> {
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
      const apply = await insist(fleet, () => requestApplyRun(means, plan, { reason, origin }));
      if (apply !== undefined) await untilEnded(fleet, apply);
    }
    await day.clock.sleep(1_000);
  }
}

/** What a request does that finds the database away: it is sent again. */
export async function insist<T>({ day }: Day, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseError(error)) throw error;
      await day.clock.sleep(2_000);
    }
  }
}

async function untilEnded(fleet: Day, id: string): Promise<StoredRun> {
  for (;;) {
    const run = await insist(fleet, () => fleet.means.store.runs.find(id));
    if (!run) throw new Error(`The run ${id} is gone.`);
    if (run.status !== 'queued' && run.status !== 'running') return run;
    await fleet.day.clock.sleep(2_000);
  }
}
