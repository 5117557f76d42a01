// An apply or a destroy waits for a window of its workspace, and for the end of a freeze. What has begun goes on to its end.
import { isAccountChangingRun } from '../store/server-hold.ts';
import type { NewRun } from '../store/runs.ts';
import type { StoredRun } from '../store/run.ts';
import type { ServerStore } from '../store/store.ts';
import { explainApplyWait, type ApplyWait } from '../windows/apply-windows.ts';

/** Pause between looks at the windows, which may have changed meanwhile. */
const longestMs = 60_000;

/**
 * Finds out why a new apply or destroy of a workspace has to wait for an apply window or the end of a freeze; undefined where it
 * may begin.
 */
export async function findApplyWindowWait(
  { workspaces, reports }: Pick<ServerStore, 'workspaces' | 'reports'>,
  run: Pick<NewRun, 'operation' | 'workspaceId'> & { readonly planRun?: string | undefined },
  nowMs: number,
): Promise<ApplyWait | undefined> {
  if (!isAccountChangingRun(run)) return undefined;
  const workspace = await workspaces.read(run.workspaceId);
  if (!workspace || workspace.windows.length + workspace.freezes.length === 0) return undefined;
  const { planRun } = run;
  const takesMs = planRun === undefined ? undefined : await reports.readExpectedMs(planRun);
  return explainApplyWait(workspace, { nowMs, takesMs });
}

/**
 * Milliseconds after which a run checks the apply windows of its workspace again, as they may have been edited; undefined where
 * it may begin.
 */
export async function findApplyWindowPause(
  store: Pick<ServerStore, 'workspaces' | 'reports' | 'runs'>,
  run: StoredRun,
  nowMs: number,
): Promise<number | undefined> {
  // An apply that an earlier attempt has begun is better ended late than left half done.
  if (run.child !== null || run.cancels > 0) return undefined;
  const wait = await findApplyWindowWait(store, run, nowMs);
  if (!wait) return undefined;
  // A plan whose place a newer one took is refused once its run begins: nobody has to wait for that.
  if (run.planRun !== undefined && !(await store.runs.isNewest(run.planRun))) return undefined;
  return Math.min((wait.startsAtMs ?? Number.POSITIVE_INFINITY) - nowMs, longestMs);
}
