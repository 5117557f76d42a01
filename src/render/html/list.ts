// The list of a page: rows by project and by kind, equal changes of instances as one, with a bar that searches and
// filters them.
import type { ResourceAddress } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { html, joinHtml, emptyHtml, type SafeHtml } from '../../model/text/html.ts';
import { createAnsiStyle } from '../format/style.ts';
import { formatKindCount, formatKindLabel } from '../view/labels.ts';
import { drawActionSymbol, symbolLegend, type ShownAction } from '../view/symbols.ts';

/** One row of a report's list: a change or a resource. */
export interface HtmlListRow {
  readonly anchor: string;
  readonly address: ResourceAddress;
  /** Number of changes or resources that the row represents. */
  readonly count: number;
  readonly kind: KindName;
  readonly project: ResourceAddress;
  /** Action on the resource; absent where nothing happens to it. */
  readonly action?: ShownAction;
  /** Words behind the address, which are seen while the row is closed. */
  readonly words: SafeHtml;
  /** Remarks that the opened row shows first. */
  readonly remarks: SafeHtml;
  /** The tables of the row, which a long list builds only when the row is opened. */
  readonly tables: SafeHtml;
  /** The table of the members of a folded row; nothing for a row of one resource. */
  readonly members: SafeHtml;
}

/** In a list of at most so many rows, all rows are open from the start. */
const openRows = 25;
/** In a list of at most so many rows, all groups are open from the start. */
const openGroups = 60;
/** In a longer list than this, the content of a row is built when it is opened. */
const lazyRows = 100;
/** Most rows of a project that are listed without groups by kind: so many are seen at a glance. */
const glanceRows = 12;
/** The table of more members than these is built when it is opened. */
const fewMembers = 50;
/** A group of at most so many rows is open also in a long list. */
const shortRows = 25;
/** Number of characters that fit on a line of a phone. */
const phoneLine = 36;

/** Renders a list with the bar that filters it. `noun` names one row (`change`); `before` is placed above the rows. */
export function renderFilterableList(
  rows: readonly HtmlListRow[],
  noun: string,
  before = emptyHtml,
): SafeHtml {
  return html`${renderBar(rows, noun)}
${before}
${renderTree(rows, noun)}`;
}

/**
 * Bar that searches and filters a list. It is hidden until a script shows it, since it does nothing without scripts.
 */
function renderBar(rows: readonly HtmlListRow[], noun: string): SafeHtml {
  const option = (value: string, label: string) => html`<option value="${value}">${label}</option>`;
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const projects = [...new Set(rows.map(({ project }) => project))];
  const what = `${noun}s`;
  return html`<form class="filters" id="filters" role="search" aria-label="Filter the ${what}" data-noun="${noun}" hidden>
<div class="tools">
<p class="find"><label for="text">Search</label><input id="text" type="search" autocomplete="off" spellcheck="false" placeholder="Address or value" aria-keyshortcuts="/"></p>
<p class="shown" id="shown" role="status" aria-live="polite">${formatCountWithNoun(noun, sumRows(rows))}</p>
<p class="buttons"><button type="button" id="previous" aria-keyshortcuts="p k">Previous</button><button type="button" id="next" aria-keyshortcuts="n j">Next</button></p>
</div><div class="more">
<p><label for="kind">Kind</label><select id="kind">${option('', 'all kinds')}${kinds.map((kind) => option(kind, formatKindLabel(kind)))}</select></p>
<p><label for="project">Project</label><select id="project">${option('', 'all projects')}${projects.map((one) => option(one, one))}</select></p>
<p class="buttons"><button type="button" id="open">Open all</button><button type="button" id="close">Close all</button><button type="reset">Clear filters</button></p>
${renderActions(rows)}
<p class="keys">Keys: <kbd>/</kbd> search, <kbd>n</kbd> next, <kbd>p</kbd> previous, <kbd>Enter</kbd> open or close; in the search, <kbd>Enter</kbd> next hit, <kbd>Shift</kbd>+<kbd>Enter</kbd> previous.</p>
</div></form>
<p class="empty" id="empty" hidden>No ${noun} matches the search and the filters. <button type="reset" form="filters">Show all ${what}</button></p>`;
}

/** A checkbox for each action; none where nothing happens, or where all rows have the same action. */
function renderActions(rows: readonly HtmlListRow[]): SafeHtml {
  const counts = countActions(rows);
  if (counts.length === 0) return emptyHtml;
  const boxes = counts.map(
    ([action, count]) =>
      html`<label class="chip"><input type="checkbox" name="action" value="${action}" checked>${renderSymbol(action)} ${nameAction(action)} <span class="count">${count}</span></label>`,
  );
  return html`<fieldset><legend>Actions</legend>${boxes}</fieldset>`;
}

