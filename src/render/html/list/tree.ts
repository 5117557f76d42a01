import { escapeMarkup } from '../../../model/text/html.ts';
import type { ShownAction } from '../../view/symbols.ts';
import { countNoun } from '../../../model/text/count-noun.ts';
import { countKind } from '../../view/labels.ts';
import { groupRows, sumRows, type ListRow, type Unfolding } from './rows.ts';
import { nameAction, renderSymbol } from './symbol.ts';

/** So many rows of a project are seen at a glance: they need no groups by kind. */
const glanceRows = 12;
/** The table of more members than these is built when it is opened. */
const fewMembers = 50;
/** A group of up to so many rows is open also in a long list. */
const shortRows = 25;

/** The rows by project, and by kind where a project has many; ends with the list. */
export function renderTree(rows: readonly ListRow[], noun: string, unfolding: Unfolding): string {
  const projects = groupRows(rows, ({ project }) => project);
  const isOnly = projects.size === 1;
  const groups = [...projects].map(([project, members]) => {
    const kinds = renderKinds(members, unfolding);
    if (isOnly && members.length <= glanceRows) return kinds;
    return renderGroup(
      `<h3><code>${escapeMarkup(project)}</code></h3> ${describeRows(members, noun)}`,
      kinds,
      { level: 'outer', isOpen: unfolding.hasOpenGroups || (isOnly && hasKinds(members)) },
    );
  });
  return `<div class="tree${unfolding.isLazy ? ' many' : ''}" id="list">${groups.join('\n')}</div>`;
}

/** True where the rows of a project are worth groups by kind. */
function hasKinds(rows: readonly ListRow[]): boolean {
  return rows.length > glanceRows && rows.some(({ kind }) => kind !== rows[0]?.kind);
}

function renderKinds(rows: readonly ListRow[], unfolding: Unfolding): string {
  if (!hasKinds(rows)) return renderRows(rows, unfolding);
  const kinds = groupRows(rows, ({ kind }) => kind);
  const groups = [...kinds].map(([kind, members]) =>
    renderGroup(
      `<h4>${countKind(kind, sumRows(members))}</h4> ${listActions(members)}`,
      renderRows(members, unfolding),
      { level: 'inner', isOpen: unfolding.hasOpenGroups || members.length <= shortRows },
    ),
  );
  return groups.join('\n');
}

function renderGroup(
  head: string,
  content: string,
  { level, isOpen }: { level: 'outer' | 'inner'; isOpen: boolean },
): string {
  const open = isOpen ? ' open' : '';
  return `<details class="group ${level}"${open}><summary>${head}</summary>${content}</details>`;
}

/** `12 changes`, and how many of each action. */
function describeRows(rows: readonly ListRow[], noun: string): string {
  const words = `<span class="words">${countNoun(noun, sumRows(rows))}</span>`;
  return `${words} ${listActions(rows)}`;
}

/** What is done, and how often where it is not all the same: the count comes before it already. */
function listActions(rows: readonly ListRow[]): string {
  const counts = new Map<ShownAction, number>();
  for (const { action, count } of rows) {
    if (action) counts.set(action, (counts.get(action) ?? 0) + count);
  }
  const isOnly = counts.size === 1;
  return [...counts]
    .map(
      ([action, count]) =>
        `<span class="words">${renderSymbol(action)}${isOnly ? '' : ` ${count}`}<span class="unseen"> ${escapeMarkup(nameAction(action))}</span></span>`,
    )
    .join(' ');
}

function renderRows(rows: readonly ListRow[], unfolding: Unfolding): string {
  const items = rows.map((row) => renderRow(row, unfolding));
  return `<ol class="changes">\n${items.join('\n')}\n</ol>`;
}

function renderRow(row: ListRow, { isOpen, isLazy }: Unfolding): string {
  const { anchor, address, count, kind, project, action, words, remarks, tables, members } = row;
  const data = [
    ...(action === undefined ? [] : [`data-action="${action}"`]),
    ...[`data-kind="${kind}"`, `data-project="${escapeMarkup(project)}"`],
    ...(count === 1 ? [] : [`data-count="${count}"`]),
  ];
  const symbol = action === undefined ? '' : renderSymbol(action);
  return [
    `<li ${data.join(' ')}>`,
    `<details id="${anchor}"${isOpen && wantsReading(action) ? ' open' : ''}>`,
    `<summary>${symbol}<code>${breakable(address)}</code> ${words}</summary>`,
    remarks,
    // What is held back within what is held back would end it.
    isLazy
      ? holdBack(tables + renderMembers(members, count))
      : tables + renderMembers(count > fewMembers ? holdBack(members) : members, count),
    '</details></li>',
  ].join('');
}

/** Creates, and resources that do not change, surprise nobody. */
function wantsReading(action: ShownAction | undefined): boolean {
  return action !== undefined && action !== 'create';
}

/** A browser reads what stands in `noscript` as one text: thousands of tables cost nothing until they are wanted. */
function holdBack(html: string): string {
  return html === '' ? '' : `<noscript>${shorten(html)}</noscript>`;
}

function renderMembers(table: string, count: number): string {
  if (table === '') return '';
  return `<details class="fold members"><summary>${count} addresses</summary>${table}</details>`;
}

/** Without the tags that HTML lets one leave out: of thousands of tables they are a third. */
function shorten(html: string): string {
  return html.replaceAll(/<\/t[dhr]>|<\/t(?:head|body)>| scope="(?:row|col)"/g, '');
}

/** So many characters fit on a line of a phone. */
const phoneLine = 36;

/** An address that is longer breaks before a dot. A short one has no places to break: each is a node of the page. */
function breakable(address: string): string {
  const text = escapeMarkup(address);
  return address.length <= phoneLine ? text : text.replaceAll('.', '<wbr>.');
}
