import { compareAddresses } from '../../model/address.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import type { Attributes } from '../../model/value.ts';
import { countNoun } from '../view/labels.ts';
import { sortResources } from '../text/state-text.ts';
import { describeValue } from '../view/value-diff.ts';
import type { Anchors } from './changes.ts';
import { escapeMarkup } from '../format/escape-markup.ts';
import { renderPage, type HashText } from './page.ts';
import { renderTimeline } from './timeline.ts';
import { layOutValue } from './value-rows.ts';

/** What a page about the state says beyond it. */
export interface StateParts {
  /** Hostwright's version. */
  readonly version: string;
  readonly hashOf: HashText;
  /** How the last apply went. */
  readonly timeline?: Timeline;
}

/** The state as a page for a browser, with how the last apply went. */
export function renderStateHtml(state: State, parts: StateParts): string {
  const { version, hashOf, timeline } = parts;
  const resources = sortResources(state);
  const anchors: Anchors = new Map(resources.map(({ address }, index) => [address, `r${index}`]));
  const pending = [...state.pending.keys()].sort(compareAddresses);
  return renderPage(
    {
      title: 'State',
      facts: [
        `serial ${state.serial}`,
        ...(state.service === null ? [] : [state.service]),
        `Hostwright v${version}`,
      ],
      hashOf,
    },
    [
      pending.length > 0 ? renderPending(pending) : '',
      timeline ? renderTimeline(timeline, anchors) : '',
      '<section aria-labelledby="resources"><h2 id="resources">Resources</h2>',
      `<p class="key">${resources.length === 0 ? 'The state is empty.' : countNoun('resource', resources.length)}</p>`,
      '<ol class="changes">',
      ...resources.map((resource) => renderResource(resource, anchors)),
      '</ol></section>',
    ],
  );
}

function renderPending(pending: readonly string[]): string {
  return [
    '<section aria-labelledby="pending"><h2 id="pending">Sent, not yet seen in the account</h2><ul>',
    ...pending.map((address) => `<li><code>${escapeMarkup(address)}</code></li>`),
    '</ul></section>',
  ].join('');
}

function renderResource(
  { address, kind, id, attributes }: ManagedResource,
  anchors: Anchors,
): string {
  const values: Attributes = { id, ...attributes };
  const rows = Object.keys(values)
    .sort()
    .filter((name) => values[name] !== null)
    .flatMap((name) =>
      layOutValue(describeValue(values[name] ?? null, 'none')).map(
        ({ after }, index) =>
          `<tr><th scope="row">${index === 0 ? escapeMarkup(name) : '<span aria-hidden="true">·</span>'}</th><td>${escapeMarkup(after?.text ?? '')}</td></tr>`,
      ),
    );
  return [
    `<li><details id="${anchors.get(address) ?? ''}"><summary><code>${escapeMarkup(address)}</code> <span class="words">${kind}</span></summary>`,
    `<div class="scroll"><table class="diff before"><thead><tr><th scope="col">Attribute</th><th scope="col">Value</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    '</details></li>',
  ].join('');
}
