import { html, type SafeHtml } from '../../../model/text/html.ts';
import type { WorkspaceDriftJson } from '../../api/show-run.ts';
import { renderCheckbox, renderFieldHint, renderSelectOptions } from '../parts/elements.ts';
import { formatGroupedCount, renderTimeAgo } from '../parts/words.ts';

/** Values of the form's fields about drift. */
export interface DriftFormFields {
  readonly driftEveryMinutes: number | null;
  readonly applyDrift: boolean;
}

const choices: readonly number[] = [5, 15, 60, 360, 1_440];

/** Renders the fields for how often drift is checked, and what follows. */
export function renderDriftFormFields({
  driftEveryMinutes,
  applyDrift,
}: DriftFormFields): SafeHtml {
  const isOther = driftEveryMinutes !== null && !choices.includes(driftEveryMinutes);
  const all = isOther ? [driftEveryMinutes, ...choices] : choices;
  const options = [
    ['', 'Only when somebody asks'] as const,
    ...all.map((minutes) => [minutes, `Every ${describeMinuteInterval(minutes)}`] as const),
  ];
  return html`<fieldset>
    <legend>Drift</legend>
    <p>
      <label for="driftEveryMinutes">Compare the account with the state</label><select id="driftEveryMinutes" name="driftEveryMinutes" aria-describedby="driftEveryMinutes-hint">${renderSelectOptions(options, driftEveryMinutes ?? '')}</select>${renderFieldHint('driftEveryMinutes', 'A check changes nothing. It begins with the first apply.')}
    </p>
    ${renderCheckbox('applyDrift', 'Plan what drifted, and apply the plan if it removes and replaces nothing and needs no approval', applyDrift)}
  </fieldset>`;
}

/** Describes an interval: `5 minutes`, `hour`, `6 hours`. */
export function describeMinuteInterval(minutes: number): string {
  const units = [
    [1_440, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ] as const;
  const [size, unit] = units.find(([one]) => minutes % one === 0) ?? [1, 'minute'];
  return minutes === size ? unit : formatGroupedCount(minutes / size, unit);
}

/** Renders since when an account has drifted, and in which resources. */
export function renderWorkspaceDrift(
  { beganAt, changedAt, run, count: all, changes }: WorkspaceDriftJson,
  now: number,
): SafeHtml {
  const more = all - changes.length;
  const items = changes.map(
    ({ address, action }) =>
      html`<li><code>${address}</code> ${action === 'delete' ? 'was deleted' : 'was changed'}</li>`,
  );
  return html`<div class="callout warn">
    <div>
      <p>
        <b>The account differs from the state</b> in ${formatGroupedCount(all, 'resource')}. Found
        ${renderTimeAgo(beganAt, now)}${changedAt !== beganAt && html`, changed ${renderTimeAgo(changedAt, now)}`}.
      </p>
      <ul>${items}${more > 0 && html`<li class="dim">and ${formatGroupedCount(more, 'more resource')}</li>`}</ul>
    </div>
    <a class="button" href="/runs/${run}">Show the drift</a>
  </div>`;
}

/** Renders the drift of a workspace as one line of the list of workspaces. */
export function renderDriftLine(
  { beganAt, run, count: all }: WorkspaceDriftJson,
  now: number,
): SafeHtml {
  return html`<a class="next" href="/runs/${run}">Drift in ${formatGroupedCount(all, 'resource')}, found ${renderTimeAgo(beganAt, now)}</a>`;
}
