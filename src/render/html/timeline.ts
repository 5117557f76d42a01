import type { Timeline, TimelineEntry } from '../../model/plan/timeline.ts';
import { describeDone } from '../text/counts-text.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { formatTime } from '../format/moment.ts';
import { renderAddress, type Anchors } from './changes.ts';

/** How an apply went. */
export function renderTimeline(timeline: Timeline, anchors: Anchors): string {
  const { startedAt, endedAt, counts, entries } = timeline;
  if (entries.length === 0) return '';
  const done = counts ? `: ${describeDone(counts, false)}` : '';
  return [
    '<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>',
    `<p>The last apply ran ${formatElapsed(endedAt - startedAt)}, from ${formatTime(startedAt)} on${done}.</p>`,
    renderTimes(timeline, anchors, 'Timeline'),
    '</section>',
  ].join('');
}

/** Each task's wait and run on one scale, the chain that took longest marked. */
export function renderTimes(timeline: Timeline, anchors: Anchors, label: string): string {
  const { entries } = timeline;
  if (entries.length === 0) return '';
  const critical = entries.filter(({ isCritical }) => isCritical);
  const heads = ['Change', 'Step', 'Waited', 'Ran', 'From start to end'];
  return [
    `<p class="key"><span aria-hidden="true">◆</span> The critical path, ${critical.length} of ${entries.length} steps: each waited for the one before it, and the last ended last. Grey: waiting for what it needs, or for its turn. Solid: running.</p>`,
    `<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table class="times"><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>`,
    ...entries.map((entry) => renderEntry(entry, timeline, anchors)),
    '</tbody></table></div>',
  ].join('');
}

function renderEntry(
  entry: TimelineEntry,
  { startedAt, endedAt }: Timeline,
  anchors: Anchors,
): string {
  const { address, step, result, isCritical } = entry;
  const scale = Math.max(1, endedAt - startedAt);
  const at = (moment: number) => Math.round(((moment - startedAt) / scale) * 10_000) / 10;
  const [from, to] = [at(entry.startedAt), at(entry.endedAt)];
  const classes = [...(isCritical ? ['critical'] : []), ...(result === 'applied' ? [] : [result])];
  const words = result === 'applied' ? step : `${step}, ${result}`;
  return (
    `<tr${classes.length > 0 ? ` class="${classes.join(' ')}"` : ''}><th scope="row">${renderAddress(address, anchors)}${isCritical ? ' <span class="tag drift">critical path</span>' : ''}</th>` +
    `<td>${words}</td><td>${formatElapsed(entry.startedAt - startedAt)}</td><td>${formatElapsed(entry.endedAt - entry.startedAt)}</td>` +
    `<td class="bar"><svg aria-hidden="true" viewBox="0 0 1000 14" preserveAspectRatio="none">` +
    `<rect class="wait" x="0" y="5" width="${from}" height="4"/>` +
    `<rect class="run${result === 'applied' ? '' : ' failed'}" x="${from}" y="1" width="${Math.max(2, to - from)}" height="12"/></svg></td></tr>`
  );
}
