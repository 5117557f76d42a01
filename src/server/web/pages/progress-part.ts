// How far a run is while it is carried out, and when which of its steps ran once it has ended.
import type { ShownStep } from '../../api/report-routes.ts';
import type { ShownRun } from '../../api/show-run.ts';
import type { TimelineEntry } from '../../../model/plan/timeline.ts';
import { formatElapsed } from '../../../render/format/elapsed.ts';
import { foldTimeline, type TimelineGroup } from '../../../render/view/fold-timeline.ts';
import { html, nothing, type Html } from '../parts/markup.ts';
import { count } from '../parts/words.ts';

/** The line that a script keeps up to date, with a bar once there are steps. */
export function renderLive({ progress }: ShownRun): Html {
  const { total = 1, done = 0, failed = 0 } = progress ?? {};
  return html`<div class="callout busy">
    <p id="live" role="status">Waiting for news.</p>
    <progress
      id="progress"
      aria-label="Steps that have ended"
      max="${Math.max(1, total)}"
      value="${done + failed}"
      ${progress ? nothing : html`hidden`}
    ></progress>
  </div>`;
}

/** Each step on one scale, the instances of one resource in one row where there are many. */
export function renderTimeline(
  { attempt, endedAt = '' }: ShownRun,
  steps: readonly ShownStep[],
): Html {
  const entries = steps.map((step) => readEntry(step, Date.parse(endedAt)));
  if (entries.length === 0) return nothing;
  const startedAt = reduce(
    Math.min,
    entries.map((entry) => entry.startedAt),
  );
  const scale = {
    startedAt,
    ms: Math.max(
      1,
      reduce(
        Math.max,
        entries.map((entry) => entry.endedAt),
      ) - startedAt,
    ),
  };
  const groups = foldTimeline({ entries });
  return html`<details class="log timeline">
    <summary>
      <h2>Timeline</h2>
      <span class="dim"
        >${count(entries.length, 'step')} in
        ${formatElapsed(scale.ms)}${attempt > 1 ? `, ${attempt} attempts` : ''}</span
      >
    </summary>
    <div class="lines" tabindex="0" role="region" aria-label="Timeline of the run">
      <table class="rows">
        <thead>
          <tr>
            ${['Resource', 'Step', 'Began after', 'Took', 'From start to end'].map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${groups.map((group) => renderGroup(group, scale))}
        </tbody>
      </table>
    </div>
  </details>`;
}

interface Scale {
  readonly startedAt: number;
  readonly ms: number;
}

/** What has no end was interrupted: its worker was killed, or ended in the middle. */
function readEntry(
  { address, action, startedAt, endedAt, result }: ShownStep,
  runEnd: number,
): TimelineEntry {
  const from = Date.parse(startedAt);
  return {
    ...{ address, step: action, result: result ?? 'interrupted', isCritical: false },
    startedAt: from,
    endedAt: endedAt === undefined ? Math.max(from, runEnd) : Date.parse(endedAt),
  };
}

function renderGroup(group: TimelineGroup, { startedAt, ms }: Scale): Html {
  const { address, entries } = group;
  const [{ step, result }] = entries;
  const at = (moment: number) => Math.round(((moment - startedAt) / ms) * 1_000);
  const [from, to] = [at(group.startedAt), at(group.endedAt)];
  return html`<tr>
    <th scope="row">
      <code>${address}</code
      >${entries.length > 1 ? html` <span class="dim">${count(entries.length, 'step')}</span>` : nothing}
    </th>
    <td>${step}${result === 'applied' ? '' : `, ${result}`}</td>
    <td>${describeRange(entries.map((entry) => entry.startedAt - startedAt))}</td>
    <td>${describeRange(entries.map((entry) => entry.endedAt - entry.startedAt))}</td>
    <td class="bar">
      <svg aria-hidden="true" viewBox="0 0 1000 12" preserveAspectRatio="none">
        <rect class="${result}" x="${from}" y="0" width="${Math.max(3, to - from)}" height="12" />
      </svg>
    </td>
  </tr>`;
}

/** From the shortest to the longest; one where they look the same. */
function describeRange(times: readonly number[]): string {
  const [from, to] = [
    formatElapsed(reduce(Math.min, times)),
    formatElapsed(reduce(Math.max, times)),
  ];
  return from === to ? from : `${from} to ${to}`;
}

/** Not by arguments: there may be many thousand. */
function reduce(pick: (left: number, right: number) => number, values: readonly number[]): number {
  return values.reduce((left, right) => pick(left, right));
}
