import { parseAddress } from '../../model/address.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { html, emptyHtml, type Html } from '../../model/text/html.ts';
import { countMembers, foldChanges } from '../view/fold-changes.ts';
import { countKind, kindLabel } from '../view/labels.ts';
import { nameResource } from '../view/resource-name.ts';
import { listPending, sortResources, viewResource } from '../view/state-view.ts';
import type { ChangeView } from '../view/view.ts';
import { anchorChanges, renderMembers, renderTable, type ChangeAnchors } from './changes.ts';
import { renderList, type ListRow } from './list.ts';
import { renderPage, type HashText } from './page.ts';
import { renderTimeline } from './timeline.ts';
import { renderValueRows } from './value-rows.ts';

/** Contents of a page about the state that are not part of the state. */
export interface StateParts {
  /** Version of this program, which the page names. */
  readonly version: string;
  readonly hashOf: HashText;
  /** Directory and service that the state belongs to. */
  readonly identity?: PlanIdentity;
  /** Timeline of the last apply; absent where none is known. */
  readonly timeline?: Timeline;
}

/** The state as a page for a browser, with the timeline of the last apply. */
export function renderStateHtml(state: State, parts: StateParts): string {
  const { version, hashOf, timeline, identity } = parts;
  const all = sortResources(state).map(viewAsCreated);
  const folded = foldChanges(all);
  const anchors = anchorChanges(folded);
  const pending = listPending(state);
  const empty = html`<p class="key">The state is empty. "hostwright apply" fills it.</p>`;
  return renderPage(
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

function renderPending(pending: readonly string[]): Html {
  const items = pending.map((address) => html`<li><code>${address}</code></li>`);
  return html`<section aria-labelledby="pending"><h2 id="pending">Sent, not yet seen in the account</h2><ul>${items}</ul></section>`;
}

/** A resource as the change that would create it: then equal resources are folded as they are in a plan. */
function viewAsCreated(resource: ManagedResource): ChangeView {
  const { address, kind } = resource;
  return {
    address,
    kind,
    project: parseAddress(address)?.project ?? address,
    name: nameResource(address).name,
    action: 'create',
    effects: [],
    losses: [],
    isImported: false,
    isBackedUpFirst: false,
    attributes: viewResource(resource, 'create'),
  };
}

function renderResources(
  { folded, all }: { folded: readonly ChangeView[]; all: readonly ChangeView[] },
  anchors: ChangeAnchors,
): Html {
  const originals = new Map(all.map((resource) => [resource.address, resource]));
  const rows = folded.map((resource): ListRow => {
    const { address, kind, project, attributes } = resource;
    const count = countMembers(resource);
    const values = attributes.map(({ name, diff }) =>
      renderValueRows(diff, html`${name}`, 'after'),
    );
    return {
      anchor: anchors.get(address) ?? '',
      address,
      count,
      kind,
      project,
      remarks: emptyHtml,
      words: html`<span class="words">${count === 1 ? kindLabel(kind) : countKind(kind, count)}</span>`,
      tables: renderTable('diff after', ['Attribute', 'Value'], values),
      members: renderMembers(resource, originals),
    };
  });
  return renderList(rows, 'resource');
}
