// When the apply of a run begins, and how long it takes, for those who look at it.
import { findApplyWindowWait } from './wait-for-window.ts';
import { explainAccountHold } from './request-run.ts';
import { isAccountChangingRun } from '../store/server-hold.ts';
import type { StoredRun } from '../store/run.ts';
import type { ServerStore } from '../store/store.ts';
import { describeApplyWindowFit } from '../windows/apply-windows.ts';

/** Reason why a queued run does not begin, and the expected time of its beginning. */
export interface RunHoldReason {
  readonly held?: string | undefined;
  readonly startsAtMs?: number | undefined;
}

/**
 * Finds the reason why a queued apply or destroy waits: the server is held, the workspace is locked, there is a freeze, or no
 * apply window is open.
 */
export async function findRunHold(
  store: ServerStore,
  run: StoredRun,
  nowMs: number,
): Promise<RunHoldReason> {
  if (run.status !== 'queued') return {};
  const held = isAccountChangingRun(run) ? await explainAccountHold(store, run) : undefined;
  if (held !== undefined) return { held };
  const wait = run.child === null ? await findApplyWindowWait(store, run, nowMs) : undefined;
  return { held: wait?.why, startsAtMs: wait?.startsAtMs };
}

/** Expected duration of a plan's apply, and the apply window that it fits into, in words. */
export interface ApplyWindowFit {
  readonly expectedMs?: number | undefined;
  readonly fits?: string | undefined;
}

/** Finds the expected duration of a plan's apply and, where the plan can still be applied, the apply window that it fits into. */
export async function findApplyWindowFit(
  { reports, runs, workspaces }: ServerStore,
  { id, operation, status, hasChanges, pull, workspaceId }: StoredRun,
  nowMs: number,
): Promise<ApplyWindowFit> {
  if (operation !== 'plan' || status !== 'succeeded' || hasChanges !== true) return {};
  const expectedMs = await reports.readExpectedMs(id);
  const isOpen = pull !== undefined || (await runs.isNewest(id));
  const workspace = isOpen ? await workspaces.read(workspaceId) : undefined;
  const fits = workspace && describeApplyWindowFit(workspace, { nowMs, takesMs: expectedMs });
  return { expectedMs, fits };
}
