import { parseResourceAddress } from '../../model/address.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { html, emptyHtml, type SafeHtml } from '../../model/text/html.ts';
import { countFoldedChanges, foldChanges } from '../view/fold-changes.ts';
import { formatKindCount, formatKindLabel } from '../view/labels.ts';
import { splitResourceName } from '../view/resource-name.ts';
import {
  listPendingCreates,
  sortStateResources,
  viewResourceAttributes,
} from '../view/state-view.ts';
import type { ChangeView } from '../view/view.ts';
import {
  anchorChanges,
  renderFoldedChangeMembers,
  renderValuesTable,
  type ChangeAnchors,
} from './changes.ts';
import { renderFilterableList, type HtmlListRow } from './list.ts';
import { renderReportPage, type HashForContentSecurityPolicy } from './page.ts';
import { renderTimeline } from './timeline.ts';
import { renderDiffValueRows } from './value-rows.ts';

/** Contents of a page about the state that are not part of the state. */
export interface StatePageParts {
  /** Version of this program, which the page names. */
  readonly version: string;
  readonly hashOf: HashForContentSecurityPolicy;
  /** Directory and service that the state belongs to. */
  readonly identity?: PlanIdentity;
  /** Timeline of the last apply; absent where none is known. */
  readonly timeline?: Timeline;
}

/** Renders the state as a web page, with the timeline of the last apply. */
export function renderStateHtml(state: State, parts: StatePageParts): string {
  const { version, hashOf, timeline, identity } = parts;
  const all = sortStateResources(state).map(viewAsCreated);
  const folded = foldChanges(all);
  const anchors = anchorChanges(folded);
  const pending = listPendingCreates(state);
  const empty = html`<p class="key">The state is empty. "hostwright apply" fills it.</p>`;
  return renderReportPage(
    {
      title: identity ? `State of ${identity.name}` : 'State',
      ...(identity && { heading: html`State of <code>${identity.name}</code>` }),
      facts: [
        `serial ${state.serial}`,
        ...(state.service === null ? [] : [state.service]),
        `Hostwright v${version}`,
      ],
      hashOf,
    },
    [
      pending.length > 0 ? renderPending(pending) : emptyHtml,
      timeline ? renderTimeline(timeline, anchors) : emptyHtml,
      html`<section aria-labelledby="resources"><h2 id="resources">Resources</h2>
${all.length === 0 ? empty : renderResources({ folded, all }, anchors)}
</section>`,
    ],
  );
}

function renderPending(pending: readonly string[]): SafeHtml {
  const items = pending.map((address) => html`<li><code>${address}</code></li>`);
  return html`<section aria-labelledby="pending"><h2 id="pending">Sent, not yet seen in the account</h2><ul>${items}</ul></section>`;
}

/** A resource as the change that would create it: then equal resources are folded as they are in a plan. */
function viewAsCreated(resource: ManagedResource): ChangeView {
  const { address, kind } = resource;
  return {
    address,
    kind,
    project: parseResourceAddress(address)?.project ?? address,
    name: splitResourceName(address).name,
    action: 'create',
    effects: [],
    losses: [],
    isImported: false,
    isBackedUpFirst: false,
    attributes: viewResourceAttributes(resource, 'create'),
  };
}

function renderResources(
  { folded, all }: { folded: readonly ChangeView[]; all: readonly ChangeView[] },
  anchors: ChangeAnchors,
): SafeHtml {
  const originals = new Map(all.map((resource) => [resource.address, resource]));
  const rows = folded.map((resource): HtmlListRow => {
    const { address, kind, project, attributes } = resource;
    const count = countFoldedChanges(resource);
    const values = attributes.map(({ name, diff }) =>
      renderDiffValueRows(diff, html`${name}`, 'after'),
    );
    return {
      anchor: anchors.get(address) ?? '',
      address,
      count,
      kind,
      project,
      remarks: emptyHtml,
      words: html`<span class="words">${count === 1 ? formatKindLabel(kind) : formatKindCount(kind, count)}</span>`,
      tables: renderValuesTable('diff after', ['Attribute', 'Value'], values),
      members: renderFoldedChangeMembers(resource, originals),
    };
  });
  return renderFilterableList(rows, 'resource');
}
