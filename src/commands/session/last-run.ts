import { resolve } from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import { readLastRunTimeline as read, writeLastRunTimeline } from '../../state/last-run.ts';

/** Reads when the changes of the last apply in a directory ran; undefined where that was not stored. */
export function readLastApplyTimeline(
  runtime: Pick<Runtime, 'cwd'>,
  directory: string,
): Promise<Timeline | undefined> {
  return read(resolve(runtime.cwd, directory));
}

/** Stores when the changes of an apply ran. A failure to store it does not fail the apply, which is done by then. */
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
