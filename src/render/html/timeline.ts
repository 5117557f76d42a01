import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { html, emptyHtml, type SafeHtml } from '../../model/text/html.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { formatTime } from '../format/moment.ts';
import { describeAppliedEffectCounts } from '../text/counts-text.ts';
import {
  foldTimeline,
  type TimelineGroup,
  describeDurationRange,
  placeTimelineBar,
} from '../view/fold-timeline.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';
import { renderAddress, renderColumnHead, type ChangeAnchors } from './changes.ts';

/** Largest number of rows with which the timeline's table does not scroll in a box of its own. */
const fewRows = 30;

/** Renders the timeline of an apply with the counts of its effects. */
export function renderTimeline(timeline: Timeline, anchors: ChangeAnchors): SafeHtml {
  const { startedAt, endedAt, counts, entries } = timeline;
  if (entries.length === 0) return emptyHtml;
  const done = counts && `: ${describeAppliedEffectCounts(counts, false)}`;
  return html`<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2><p>The last apply ran ${formatElapsed(endedAt - startedAt)}, from ${formatTime(startedAt)} on${done}.</p>${renderTimes(timeline, anchors, 'Timeline')}</section>`;
}

/** Result of a rehearsal, with the timeline of the apply that it foresees. */
export function renderRehearsalHtml(rehearsal: Rehearsal, anchors: ChangeAnchors): SafeHtml {
  const { headline, lines, isWhole } = describeRehearsal(rehearsal);
  const sentence = headline.charAt(0).toUpperCase() + headline.slice(1);
  return html`<section aria-labelledby="rehearsal"><h2 id="rehearsal">Rehearsal</h2><p class="closing-verdict${!isWhole && ' bad'}">${sentence}</p><p>The plan was carried out on a copy of the account. Nothing was sent to the account itself.</p><dl class="words">${lines.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl>${renderTimes(rehearsal.timeline, anchors, 'Timeline of the rehearsal')}</section>`;
}

/**
 * Each task's wait and run on one time scale, with the longest chain marked; of many tasks, equal ones are in one row.
 */
function renderTimes(timeline: Timeline, anchors: ChangeAnchors, label: string): SafeHtml {
  const { entries } = timeline;
  if (entries.length === 0) return emptyHtml;
  const groups = foldTimeline(timeline);
  const critical = entries.filter(({ isCritical }) => isCritical);
  const heads = ['Change', 'Step', 'Waited', 'Ran', 'From start to end'];
  const isFolded = groups.length < entries.length;
  const folded =
    isFolded && ' A row of several steps reaches from the first start to the last end.';
  return html`<p class="key"><span aria-hidden="true">◆</span> The critical path, ${critical.length} of ${formatCountWithNoun('step', entries.length)}: each waited for the one before it, and the last ended last. Grey: waiting for what it needs, or for its turn. Solid: running.${folded}</p><div class="scroll${groups.length > fewRows && ' long'}" tabindex="0" role="group" aria-label="${label}"><table class="times"><thead><tr>${heads.map(renderColumnHead)}</tr></thead><tbody>${groups.map((group) => renderGroup(group, timeline, anchors))}</tbody></table></div>`;
}

function renderGroup(group: TimelineGroup, timeline: Timeline, anchors: ChangeAnchors): SafeHtml {
  const { entries } = group;
  const [{ address, step, result, isCritical }] = entries;
  const isOne = entries.length === 1;
  const classes = [...(isCritical ? ['critical'] : []), ...(result === 'applied' ? [] : [result])];
  const style = classes.length > 0 && html` class="${classes.join(' ')}"`;
  const words = result === 'applied' ? step : `${step}, ${result}`;
  const waits = entries.map(({ startedAt }) => startedAt - timeline.startedAt);
  const runs = entries.map(({ startedAt, endedAt }) => endedAt - startedAt);
  const name = renderAddress(isOne ? address : group.address, anchors);
  const steps = !isOne && html` <span class="words">${entries.length} steps</span>`;
  const tag = isCritical && html` <span class="tag drift">critical path</span>`;
  return html`<tr${style}><th scope="row">${name}${steps}${tag}</th><td>${words}</td><td>${describeDurationRange(waits)}</td><td>${describeDurationRange(runs)}</td><td class="bar">${drawBar(group, timeline)}</td></tr>`;
}

function drawBar(group: TimelineGroup, timeline: Timeline): SafeHtml {
  const { from, width } = placeTimelineBar(group, timeline);
  const run = group.entries[0].result === 'applied' ? 'run' : 'run failed';
  return html`<svg aria-hidden="true" viewBox="0 0 1000 14" preserveAspectRatio="none"><rect class="wait" x="0" y="5" width="${from}" height="4"/><rect class="${run}" x="${from}" y="1" width="${width}" height="12"/></svg>`;
}
