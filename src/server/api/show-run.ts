import type { Run } from '../runs/run.ts';
import type { Workspace } from '../store/workspaces.ts';

/** A run as the interface shows it. `place` is how many of its workspace come before it. */
export function showRun(run: Run, place?: number): object {
  const { id, number, workspace, operation, commit, status, reason, attempt, createdAt } = run;
  const { planRun, worker, hasChanges, changes, startedAt, endedAt } = run;
  return {
    ...{ id, number, workspace, operation, commit, status, reason, attempt, createdAt },
    ...(planRun !== undefined && { plan: planRun }),
    ...(status === 'queued' && place !== undefined && { place }),
    ...(worker !== undefined && { worker }),
    ...(hasChanges !== undefined && { hasChanges }),
    ...(changes && { changes }),
    ...(startedAt && { startedAt }),
    ...(endedAt && { endedAt }),
  };
}

/** A workspace as the interface shows it: never its variables. */
export function showWorkspace(workspace: Workspace): object {
  const { name, repository, branch, directory, poll, createdAt } = workspace;
  return { name, repository, branch, directory, poll, createdAt };
}
