import { findBranch } from '../../modules/check-out.ts';
import { requestRun, type RequestMeans } from '../runs/request-run.ts';

/** Plans what is new in the repositories that are polled. A repository that cannot be read is reported, and asked again next time. */
export async function pollSources(
  means: RequestMeans,
  warn: (text: string) => void,
): Promise<void> {
  for (const workspace of await means.store.workspaces.list()) {
    if (!workspace.poll) continue;
    try {
      const { repository, branch } = workspace;
      const commit = await findBranch(means.runtime, repository, branch);
      if (commit === workspace.seenCommit) continue;
      if (!(await means.store.workspaces.noteSeen(workspace, commit))) continue;
      await requestRun(means, {
        workspace,
        operation: 'plan',
        commit,
        reason: `push to ${branch}`,
      });
    } catch (error) {
      warn(
        `Workspace ${workspace.name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
