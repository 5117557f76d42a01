import { findNewest, planNewCommit, type RequestMeans } from '../runs/request-run.ts';

/** Plans what is new in the repositories that are polled. A repository that cannot be read is reported, and asked again next time. */
export async function pollSources(
  means: RequestMeans,
  warn: (text: string) => void,
): Promise<void> {
  for (const workspace of await means.store.workspaces.list()) {
    if (!workspace.poll) continue;
    try {
      const commit = await findNewest(means, workspace);
      if (commit !== workspace.seenCommit) await planNewCommit(means, workspace, commit);
    } catch (error) {
      warn(
        `Workspace ${workspace.name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
