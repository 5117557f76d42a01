import { describeAction, listRemarks, quoteValue } from '../text/change-text.ts';
import { countNoun, kindLabel } from '../view/labels.ts';
import { createStyle } from '../format/style.ts';
import { drawActionSymbol, legend, type ShownAction } from '../format/symbols.ts';
import { findFollowing } from '../view/following.ts';
import type { AttributeView, ChangeView } from '../view/view.ts';
import type { Address } from '../../model/address.ts';
import { escapeMarkup } from '../format/escape-markup.ts';
import { renderRows, type Sides } from './sides.ts';

const plain = createStyle(false);

/** Up to so many changes are open from the start. */
const openChanges = 25;

/** Beyond so many changes, what one says is built when it is opened, and drawn when it comes into view. */
const lazyChanges = 100;

/** The anchor of each change, by address. */
export type Anchors = ReadonlyMap<Address, string>;

/** Numbers the changes for links to them. */
export function anchorChanges(changes: readonly ChangeView[]): Anchors {
  return new Map(changes.map(({ address }, index) => [address, `c${index}`]));
}

/** The sign of an action, apart from its colour. */
function renderSymbol(action: ShownAction): string {
  const symbol = drawActionSymbol(action, plain).trim();
  return `<span class="sym ${action}" aria-hidden="true">${escapeMarkup(symbol === '' ? '→' : symbol)}</span>`;
}

/** An address; a link where the report has its change. */
export function renderAddress(address: Address, anchors: Anchors): string {
  const anchor = anchors.get(address);
  const code = `<code>${escapeMarkup(address)}</code>`;
  return anchor === undefined ? code : `<a href="#${anchor}">${code}</a>`;
}

/** The list of all changes, with what filters it. */
export function renderChanges(
  changes: readonly ChangeView[],
  anchors: Anchors,
  heading: string,
): string {
  if (changes.length === 0) return '';
  const isOpen = changes.length <= openChanges;
  const isLazy = changes.length > lazyChanges;
  return [
    `<section aria-labelledby="changes"><h2 id="changes">${heading}</h2>`,
    renderFilters(changes),
    // Before the list and beside it: a selector that looks into the page from above would be tried for every row.
    '<input type="checkbox" id="unchanged"><label class="same-switch" for="unchanged">Show attributes that do not change</label>',
    `<ol class="changes${isLazy ? ' many' : ''}" id="list">`,
    ...changes.map((change) => renderChange(change, anchors, { isOpen, isLazy })),
    '</ol></section>',
  ].join('\n');
}

function renderFilters(changes: readonly ChangeView[]): string {
  const counts = new Map<ShownAction, number>();
  for (const { action } of changes) counts.set(action, (counts.get(action) ?? 0) + 1);
  const words = new Map<ShownAction, string>([
    ...legend.map(({ action, words: said }) => [action, said] as const),
    ['drift', 'changed'],
    ['gone', 'deleted'],
  ]);
  const boxes = [...counts].map(
    ([action, count]) =>
      `<label class="chip"><input type="checkbox" name="action" value="${action}" checked>${renderSymbol(action)} ` +
      `${escapeMarkup(words.get(action) ?? action)} <span class="count">${count}</span></label>`,
  );
  const kinds = [...new Set(changes.map(({ kind }) => kind))];
  const projects = [...new Set(changes.map(({ project }) => project))];
  const option = (value: string, label: string) =>
    `<option value="${escapeMarkup(value)}">${escapeMarkup(label)}</option>`;
  return [
    '<form class="filters" id="filters" role="search" aria-label="Filter the changes" hidden>',
    '<p><label for="text">Search</label><input id="text" type="search" autocomplete="off" spellcheck="false" placeholder="address or value"></p>',
    `<p><label for="kind">Kind</label><select id="kind">${option('', 'all kinds')}${kinds.map((kind) => option(kind, kindLabel(kind))).join('')}</select></p>`,
    `<p><label for="project">Project</label><select id="project">${option('', 'all projects')}${projects.map((one) => option(one, one)).join('')}</select></p>`,
    `<fieldset><legend>Actions</legend>${boxes.join('')}</fieldset>`,
    '<p class="buttons"><button type="button" id="open">Open all</button><button type="button" id="close">Close all</button><button type="reset">Clear filters</button></p>',
    `<p class="shown" id="shown" role="status" aria-live="polite">${countNoun('change', changes.length)}</p>`,
    '</form>',
  ].join('\n');
}

interface Unfolding {
  /** Open from the start. */
  readonly isOpen: boolean;
  /** A browser with scripts builds what it says when it is opened; one without has it from the start. */
  readonly isLazy: boolean;
}

function renderChange(change: ChangeView, anchors: Anchors, { isOpen, isLazy }: Unfolding): string {
  const { address, action, kind, project, losses } = change;
  const tags = [
    losses.length > 0 ? '<span class="tag loss">loses data</span>' : '',
    change.isImported && action !== 'import' ? '<span class="tag">imported</span>' : '',
    change.movedFrom !== undefined && action !== 'move' ? '<span class="tag">moved</span>' : '',
    change.attributes.some(({ outside }) => outside !== undefined)
      ? '<span class="tag drift">changed outside</span>'
      : '',
  ].join('');
  return [
    `<li data-action="${action}" data-kind="${kind}" data-project="${escapeMarkup(project)}">`,
    `<details id="${anchors.get(address) ?? ''}"${isOpen && action !== 'create' ? ' open' : ''}>`,
    `<summary>${renderSymbol(action)}<code>${escapeMarkup(address)}</code> <span class="words">${escapeMarkup(describeAction(change))}</span>${tags}</summary>`,
    ...listRemarks(change).map((text) => `<p class="reason">${escapeMarkup(text)}</p>`),
    ...losses.map((loss) => `<p class="loses">Warning: ${escapeMarkup(loss)}</p>`),
    change.attributes.length > 0 ? holdBack(renderAttributes(change), isLazy) : '',
    '</details></li>',
  ].join('');
}

/** A browser reads what stands in `noscript` as one text: thousands of tables cost nothing until they are wanted. */
function holdBack(html: string, isLazy: boolean): string {
  return isLazy ? `<noscript>${html}</noscript>` : html;
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
  const isSame = ({ diff, waiting }: AttributeView) =>
    diff.mark === 'none' && waiting === undefined && sides === 'both' && !change.isImported;
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
  { name, diff, forces, outside, waiting }: AttributeView,
  sides: Sides,
  isSame: boolean,
): string {
  const notes = [
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
