// Progress of a run while it is carried out, and the times of its steps once it has ended.
import type { RunStepJson } from '../../api/report-routes.ts';
import type { RunJson } from '../../api/show-run.ts';
import type { Timeline, TimelineEntry } from '../../../model/plan/timeline.ts';
import { groupBy } from '../../../model/group-by.ts';
import { formatElapsed } from '../../../render/format/elapsed.ts';
import {
  describeDurationRange,
  placeTimelineBar,
  foldTimeline,
  type TimelineGroup,
} from '../../../render/view/fold-timeline.ts';
import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import { renderPageTable } from '../parts/elements.ts';
import { formatGroupedCount } from '../parts/words.ts';

/** A step of a run with the number of its attempt. */
interface AttemptEntry extends TimelineEntry {
  readonly attempt: number;
}

type Scale = Pick<Timeline, 'startedAt' | 'endedAt'>;

/** Renders the line on a run's progress, with a bar once it has steps; a script keeps it up to date. */
export function renderLiveRunLine({ progress }: RunJson): SafeHtml {
  const { total = 1, done = 0, failed = 0 } = progress ?? {};
  const isHidden = progress === undefined;
  return html`<div class="callout busy">
    <p id="live" role="status">Waiting for news.</p>
    <progress id="progress" aria-label="Steps that have ended" max="${Math.max(1, total)}" value="${done + failed}"${isHidden && html` hidden`}></progress>
  </div>`;
}

const heads = ['Resource', 'Step', 'Began after', 'Took', 'From start to end'];

/** Renders the steps of a run on one time scale. Where there are many, all instances of a resource share a row. */
export function renderRunStepTimeline(
  { attempt }: RunJson,
  steps: readonly RunStepJson[],
): SafeHtml {
  const entries = readEntries(steps);
  if (entries.length === 0) return emptyHtml;
  const scale = {
    startedAt: entries.reduce((least, one) => Math.min(least, one.startedAt), Infinity),
    endedAt: entries.reduce((most, one) => Math.max(most, one.endedAt), 0),
  };
  // The steps of an attempt are one range: what another attempt did again is another one.
  const rows = [...groupBy(entries, (entry) => entry.attempt)].flatMap(([number, own]) =>
    foldTimeline({ entries: own }).map((group) =>
      renderGroup(group, scale, attempt > 1 ? number : undefined),
    ),
  );
  const elapsed = formatElapsed(scale.endedAt - scale.startedAt);
  return html`<details class="log timeline">
    <summary>
      <h2>Timeline</h2>
      <span class="dim">${formatGroupedCount(entries.length, 'step')} in ${elapsed}${attempt > 1 && `, ${attempt} attempts`}</span>
    </summary>
    <div class="lines" tabindex="0" role="region" aria-label="Timeline of the run">
      ${renderPageTable('rows', heads, rows)}
    </div>
  </details>`;
}

/** A step without an end was interrupted: its attempt was seen at work until its last step began or ended. */
function readEntries(steps: readonly RunStepJson[]): readonly AttemptEntry[] {
  const seenAt = new Map<number, number>();
  for (const { attempt, startedAt, endedAt = startedAt } of steps)
    seenAt.set(attempt, Math.max(seenAt.get(attempt) ?? 0, Date.parse(endedAt)));
  return steps.map(({ address, action, attempt, startedAt, endedAt, result }) => ({
    address,
    attempt,
    step: action,
    result: result ?? 'interrupted',
    isCritical: false,
    startedAt: Date.parse(startedAt),
    endedAt: endedAt === undefined ? (seenAt.get(attempt) ?? 0) : Date.parse(endedAt),
  }));
}

function renderGroup(group: TimelineGroup, scale: Scale, attempt: number | undefined): SafeHtml {
  const { address, entries } = group;
  const [{ step, result }] = entries;
  const { from, width } = placeTimelineBar(group, scale);
  const more =
    entries.length > 1 &&
    html` <span class="dim">${formatGroupedCount(entries.length, 'step')}</span>`;
  return html`<tr>
    <th scope="row"><code>${address}</code>${more}</th>
    <td>${step}${result !== 'applied' && `, ${result}`}${attempt !== undefined && html` <span class="dim">attempt ${attempt}</span>`}</td>
    <td>${describeDurationRange(entries.map((entry) => entry.startedAt - scale.startedAt))}</td>
    <td>${describeDurationRange(entries.map((entry) => entry.endedAt - entry.startedAt))}</td>
    <td class="bar">
      <svg aria-hidden="true" viewBox="0 0 1000 12" preserveAspectRatio="none"><rect class="${result}" x="${from}" y="0" width="${width}" height="12"/></svg>
    </td>
  </tr>`;
}
