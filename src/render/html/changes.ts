import { describeAction, listRemarks, quoteValue } from '../text/change-text.ts';
import { wordStandIn } from '../view/stand-ins.ts';
import { countMembers } from '../view/fold-changes.ts';
import { findFollowing } from '../view/following.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { countKind } from '../view/labels.ts';
import type { ShownAction } from '../view/symbols.ts';
import type { AttributeView, ChangeView } from '../view/view.ts';
import type { Address } from '../../model/address.ts';
import { escapeMarkup } from '../../model/text/html.ts';
import { renderList } from './list/list.ts';
import { renderMembers } from './list/members.ts';
import type { ListRow } from './list/rows.ts';
import { renderRows, type Sides } from './sides.ts';

/** The anchor of each change, by address. */
export type Anchors = ReadonlyMap<Address, string>;

/** Numbers the changes for links to them; those that are shown as one have one number. */
export function anchorChanges(folded: readonly ChangeView[]): Anchors {
  return new Map(
    folded.flatMap(({ address, members = [address] }, index) =>
      [address, ...members].map((one) => [one, `c${index}`] as const),
    ),
  );
}

/** An address; a link where the report has its change. */
export function renderAddress(address: Address, anchors: Anchors): string {
  const anchor = anchors.get(address);
  const code = `<code>${escapeMarkup(address)}</code>`;
  return anchor === undefined ? code : `<a href="#${anchor}">${code}</a>`;
}

/** Before the rows and beside them: a selector that looks into the page from above would be tried for every one. */
const sameSwitch =
  '<input type="checkbox" id="unchanged"><label class="same-switch" for="unchanged">Show attributes that do not change</label>';

/** The list of all changes, equal ones as one, with what filters it. */
export function renderChanges(
  { folded, all }: { folded: readonly ChangeView[]; all: readonly ChangeView[] },
  anchors: Anchors,
  heading: string,
): string {
  if (folded.length === 0) return '';
  const originals = new Map(all.map((change) => [change.address, change]));
  const rows = folded.map((change) => layOutChange(change, anchors, originals));
  return [
    `<section aria-labelledby="changes"><h2 id="changes">${heading}</h2>`,
    renderList(rows, 'change', sameSwitch),
    '</section>',
  ].join('\n');
}

function layOutChange(
  change: ChangeView,
  anchors: Anchors,
  originals: ReadonlyMap<Address, ChangeView>,
): ListRow {
  const { address, members, action, kind, project, losses } = change;
  const tags = [
    losses.length > 0 ? '<span class="tag loss">loses data</span>' : '',
    change.isImported && action !== 'import' ? '<span class="tag">imported</span>' : '',
    change.movedFrom !== undefined && action !== 'move' ? '<span class="tag">moved</span>' : '',
    change.attributes.some(({ outside }) => outside !== undefined)
      ? '<span class="tag drift">changed outside</span>'
      : '',
  ].join('');
  const count = members ? ` (${countKind(kind, members.length)})` : '';
  return {
    ...{ anchor: anchors.get(address) ?? '', address, count: countMembers(change) },
    ...{ kind, project, action },
    words: `<span class="words">${escapeMarkup(describeAction(change) + count)}</span>${tags}`,
    remarks: [
      ...listRemarks(change).map((text) => `<p class="reason">${escapeMarkup(text)}</p>`),
      ...losses.map((loss) => `<p class="loses">Warning: ${escapeMarkup(loss)}</p>`),
    ].join(''),
    tables: change.attributes.length > 0 ? renderAttributes(change) : '',
    members: renderMembers(change, originals),
  };
}

/** What they are about goes, or stays as it is. */
const wholeActions: ReadonlySet<ShownAction> = new Set<ShownAction>([
  'delete',
  'gone',
  'forget',
  'import',
  'move',
]);

function sidesOf({ action }: ChangeView): Sides {
  if (action === 'create') return 'after';
  return wholeActions.has(action) ? 'before' : 'both';
}

function renderAttributes(change: ChangeView): string {
  const sides = sidesOf(change);
  const isSame = ({ diff, waiting, toldBy }: AttributeView) =>
    diff.mark === 'none' &&
    (waiting ?? toldBy) === undefined &&
    sides === 'both' &&
    !change.isImported;
  const same = change.attributes.filter(isSame);
  const both = change.action === 'drift' ? ['As applied', 'As it is'] : ['Before', 'After'];
  const heads = sides === 'both' ? both : ['Value'];
  const following = findFollowing(change.attributes);
  const own = change.attributes.filter((one) => !following?.attributes.has(one));
  return [
    `<div class="scroll"><table class="diff ${sides}"><thead><tr><th scope="col">Attribute</th>`,
    ...heads.map((head) => `<th scope="col">${head}</th>`),
    '</tr></thead><tbody>',
    ...own.map((attribute) => renderAttribute(attribute, sides, isSame(attribute))),
    following
      ? `<tr class="follows"><td colspan="${heads.length + 1}">${escapeMarkup(following.words)}</td></tr>`
      : '',
    same.length > 0
      ? `<tr class="hidden-count"><td colspan="${heads.length + 1}">${countNoun('unchanged attribute', same.length)} hidden</td></tr>`
      : '',
    '</tbody></table></div>',
  ].join('');
}

function renderAttribute(
  { name, diff, forces, outside, waiting, toldBy }: AttributeView,
  sides: Sides,
  isSame: boolean,
): string {
  const standIn = wordStandIn(toldBy, diff.mark !== 'none');
  const notes = [
    ...(standIn === undefined ? [] : [`<span class="tag">${standIn}</span>`]),
    ...(forces ? [`<span class="tag forces">forces ${forces}</span>`] : []),
    ...(outside === undefined
      ? []
      : [
          `<span class="tag drift">changed outside: was ${escapeMarkup(quoteValue(outside))}</span>`,
        ]),
    ...(waiting === undefined
      ? []
      : [
          `<span class="tag">applies at the next rebuild: ${escapeMarkup(quoteValue(waiting))}</span>`,
        ]),
  ].join('');
  return renderRows(diff, escapeMarkup(name) + notes, sides, isSame ? ' class="same"' : '');
}
