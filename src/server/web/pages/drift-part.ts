import { html, type Html } from '../../../model/text/html.ts';
import type { ShownDrift } from '../../api/show-run.ts';
import { renderCheck, renderHint, renderOptions } from '../parts/elements.ts';
import { count, showAge } from '../parts/words.ts';

/** Values of the form's fields about drift. */
export interface DriftFields {
  readonly driftEveryMinutes: number | null;
  readonly applyDrift: boolean;
}

const choices: readonly number[] = [5, 15, 60, 360, 1_440];

/** Renders the fields for how often drift is checked, and what follows. */
export function renderDriftFields({ driftEveryMinutes, applyDrift }: DriftFields): Html {
  const isOther = driftEveryMinutes !== null && !choices.includes(driftEveryMinutes);
  const all = isOther ? [driftEveryMinutes, ...choices] : choices;
  const options = [
    ['', 'Only when somebody asks'] as const,
    ...all.map((minutes) => [minutes, `Every ${describeMinutes(minutes)}`] as const),
  ];
  return html`<fieldset>
    <legend>Drift</legend>
    <p>
      <label for="driftEveryMinutes">Compare the account with the state</label><select id="driftEveryMinutes" name="driftEveryMinutes" aria-describedby="driftEveryMinutes-hint">${renderOptions(options, driftEveryMinutes ?? '')}</select>${renderHint('driftEveryMinutes', 'A check changes nothing. It begins with the first apply.')}
    </p>
    ${renderCheck('applyDrift', 'Plan what drifted, and apply the plan if it removes and replaces nothing and needs no approval', applyDrift)}
  </fieldset>`;
}

/** Describes an interval: `5 minutes`, `hour`, `6 hours`. */
export function describeMinutes(minutes: number): string {
  const units = [
    [1_440, 'day'],
    [60, 'hour'],
    [1, 'minute'],
  ] as const;
  const [size, unit] = units.find(([one]) => minutes % one === 0) ?? [1, 'minute'];
  return minutes === size ? unit : count(minutes / size, unit);
}

/** Renders since when an account has drifted, and in which resources. */
export function renderDrift(
  { beganAt, changedAt, run, count: all, changes }: ShownDrift,
  now: number,
): Html {
  const more = all - changes.length;
  const items = changes.map(
    ({ address, action }) =>
      html`<li><code>${address}</code> ${action === 'delete' ? 'was deleted' : 'was changed'}</li>`,
  );
  return html`<div class="callout warn">
    <div>
      <p>
        <b>The account differs from the state</b> in ${count(all, 'resource')}. Found
        ${showAge(beganAt, now)}${changedAt !== beganAt && html`, changed ${showAge(changedAt, now)}`}.
      </p>
      <ul>${items}${more > 0 && html`<li class="dim">and ${count(more, 'more resource')}</li>`}</ul>
    </div>
    <a class="button" href="/runs/${run}">Show the drift</a>
  </div>`;
}

/** Renders drift in a line of the overview. */
export function renderDriftLine({ beganAt, run, count: all }: ShownDrift, now: number): Html {
  return html`<a class="next" href="/runs/${run}">Drift in ${count(all, 'resource')}, found ${showAge(beganAt, now)}</a>`;
}
