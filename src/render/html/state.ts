import { compareAddresses, parseAddress } from '../../model/address.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import type { Attributes } from '../../model/value.ts';
import { countMembers, foldChanges } from '../view/fold-changes.ts';
import { countKind, kindLabel } from '../view/labels.ts';
import { nameResource } from '../view/resource-name.ts';
import type { ChangeView } from '../view/view.ts';
import { sortResources } from '../text/state-text.ts';
import { describeValue } from '../view/value-diff.ts';
import { anchorChanges, type Anchors } from './changes.ts';
import { escapeMarkup } from '../../model/text/html.ts';
import { renderList } from './list/list.ts';
import { renderMembers } from './list/members.ts';
import type { ListRow } from './list/rows.ts';
import { renderPage, type HashText } from './page.ts';
import { renderRows } from './sides.ts';
import { renderTimeline } from './timeline.ts';

/** What a page about the state says beyond it. */
export interface StateParts {
  /** Hostwright's version. */
  readonly version: string;
  readonly hashOf: HashText;
  /** Whose state it is. */
  readonly identity?: PlanIdentity;
  /** How the last apply went. */
  readonly timeline?: Timeline;
}

/** The state as a page for a browser, with how the last apply went. */
export function renderStateHtml(state: State, parts: StateParts): string {
  const { version, hashOf, timeline, identity } = parts;
  const all = sortResources(state).map(viewResource);
  const folded = foldChanges(all);
  const anchors = anchorChanges(folded);
  const pending = [...state.pending.keys()].sort(compareAddresses);
  return renderPage(
    {
      title: identity ? `State of ${identity.name}` : 'State',
      ...(identity && { heading: `State of <code>${escapeMarkup(identity.name)}</code>` }),
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
      all.length === 0
        ? '<p class="key">The state is empty. "hostwright apply" fills it.</p>'
        : renderResources({ folded, all }, anchors),
      '</section>',
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

/** A resource as what it would take to make it: then equal ones are reported as they are in a plan. */
function viewResource({
  address,
  kind,
  id,
  attributes,
  sensitive = [],
}: ManagedResource): ChangeView {
  const values: Attributes = { id, ...attributes };
  const known = Object.entries(values)
    .filter(([name, value]) => value !== null && !sensitive.includes(name))
    .map(([name, value]) => ({ name, diff: describeValue(value, 'create') }));
  const hidden = sensitive.map((name) => ({
    name,
    diff: { kind: 'sensitive', mark: 'create' } as const,
  }));
  return {
    ...{ address, kind, project: parseAddress(address)?.project ?? address },
    ...{ name: nameResource(address).name, action: 'create', effects: [], losses: [] },
    ...{ isImported: false, isBackedUpFirst: false },
    attributes: [...known, ...hidden].sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

function renderResources(
  { folded, all }: { folded: readonly ChangeView[]; all: readonly ChangeView[] },
  anchors: Anchors,
): string {
  const originals = new Map(all.map((resource) => [resource.address, resource]));
  const rows = folded.map((resource): ListRow => {
    const { address, kind, project } = resource;
    const count = countMembers(resource);
    return {
      ...{ anchor: anchors.get(address) ?? '', address, count, kind, project, remarks: '' },
      words: `<span class="words">${count === 1 ? kindLabel(kind) : countKind(kind, count)}</span>`,
      tables: renderValues(resource),
      members: renderMembers(resource, originals),
    };
  });
  return renderList(rows, 'resource');
}

function renderValues({ attributes }: ChangeView): string {
  return [
    '<div class="scroll"><table class="diff after"><thead><tr><th scope="col">Attribute</th><th scope="col">Value</th></tr></thead><tbody>',
    ...attributes.map(({ name, diff }) => renderRows(diff, escapeMarkup(name), 'after')),
    '</tbody></table></div>',
  ].join('');
}
