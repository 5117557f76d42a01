import type { ResourceAddress } from '../../model/address.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { html, emptyHtml, type SafeHtml } from '../../model/text/html.ts';
import { describeActionHeadline, listChangeRemarks } from '../text/change-text.ts';
import { drawInlineValue } from '../text/inline-value.ts';
import { listAttributeNotes, type AttributeNote } from '../view/attribute-notes.ts';
import { countFoldedChanges } from '../view/fold-changes.ts';
import { findConsequentAttributes } from '../view/following.ts';
import { formatKindCount } from '../view/labels.ts';
import type { ShownAction } from '../view/symbols.ts';
import type { ValueDiff } from '../view/value-diff.ts';
import type { AttributeView, ChangeView } from '../view/view.ts';
import { renderFilterableList, type HtmlListRow } from './list.ts';
import { renderDiffValueRows, type DiffTableSides } from './value-rows.ts';

/** HTML anchors of the changes, by address. */
export type ChangeAnchors = ReadonlyMap<ResourceAddress, string>;

/** Assigns numbered anchors to the changes, for links to them; folded changes share one anchor. */
export function anchorChanges(folded: readonly ChangeView[]): ChangeAnchors {
  return new Map(
    folded.flatMap(({ address, members = [address] }, index) =>
      [address, ...members].map((one) => [one, `c${index}`] as const),
    ),
  );
}

/** Renders an address, as a link where the report shows its change. */
export function renderAddress(address: ResourceAddress, anchors: ChangeAnchors): SafeHtml {
  const anchor = anchors.get(address);
  const code = html`<code>${address}</code>`;
  return anchor === undefined ? code : html`<a href="#${anchor}">${code}</a>`;
}

/**
 * The switch stands before the rows and beside them: a selector that looks into the page from above would be tried for
 * every row.
 */
const sameSwitch = html`<input type="checkbox" id="unchanged"><label class="same-switch" for="unchanged">Show attributes that do not change</label>`;

/** Renders the list of all changes, with equal changes of instances folded into one, and the bar that filters the list. */
export function renderChanges(
  { folded, all }: { folded: readonly ChangeView[]; all: readonly ChangeView[] },
  anchors: ChangeAnchors,
  heading: string,
): SafeHtml {
  if (folded.length === 0) return emptyHtml;
  const originals = new Map(all.map((change) => [change.address, change]));
  const rows = folded.map((change) => layOutChange(change, anchors, originals));
  return html`<section aria-labelledby="changes"><h2 id="changes">${heading}</h2>
${renderFilterableList(rows, 'change', sameSwitch)}
</section>`;
}

function layOutChange(
  change: ChangeView,
  anchors: ChangeAnchors,
  originals: ReadonlyMap<ResourceAddress, ChangeView>,
): HtmlListRow {
  const { address, members, action, kind, project, losses, attributes } = change;
  const isImported = change.isImported && action !== 'import';
  const isMoved = change.movedFrom !== undefined && action !== 'move';
  const isChangedOutside = attributes.some(({ outside }) => outside !== undefined);
  const tags = [
    losses.length > 0 && html`<span class="tag loss">loses data</span>`,
    isImported && html`<span class="tag">imported</span>`,
    isMoved && html`<span class="tag">moved</span>`,
    isChangedOutside && html`<span class="tag drift">changed outside</span>`,
  ];
  const count = members ? ` (${formatKindCount(kind, members.length)})` : '';
  return {
    anchor: anchors.get(address) ?? '',
    address,
    count: countFoldedChanges(change),
    kind,
    project,
    action,
    words: html`<span class="words">${describeActionHeadline(change) + count}</span>${tags}`,
    remarks: html`${listChangeRemarks(change).map((text) => html`<p class="reason">${text}</p>`)}${losses.map((loss) => html`<p class="loses">Warning: ${loss}</p>`)}`,
    tables: attributes.length > 0 ? renderAttributes(change) : emptyHtml,
    members: renderFoldedChangeMembers(change, originals),
  };
}

