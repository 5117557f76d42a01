// The list of a page: rows by project and by kind, equal ones as one, with a bar that searches and filters them.
import type { Address } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import { countNoun } from '../../model/text/count-noun.ts';
import { html, joinHtml, nothing, type Html } from '../../model/text/html.ts';
import { createStyle } from '../format/style.ts';
import { countKind, kindLabel } from '../view/labels.ts';
import { drawActionSymbol, legend, type ShownAction } from '../view/symbols.ts';

/** One row of a list: a change, or a resource. */
export interface ListRow {
  readonly anchor: string;
  readonly address: Address;
  /** How many it stands for. */
  readonly count: number;
  readonly kind: KindName;
  readonly project: Address;
  /** Absent where nothing happens to it. */
  readonly action?: ShownAction;
  /** The line that is seen while it is closed, behind its address. */
  readonly words: Html;
  /** Visible as soon as it is open. */
  readonly remarks: Html;
  /** The tables, which a long list builds when they are wanted. */
  readonly tables: Html;
  /** The table of those that it stands for; nothing where it is one. */
  readonly members: Html;
}

/** Up to so many rows are open from the start. */
const openRows = 25;
/** Up to so many rows, all groups are open from the start. */
const openGroups = 60;
/** Beyond so many rows, what one says is built when it is opened. */
const lazyRows = 100;
/** So many rows of a project are seen at a glance: they need no groups by kind. */
const glanceRows = 12;
/** The table of more members than these is built when it is opened. */
const fewMembers = 50;
/** A group of up to so many rows is open also in a long list. */
const shortRows = 25;
/** So many characters fit on a line of a phone. */
const phoneLine = 36;

/** A list with what filters it. `noun` is what one row is: `change`; `before` stands above the rows. */
export function renderList(rows: readonly ListRow[], noun: string, before = nothing): Html {
  return html`${renderBar(rows, noun)}
${before}
${renderTree(rows, noun)}`;
}

/** What searches and filters a list. Without scripts it could do nothing: a script shows it. */
function renderBar(rows: readonly ListRow[], noun: string): Html {
  const option = (value: string, label: string) => html`<option value="${value}">${label}</option>`;
  const kinds = [...new Set(rows.map(({ kind }) => kind))];
  const projects = [...new Set(rows.map(({ project }) => project))];
  const what = `${noun}s`;
  return html`<form class="filters" id="filters" role="search" aria-label="Filter the ${what}" data-noun="${noun}" hidden>
<div class="tools">
<p class="find"><label for="text">Search</label><input id="text" type="search" autocomplete="off" spellcheck="false" placeholder="Address or value" aria-keyshortcuts="/"></p>
<p class="shown" id="shown" role="status" aria-live="polite">${countNoun(noun, sumRows(rows))}</p>
<p class="buttons"><button type="button" id="previous" aria-keyshortcuts="p k">Previous</button><button type="button" id="next" aria-keyshortcuts="n j">Next</button></p>
</div><div class="more">
<p><label for="kind">Kind</label><select id="kind">${option('', 'all kinds')}${kinds.map((kind) => option(kind, kindLabel(kind)))}</select></p>
<p><label for="project">Project</label><select id="project">${option('', 'all projects')}${projects.map((one) => option(one, one))}</select></p>
<p class="buttons"><button type="button" id="open">Open all</button><button type="button" id="close">Close all</button><button type="reset">Clear filters</button></p>
${renderActions(rows)}
<p class="keys">Keys: <kbd>/</kbd> search, <kbd>n</kbd> next, <kbd>p</kbd> previous, <kbd>Enter</kbd> open or close; in the search, <kbd>Enter</kbd> next hit, <kbd>Shift</kbd>+<kbd>Enter</kbd> previous.</p>
</div></form>
<p class="empty" id="empty" hidden>No ${noun} matches the search and the filters. <button type="reset" form="filters">Show all ${what}</button></p>`;
}

/** A box for each action; none where nothing happens, or where all is one. */
function renderActions(rows: readonly ListRow[]): Html {
  const counts = countActions(rows);
  if (counts.length === 0) return nothing;
  const boxes = counts.map(
    ([action, count]) =>
      html`<label class="chip"><input type="checkbox" name="action" value="${action}" checked>${renderSymbol(action)} ${nameAction(action)} <span class="count">${count}</span></label>`,
  );
  return html`<fieldset><legend>Actions</legend>${boxes}</fieldset>`;
}

