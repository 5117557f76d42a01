import type { HostedRepository } from '../hosts/open-hosts.ts';
import { planUnseen, type ComparingHost } from '../hosts/pulls/plan-push.ts';
import { findNewest, planNewCommit, type RequestMeans } from '../runs/request-run.ts';
import type { Workspace } from '../store/workspaces.ts';

/** Plans what is new in the repositories that are polled. A repository that cannot be read is reported, and asked again next time. */
export async function pollSources(
  means: RequestMeans,
  warn: (text: string) => void,
): Promise<void> {
  const compare = rememberComparisons();
  for (const workspace of await means.store.workspaces.list()) {
    if (!workspace.poll) continue;
    try {
      const newest = await findNewest(means, workspace);
      if (newest !== workspace.seenCommit) await planNew(means, workspace, newest, compare);
    } catch (error) {
      warn(
        `Workspace ${workspace.name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

type Compare = (hosted: HostedRepository) => ComparingHost;

/** A host says what the commit touches, as for a push. Of another repository nobody knows. */
async function planNew(
  means: RequestMeans,
  workspace: Workspace,
  newest: string,
  compare: Compare,
): Promise<void> {
  const hosted = await means.hosts.find(workspace);
  if (!hosted) {
    await planNewCommit(means, workspace, newest);
    return;
  }
  // A host that does not answer now is not waited for: everything is planned.
  const head = { repository: hosted.path, newest, attempts: Infinity };
  await planUnseen(means, compare(hosted), head, [workspace]);
}

/** Asks once for all workspaces that have seen the same. */
function rememberComparisons(): Compare {
  const known = new Map<string, ReturnType<ComparingHost['listFilesBetween']>>();
  return ({ connection, host }) => ({
    listFilesBetween: (repository, before, after) => {
      const key = [connection.name, repository, before, after].join(' ');
      const asked = known.get(key) ?? host.listFilesBetween(repository, before, after);
      known.set(key, asked);
      return asked;
    },
  });
}
