import type { Timeline } from '../../model/plan/timeline.ts';
import { describeDone } from '../text/counts-text.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { formatTime } from '../format/moment.ts';
import { foldTimeline, type TimelineGroup } from '../view/fold-timeline.ts';
import { describeRange, placeBar } from '../view/timeline-bars.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { renderAddress, type Anchors } from './changes.ts';

/** More rows than these scroll in a box of their own. */
const fewRows = 30;

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

/** Each task's wait and run on one scale, the chain that took longest marked; of many, equal ones in one row. */
export function renderTimes(timeline: Timeline, anchors: Anchors, label: string): string {
  const { entries } = timeline;
  if (entries.length === 0) return '';
  const groups = foldTimeline(timeline);
  const critical = entries.filter(({ isCritical }) => isCritical);
  const heads = ['Change', 'Step', 'Waited', 'Ran', 'From start to end'];
  const isFolded = groups.length < entries.length;
  const folded = isFolded
    ? ' A row of several steps reaches from the first start to the last end.'
    : '';
  return [
    `<p class="key"><span aria-hidden="true">◆</span> The critical path, ${critical.length} of ${countNoun('step', entries.length)}: each waited for the one before it, and the last ended last. Grey: waiting for what it needs, or for its turn. Solid: running.${folded}</p>`,
    `<div class="scroll${groups.length > fewRows ? ' long' : ''}" tabindex="0" role="group" aria-label="${label}"><table class="times"><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>`,
    ...groups.map((group) => renderGroup(group, timeline, anchors)),
    '</tbody></table></div>',
  ].join('');
}

function renderGroup(group: TimelineGroup, timeline: Timeline, anchors: Anchors): string {
  const { entries } = group;
  const [{ address, step, result, isCritical }] = entries;
  const isOne = entries.length === 1;
  const classes = [...(isCritical ? ['critical'] : []), ...(result === 'applied' ? [] : [result])];
  const words = result === 'applied' ? step : `${step}, ${result}`;
  const waits = entries.map(({ startedAt }) => startedAt - timeline.startedAt);
  const runs = entries.map(({ startedAt, endedAt }) => endedAt - startedAt);
  const name = isOne
    ? renderAddress(address, anchors)
    : `${renderAddress(group.address, anchors)} <span class="words">${entries.length} steps</span>`;
  return (
    `<tr${classes.length > 0 ? ` class="${classes.join(' ')}"` : ''}><th scope="row">${name}${isCritical ? ' <span class="tag drift">critical path</span>' : ''}</th>` +
    `<td>${words}</td><td>${describeRange(waits)}</td><td>${describeRange(runs)}</td>` +
    `<td class="bar">${drawBar(group, timeline)}</td></tr>`
  );
}

function drawBar(group: TimelineGroup, timeline: Timeline): string {
  const { from, width } = placeBar(group, timeline);
  const run = group.entries[0].result === 'applied' ? 'run' : 'run failed';
  return (
    `<svg aria-hidden="true" viewBox="0 0 1000 14" preserveAspectRatio="none">` +
    `<rect class="wait" x="0" y="5" width="${from}" height="4"/>` +
    `<rect class="${run}" x="${from}" y="1" width="${width}" height="12"/></svg>`
  );
}
