// The log of a run as server-sent events, from its first line or behind a known one, until the run has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { describeDeletedDetails, type DeletedDetails, type StoredRun } from '../store/run.ts';
import type { StoredRunLogLine } from '../store/run-log.ts';
import type { ServerStore } from '../store/store.ts';
import { describeRunJson, type RunJson } from './show-run.ts';

const lookMs = 300;
/** Age that the shown state of the run itself may have, in milliseconds. */
const showMs = 1_500;
/** Something is sent so often that nothing between takes the connection for dead. */
const signMs = 15_000;

/** Request to follow the log of a run: the run, and the line to start after. */
export interface FollowedRunLog {
  readonly runId: string;
  /** Number of the last log line that the reader has. */
  readonly after: number;
  /** Converts a run to the JSON of the API. */
  readonly show: (run: StoredRun) => Promise<RunJson>;
  /** Signal that ends the stream. */
  readonly signal: AbortSignal;
}

/** Follows the log of a run as pieces of an event stream; each piece has all lines that came since the one before. */
export async function* followRunLog(
  { log, runs }: ServerStore,
  { runId, after, show, signal }: FollowedRunLog,
): AsyncGenerator<string> {
  let last = after;
  let quietMs = 0;
  let [shown, shownAt] = ['', -Infinity];
  while (!signal.aborted) {
    // First the run, then its lines: what came before its end is among them.
    const run = await runs.find(runId);
    const lines = await log.read(runId, last);
    if (run?.deleted && last < 1) {
      last = 1;
      yield writeEvent('line', sayDeleted(run.deleted), last);
    }
    if (run && !run.endedAt && performance.now() - shownAt >= showMs) {
      shownAt = performance.now();
      const now = await show(run);
      const text = JSON.stringify(now);
      if (text !== shown) yield writeEvent('run', now, last);
      shown = text;
    }
    if (lines.length > 0) {
      last = lines.at(-1)?.line ?? last;
      yield lines.map((line) => writeEvent('line', line, line.line)).join('');
      quietMs = 0;
      continue;
    }
    if (!run || run.endedAt) {
      if (run) yield writeEvent('end', describeRunJson(run), last);
      return;
    }
    await sleep(lookMs, undefined, { signal }).catch(() => undefined);
    quietMs += lookMs;
    if (quietMs >= signMs) {
      quietMs = 0;
      yield ': quiet\n\n';
    }
  }
}

/** Writes the present log of a run as plain text, piece by piece. */
export async function* printRunLog(
  { log }: ServerStore,
  { id, deleted }: StoredRun,
): AsyncGenerator<string> {
  if (deleted) yield `${describeDeletedDetails(deleted)}\n`;
  for (let last = 0; ;) {
    const lines = await log.read(id, last);
    if (lines.length === 0) return;
    last = lines.at(-1)?.line ?? last;
    yield lines.map(({ text }) => `${text}\n`).join('');
  }
}

/** The line that stands in the place of a deleted log. */
function sayDeleted(deleted: DeletedDetails): StoredRunLogLine {
  return { line: 1, at: deleted.at, stream: 'server', text: describeDeletedDetails(deleted) };
}

function writeEvent(name: string, data: object, id: number): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
