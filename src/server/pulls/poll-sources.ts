// Looks for new commits in the repositories that are polled. Each host has a clock of its own: one that does not answer, or takes
// long, is asked less often, and keeps nobody else waiting.
import { groupBy } from '../../model/group-by.ts';
import type { HostedRepository } from '../hosts/open-hosts.ts';
import { planUnseen, type ComparingHost } from './plan-push.ts';
import { findNewest, planNewCommit, type RequestMeans } from '../runs/request-run.ts';
import type { Workspace } from '../store/workspaces.ts';
import { isOutage } from '../sources/check-source.ts';
import { nameHost } from '../sources/host-places.ts';

/** When a host is asked again. */
interface HostClock {
  /** The number of times in a row that it did not answer. */
  readonly failures: number;
  readonly dueAt: number;
}

/** So many hosts are asked at once, and so many of the repositories of one. */
const mostHosts = 16;
const mostAtHost = 4;
/** So long git may take for one repository, in milliseconds. */
const patienceMs = 10_000;
/** A host that does not answer is left alone for a minute, and then for twice as long each time. */
const firstPauseMs = 60_000;
const longestPauseMs = 16 * 60_000;

/** Makes what plans whatever is new, each time it is called. It remembers the clocks of the hosts. */
export function openPolling(
  means: RequestMeans,
  warn: (text: string) => void,
): () => Promise<void> {
  const clocks = new Map<string, HostClock>();
  const now = () => means.runtime.clock.now();
  return async () => {
    const polled = (await means.store.workspaces.list()).filter(
      ({ poll, paused }) => poll && !paused,
    );
    const due = [...groupBy(polled, ({ repository }) => nameHost(repository))].filter(
      ([host]) => now() >= (clocks.get(host)?.dueAt ?? 0),
    );
    await doEach(due, mostHosts, async ([host, workspaces]) => {
      const { failures = 0 } = clocks.get(host) ?? {};
      const begunAt = now();
      // Whoever asks meanwhile leaves it alone.
      clocks.set(host, { failures, dueAt: Infinity });
      const isOut = await pollHost(means, workspaces, warn);
      const tookMs = now() - begunAt;
      const pauseMs = isOut ? Math.min(firstPauseMs * 2 ** failures, longestPauseMs) : tookMs;
      clocks.set(host, { failures: isOut ? failures + 1 : 0, dueAt: now() + pauseMs });
    });
  };
}

/** Plans what is new at one host, until it does not answer. @returns whether that happened */
async function pollHost(
  means: RequestMeans,
  workspaces: readonly Workspace[],
  warn: (text: string) => void,
): Promise<boolean> {
  const compare = rememberComparisons();
  let isOut = false;
  await doEach(workspaces, mostAtHost, async (workspace) => {
    if (isOut) return;
    try {
      const newest = await findNewest(means, workspace, patienceMs);
      if (newest !== workspace.seenCommit) await planNew(means, workspace, newest, compare);
    } catch (error) {
      isOut ||= isOutage(error);
      warn(
        `Workspace ${workspace.name}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
  return isOut;
}

/** Does the work for each of some, so many at a time. */
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