/** Sums up the changes or resources that the rows stand for. */
function sumRows(rows: readonly HtmlListRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Number of things by action, in the order in which each action first appears. */
function countActions(rows: readonly HtmlListRow[]): readonly (readonly [ShownAction, number])[] {
  const groups = groupBy(rows, ({ action }) => action);
  return [...groups].flatMap(([action, some]) => (action ? [[action, sumRows(some)]] : []));
}

const plain = createAnsiStyle(false);

/** Renders the symbol of an action, which distinguishes it without colour. */
function renderSymbol(action: ShownAction): SafeHtml {
  const symbol = drawActionSymbol(action, plain).trim();
  return html`<span class="sym ${action}" aria-hidden="true">${symbol === '' ? '→' : symbol}</span>`;
}

const actionNames: ReadonlyMap<ShownAction, string> = new Map<ShownAction, string>([
  ...symbolLegend.map(({ action, words }) => [action, words] as const),
  ['drift', 'changed'],
  ['gone', 'deleted'],
]);

/** Names an action in words: `update in-place`. */
function nameAction(action: ShownAction): string {
  return actionNames.get(action) ?? action;
}

/** State in which a list of a given length is drawn, so that a long list is on the screen at once. */
interface Unfolding {
  /** Tells whether the rows are shown opened at first. */
  readonly isOpen: boolean;
  /** Tells whether the groups of rows are shown opened at first. */
  readonly hasOpenGroups: boolean;
  /**
   * A browser with scripts builds the content of a row when it is opened; one without scripts has the content from the
   * start.
   */
  readonly isLazy: boolean;
}

/** The rows by project, and by kind where a project has many; the outer element is closed, too. */
function renderTree(rows: readonly HtmlListRow[], noun: string): SafeHtml {
  const { length } = rows;
  const unfolding: Unfolding = {
    isOpen: length <= openRows,
    hasOpenGroups: length <= openGroups,
    isLazy: length > lazyRows,
  };
  const projects = groupBy(rows, ({ project }) => project);
  const isOnly = projects.size === 1;
  const groups = [...projects].map(([project, members]) => {
    const kinds = renderKinds(members, unfolding);
    if (isOnly && members.length <= glanceRows) return kinds;
    const isOpen = unfolding.hasOpenGroups || (isOnly && hasKinds(members));
    const count = html`<span class="words tally">${formatCountWithNoun(noun, sumRows(members))}</span>`;
    return renderGroup(
      'outer',
      isOpen,
      html`<h3><code>${project}</code></h3> ${count} ${listActions(members)}`,
      kinds,
    );
  });
  return html`<div class="tree${unfolding.isLazy && ' many'}" id="list">${joinHtml(groups, '\n')}</div>`;
}

/** Tells whether a project has so many rows of several kinds that they are worth groups by kind. */
function hasKinds(rows: readonly HtmlListRow[]): boolean {
  return rows.length > glanceRows && rows.some(({ kind }) => kind !== rows[0]?.kind);
}

function renderKinds(rows: readonly HtmlListRow[], unfolding: Unfolding): SafeHtml {
  if (!hasKinds(rows)) return renderRows(rows, unfolding);
  const groups = [...groupBy(rows, ({ kind }) => kind)].map(([kind, members]) =>
    renderGroup(
      'inner',
      unfolding.hasOpenGroups || members.length <= shortRows,
      html`<h4 class="tally">${formatKindCount(kind, sumRows(members))}</h4> ${listActions(members)}`,
      renderRows(members, unfolding),
    ),
  );
  return joinHtml(groups, '\n');
}

function renderGroup(
  level: 'outer' | 'inner',
  isOpen: boolean,
  head: SafeHtml,
  content: SafeHtml,
): SafeHtml {
  return html`<details class="group ${level}"${isOpen && html` open`}><summary>${head}</summary>${content}</details>`;
}

/** Actions of the rows, with their counts unless all rows have the same action: its count stands before it already. */
function listActions(rows: readonly HtmlListRow[]): SafeHtml {
  const counts = countActions(rows);
  const items = counts.map(
    ([action, count]) =>
      html`<span class="words">${renderSymbol(action)}${counts.length > 1 && html` <span class="tally" data-action="${action}">${count}</span>`}<span class="unseen"> ${nameAction(action)}</span></span>`,
  );
  return joinHtml(items, ' ');
}

function renderRows(rows: readonly HtmlListRow[], unfolding: Unfolding): SafeHtml {
  const items = rows.map((row) => renderRow(row, unfolding));
  return html`<ol class="changes">
${joinHtml(items, '\n')}
</ol>`;
}

function renderRow(row: HtmlListRow, { isOpen, isLazy }: Unfolding): SafeHtml {
  const { anchor, address, count, kind, project, action, words, remarks, tables, members } = row;
  const data = html`${action && html`data-action="${action}" `}data-kind="${kind}" data-project="${project}"${count > 1 && html` data-count="${count}"`}`;
  // A `noscript` within a `noscript` would end the outer one: a lazy row holds everything back at once.
  const content = isLazy
    ? holdBack(html`${tables}${renderMembers(members, count)}`)
    : html`${tables}${renderMembers(count > fewMembers ? holdBack(members) : members, count)}`;
  return html`<li ${data}><details id="${anchor}"${isOpen && wantsReading(action) && html` open`}><summary>${action && renderSymbol(action)}<code>${breakable(address)}</code> ${words}</summary>${remarks}${content}</details></li>`;
}

/** Tells whether a row deserves to be opened: creates, and resources that do not change, surprise nobody. */
function wantsReading(action: ShownAction | undefined): boolean {
  return action !== undefined && action !== 'create';
}

/**
 * Content in `noscript`, which a browser with scripts reads as one text: thousands of tables cost nothing until they
 * are wanted.
 */
function holdBack(content: SafeHtml): SafeHtml {
  return content.markup === '' ? emptyHtml : html`<noscript>${shorten(content)}</noscript>`;
}

function renderMembers(table: SafeHtml, count: number): SafeHtml {
  if (table.markup === '') return emptyHtml;
  return html`<details class="fold members"><summary>${count} addresses</summary>${table}</details>`;
}

/** Markup without the tags that HTML lets one leave out: of thousands of tables they are a third. */
function shorten({ markup }: SafeHtml): SafeHtml {
  return { markup: markup.replaceAll(/<\/t[dhr]>|<\/t(?:head|body)>| scope="(?:row|col)"/g, '') };
}

/** An address that may break before its dots. A short address gets no places to break: each is a node of the page. */
function breakable(address: string): SafeHtml {
  const text = html`${address}`;
  return address.length <= phoneLine ? text : { markup: text.markup.replaceAll('.', '<wbr>.') };
}
