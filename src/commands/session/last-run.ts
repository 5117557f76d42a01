import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import { readLastRunTimeline as read, writeLastRunTimeline } from '../../state/last-run.ts';

/** Times of the last apply in a directory; undefined where none are kept. */
export function readLastTimeline(
  runtime: Pick<Runtime, 'cwd'>,
  directory: string,
): Promise<Timeline | undefined> {
  return read(resolve(runtime.cwd, directory));
}

/** Keeps how an apply went. That it cannot be kept is no reason for the apply to fail: all else is done. */
export async function storeLastRunTimeline(
  directory: string,
  timeline: Timeline,
): Promise<readonly Diagnostic[]> {
  try {
    await writeLastRunTimeline(directory, timeline);
    return [];
  } catch (cause) {
    return [
      {
        severity: 'warning',
        code: 'last-run-not-kept',
        summary: 'The result of this run could not be saved for reports',
        detail: cause instanceof Error ? `${cause.message}.` : String(cause),
      },
    ];
  }
}