/** Renders a table of the members of a folded change, with the values in which they differ. */
export function renderFoldedChangeMembers(
  { members, attributes }: ChangeView,
  originals: ReadonlyMap<ResourceAddress, ChangeView>,
): SafeHtml {
  if (members === undefined) return emptyHtml;
  const own = attributes.flatMap(({ name, diff }) => (isVarious(diff) ? [name] : []));
  const rows = members.map((address) => {
    const cells = own.map((name) => {
      const diff = originals.get(address)?.attributes.find((one) => one.name === name)?.diff;
      return html`<td>${diff && drawInlineValue(takeKnown(diff))}</td>`;
    });
    return html`<tr><th scope="row">${address}</th>${cells}</tr>`;
  });
  return renderValuesTable('values', ['Address', ...own], rows);
}

function isVarious(diff: ValueDiff): boolean {
  return diff.kind === 'various' || (diff.kind === 'swap' && diff.before.kind === 'various');
}

/** The known value of a difference: the old one, where the new one is only known after apply. */
function takeKnown(diff: ValueDiff): ValueDiff {
  return diff.kind === 'swap' && diff.after.kind === 'unknown' ? diff.before : diff;
}

/** Renders the heading of a column. */
export function renderColumnHead(text: string): SafeHtml {
  return html`<th scope="col">${text}</th>`;
}

/** Actions on a whole resource: its attributes go with it, or stay as they are. */
const wholeActions: ReadonlySet<ShownAction> = new Set<ShownAction>([
  'delete',
  'expire',
  'due',
  'gone',
  'forget',
  'import',
  'move',
]);

function sidesOf({ action }: ChangeView): DiffTableSides {
  if (action === 'create') return 'after';
  return wholeActions.has(action) ? 'before' : 'both';
}

function renderAttributes(change: ChangeView): SafeHtml {
  const sides = sidesOf(change);
  const isSame = ({ diff, waiting, toldBy }: AttributeView) =>
    diff.mark === 'none' &&
    (waiting ?? toldBy) === undefined &&
    sides === 'both' &&
    !change.isImported;
  const same = change.attributes.filter(isSame).length;
  const both = change.action === 'drift' ? ['As applied', 'As it is'] : ['Before', 'After'];
  const heads = ['Attribute', ...(sides === 'both' ? both : ['Value'])];
  const following = findConsequentAttributes(change.attributes);
  const own = change.attributes.filter((one) => !following?.attributes.has(one));
  const note = (style: string, words: string) =>
    html`<tr class="${style}"><td colspan="${heads.length}">${words}</td></tr>`;
  const hidden = `${formatCountWithNoun('unchanged attribute', same)} hidden`;
  return renderValuesTable(`diff ${sides}`, heads, [
    ...own.map((one) => renderAttribute(one, sides, isSame(one))),
    html`${following && note('follows', following.words)}${same > 0 && note('hidden-count', hidden)}`,
  ]);
}

/** Renders a table of values that scrolls sideways where it is wide. */
export function renderValuesTable(
  style: string,
  heads: readonly string[],
  rows: readonly SafeHtml[],
): SafeHtml {
  return html`<div class="scroll"><table class="${style}"><thead><tr>${heads.map(renderColumnHead)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

const tagStyles: Readonly<Record<AttributeNote['kind'], string>> = {
  'stand-in': 'tag',
  forces: 'tag forces',
  outside: 'tag drift',
  waiting: 'tag',
};

function renderAttribute(
  attribute: AttributeView,
  sides: DiffTableSides,
  isSame: boolean,
): SafeHtml {
  const notes = listAttributeNotes(attribute).map(
    ({ kind, words }) => html`<span class="${tagStyles[kind]}">${words}</span>`,
  );
  return renderDiffValueRows(attribute.diff, html`${attribute.name}${notes}`, sides, isSame);
}
