import { planNewest, type RequestMeans } from '../runs/request-run.ts';
import type { DueDependent } from '../store/dependencies.ts';

/** Plans a workspace, since one that it comes after was applied. @throws what `planNewest` throws */
export async function planDependent(
  means: RequestMeans,
  { workspaceId, run }: DueDependent,
): Promise<void> {
  const { store } = means;
  const [workspace, applied] = [
    await store.workspaces.read(workspaceId),
    await store.runs.find(run),
  ];
  if (workspace?.paused === true) return;
  // It may come after something else by now.
  if (!workspace || !applied || !workspace.after.includes(applied.workspace)) return;
  const reason = `${applied.operation} of ${applied.workspace}, #${applied.number}`;
  const origin = `after:${applied.id}:${workspace.id}`;
  if (await store.runs.hasOrigin(origin)) return;
  await planNewest(means, workspace, { reason, origin });
}
