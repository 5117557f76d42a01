// How long steps took, in words and as a part of one scale.
import type { Timeline } from '../../model/plan/timeline.ts';
import { formatElapsed } from '../format/elapsed.ts';
import type { TimelineGroup } from './fold-timeline.ts';

/** The whole of a scale. */
const scaleLength = 1_000;

/** From the shortest to the longest; one where they look the same. */
export function describeRange(times: readonly number[]): string {
  const from = formatElapsed(Math.min(...times));
  const to = formatElapsed(Math.max(...times));
  return from === to ? from : `${from} to ${to}`;
}

/** Where a group begins on a scale from 0 to 1,000, and how much of that it takes. */
export function placeBar(
  group: Pick<TimelineGroup, 'startedAt' | 'endedAt'>,
  { startedAt, endedAt }: Pick<Timeline, 'startedAt' | 'endedAt'>,
): { readonly from: number; readonly width: number } {
  const scale = Math.max(1, endedAt - startedAt);
  const at = (moment: number) => Math.round(((moment - startedAt) / scale) * scaleLength * 10) / 10;
  const from = at(group.startedAt);
  return { from, width: Math.max(2, Math.round((at(group.endedAt) - from) * 10) / 10) };
}
