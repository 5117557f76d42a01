// When the apply of a run begins, and how long it takes, for those who look at it.
import { findWindowWait } from './wait-for-window.ts';
import { explainAccountHold } from './request-run.ts';
import { isAccountChangingRun } from '../store/server-hold.ts';
import type { StoredRun } from '../store/run.ts';
import type { ServerStore } from '../store/store.ts';
import { describePlanFit } from '../windows/apply-windows.ts';

/** Reason why a queued run does not begin, and the time when it does. */
export interface ShownHold {
  readonly held?: string | undefined;
  readonly startsAtMs?: number | undefined;
}

/** Reason why a queued apply or destroy waits: a release, an unlocking, the end of a freeze or a window. */
export async function findRunHold(
  store: ServerStore,
  run: StoredRun,
  nowMs: number,
): Promise<ShownHold> {
  if (run.status !== 'queued') return {};
  const held = isAccountChangingRun(run) ? await explainAccountHold(store, run) : undefined;
  if (held !== undefined) return { held };
  const wait = run.child === null ? await findWindowWait(store, run, nowMs) : undefined;
  return { held: wait?.why, startsAtMs: wait?.startsAtMs };
}

/** Expected time of the apply of a plan, and the window that it fits into. */
export interface ShownFit {
  readonly expectedMs?: number | undefined;
  readonly fits?: string | undefined;
}

/** Expected time of the apply of a plan, and its window where it is the newest of its workspace or of a pull request. */
export async function findPlanFit(
  { reports, runs, workspaces }: ServerStore,
  { id, operation, status, hasChanges, pull, workspaceId }: StoredRun,
  nowMs: number,
): Promise<ShownFit> {
  if (operation !== 'plan' || status !== 'succeeded' || hasChanges !== true) return {};
  const expectedMs = await reports.readExpectedMs(id);
  const isOpen = pull !== undefined || (await runs.isNewest(id));
  const workspace = isOpen ? await workspaces.read(workspaceId) : undefined;
  const fits = workspace && describePlanFit(workspace, { nowMs, takesMs: expectedMs });
  return { expectedMs, fits };
}
