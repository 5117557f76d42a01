// Looks for new commits in the repositories that are polled. Each host has a clock of its own, which all processes share: one that
// does not answer, or takes long, is asked less often, and keeps nobody else waiting.
import { groupBy } from '../../model/group-by.ts';
import type { GitHostRepository } from '../hosts/open-hosts.ts';
import { planUnseenCommit, type CommitComparingHost } from './plan-push.ts';
import {
  findNewestCommit,
  planNewCommit,
  type RunRequestDependencies,
} from '../runs/request-run.ts';
import type { Workspace } from '../store/workspaces.ts';
import { isRepositoryOutage } from '../sources/check-source.ts';
import { nameRepositoryHost } from '../sources/host-places.ts';

/** Most hosts that are polled at once, and most repositories of one host. */
const mostHosts = 16;
const mostAtHost = 4;
/** Milliseconds that git may take to ask one repository for its newest commit. */
const patienceMs = 10_000;
/** A host that does not answer is left alone for a minute, and then for twice as long each time. */
const firstPauseMs = 60_000;
const longestPauseMs = 16 * 60_000;

/** A line of the log for each of so many kinds of faults at a host: thousands of workspaces may have the same. */
const mostLines = 5;

/** Plans new commits of polled repositories, at each git host that is due and that no other process polls now. */
export async function pollRepositories(
  means: RunRequestDependencies,
  warn: (text: string) => void,
): Promise<void> {
  const { workspaces, pollClocks } = means.store;
  const now = () => means.runtime.clock.now();
  const polled = (await workspaces.list()).filter(isPolled);
  const hosts = [...groupBy(polled, ({ repository }) => nameRepositoryHost(repository))];
  await doEach(hosts, mostHosts, async ([host, own]) => {
    const failures = await pollClocks.take(host);
    if (failures === undefined) return;
    const begunAt = now();
    const isOut = await pollHost(means, host, own, warn);
    const pauseMs = isOut
      ? Math.min(firstPauseMs * 2 ** failures, longestPauseMs)
      : now() - begunAt;
    await pollClocks.end(host, isOut ? failures + 1 : 0, pauseMs);
  });
}

const isPolled = ({ poll, paused }: Workspace) => poll && !paused;

/** Plans what is new at one host, until it does not answer. @returns whether that happened */
async function pollHost(
  means: RunRequestDependencies,
  host: string,
  workspaces: readonly Workspace[],
  warn: (text: string) => void,
): Promise<boolean> {
  const { store } = means;
  const compare = rememberComparisons();
  const faults = new Map<string, string[]>();
  let isOut = false;
  await doEach(workspaces, mostAtHost, async ({ id }) => {
    if (isOut) return;
    await store.pollClocks.keep(host);
    // Polling may have been switched off since the workspace was listed.
    const workspace = await store.workspaces.read(id);
    if (!workspace || !isPolled(workspace)) return;
    try {
      const newest = await findNewestCommit(means, workspace, patienceMs);
      if (newest !== workspace.seenCommit) await planNew(means, workspace, newest, compare);
    } catch (error) {
      isOut ||= isRepositoryOutage(error);
      const text = error instanceof Error ? error.message : String(error);
      faults.set(text, [...(faults.get(text) ?? []), workspace.name]);
    }
  });
  for (const [text, [first = '', ...others]] of [...faults].slice(0, mostLines))
    warn(`Workspace ${first}${others.length > 0 ? ` and ${others.length} more` : ''}: ${text}`);
  if (faults.size > mostLines)
    warn(`${faults.size - mostLines} more faults at ${host || 'this machine'}.`);
  return isOut;
}

/** Does some work for each item, a few at a time. */
async function doEach<T>(
  all: readonly T[],
  most: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const takeOn = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, takeOn));
}

type Compare = (hosted: GitHostRepository) => CommitComparingHost;

/** A host says what the commit touches, as for a push. Of another repository nobody knows. */
async function planNew(
  means: RunRequestDependencies,
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
  await planUnseenCommit(means, compare(hosted), head, [workspace]);
}

/** Compares two commits once for all workspaces that have seen the same one. */
function rememberComparisons(): Compare {
  const known = new Map<string, ReturnType<CommitComparingHost['listFilesBetween']>>();
  return ({ connection, host }) => ({
    listFilesBetween: (repository, before, after) => {
      const key = [connection.name, repository, before, after].join(' ');
      const asked = known.get(key) ?? host.listFilesBetween(repository, before, after);
      known.set(key, asked);
      return asked;
    },
  });
}