/** How many things the rows stand for. */
function sumRows(rows: readonly ListRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** How many there are of each action, in the order in which each first appears. */
function countActions(rows: readonly ListRow[]): readonly (readonly [ShownAction, number])[] {
  const groups = groupBy(rows, ({ action }) => action);
  return [...groups].flatMap(([action, some]) => (action ? [[action, sumRows(some)]] : []));
}

const plain = createStyle(false);

/** The sign of an action, apart from its colour. */
function renderSymbol(action: ShownAction): Html {
  const symbol = drawActionSymbol(action, plain).trim();
  return html`<span class="sym ${action}" aria-hidden="true">${symbol === '' ? '→' : symbol}</span>`;
}

const actionNames: ReadonlyMap<ShownAction, string> = new Map<ShownAction, string>([
  ...legend.map(({ action, words }) => [action, words] as const),
  ['drift', 'changed'],
  ['gone', 'deleted'],
]);

/** What an action does: `update in-place`. */
function nameAction(action: ShownAction): string {
  return actionNames.get(action) ?? action;
}

/** What a list of so many rows does to be drawn at once. */
interface Unfolding {
  /** Its rows are open from the start. */
  readonly isOpen: boolean;
  /** Its groups are open from the start. */
  readonly hasOpenGroups: boolean;
  /** A browser with scripts builds what a row says when it is opened; one without has it from the start. */
  readonly isLazy: boolean;
}

/** The rows by project, and by kind where a project has many; ends with the list. */
function renderTree(rows: readonly ListRow[], noun: string): Html {
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
    const count = html`<span class="words tally">${countNoun(noun, sumRows(members))}</span>`;
    return renderGroup(
      'outer',
      isOpen,
      html`<h3><code>${project}</code></h3> ${count} ${listActions(members)}`,
      kinds,
    );
  });
  return html`<div class="tree${unfolding.isLazy && ' many'}" id="list">${joinHtml(groups, '\n')}</div>`;
}

/** True where the rows of a project are worth groups by kind. */
function hasKinds(rows: readonly ListRow[]): boolean {
  return rows.length > glanceRows && rows.some(({ kind }) => kind !== rows[0]?.kind);
}

function renderKinds(rows: readonly ListRow[], unfolding: Unfolding): Html {
  if (!hasKinds(rows)) return renderRows(rows, unfolding);
  const groups = [...groupBy(rows, ({ kind }) => kind)].map(([kind, members]) =>
    renderGroup(
      'inner',
      unfolding.hasOpenGroups || members.length <= shortRows,
      html`<h4 class="tally">${countKind(kind, sumRows(members))}</h4> ${listActions(members)}`,
      renderRows(members, unfolding),
    ),
  );
  return joinHtml(groups, '\n');
}

function renderGroup(level: 'outer' | 'inner', isOpen: boolean, head: Html, content: Html): Html {
  return html`<details class="group ${level}"${isOpen && html` open`}><summary>${head}</summary>${content}</details>`;
}

/** What is done, and how often where it is not all the same: the count comes before it already. */
function listActions(rows: readonly ListRow[]): Html {
  const counts = countActions(rows);
  const items = counts.map(
    ([action, count]) =>
      html`<span class="words">${renderSymbol(action)}${counts.length > 1 && html` <span class="tally" data-action="${action}">${count}</span>`}<span class="unseen"> ${nameAction(action)}</span></span>`,
  );
  return joinHtml(items, ' ');
}

function renderRows(rows: readonly ListRow[], unfolding: Unfolding): Html {
  const items = rows.map((row) => renderRow(row, unfolding));
  return html`<ol class="changes">
${joinHtml(items, '\n')}
</ol>`;
}

function renderRow(row: ListRow, { isOpen, isLazy }: Unfolding): Html {
  const { anchor, address, count, kind, project, action, words, remarks, tables, members } = row;
  const data = html`${action && html`data-action="${action}" `}data-kind="${kind}" data-project="${project}"${count > 1 && html` data-count="${count}"`}`;
  // What is held back within what is held back would end it.
  const content = isLazy
    ? holdBack(html`${tables}${renderMembers(members, count)}`)
    : html`${tables}${renderMembers(count > fewMembers ? holdBack(members) : members, count)}`;
  return html`<li ${data}><details id="${anchor}"${isOpen && wantsReading(action) && html` open`}><summary>${action && renderSymbol(action)}<code>${breakable(address)}</code> ${words}</summary>${remarks}${content}</details></li>`;
}

/** Creates, and resources that do not change, surprise nobody. */
function wantsReading(action: ShownAction | undefined): boolean {
  return action !== undefined && action !== 'create';
}

/** A browser reads what stands in `noscript` as one text: thousands of tables cost nothing until they are wanted. */
function holdBack(content: Html): Html {
  return content.markup === '' ? nothing : html`<noscript>${shorten(content)}</noscript>`;
}

function renderMembers(table: Html, count: number): Html {
  if (table.markup === '') return nothing;
  return html`<details class="fold members"><summary>${count} addresses</summary>${table}</details>`;
}

/** Without the tags that HTML lets one leave out: of thousands of tables they are a third. */
function shorten({ markup }: Html): Html {
  return { markup: markup.replaceAll(/<\/t[dhr]>|<\/t(?:head|body)>| scope="(?:row|col)"/g, '') };
}

/** An address that is longer breaks before a dot. A short one has no places to break: each is a node of the page. */
function breakable(address: string): Html {
  const text = html`${address}`;
  return address.length <= phoneLine ? text : { markup: text.markup.replaceAll('.', '<wbr>.') };
}
