import { escapeMarkup } from '../../../model/text/html.ts';
import type { ShownAction } from '../../view/symbols.ts';
import { countNoun } from '../../../model/text/count-noun.ts';
import { kindLabel } from '../../view/labels.ts';
import { groupRows, sumRows, type ListRow } from './rows.ts';
import { nameAction, renderSymbol } from './symbol.ts';

/** What searches and filters a list. Without scripts it could do nothing: a script shows it. */
export function renderBar(rows: readonly ListRow[], noun: string): string {
  const option = (value: string, label: string) =>
    `<option value="${escapeMarkup(value)}">${escapeMarkup(label)}</option>`;
  const kinds = [...groupRows(rows, ({ kind }) => kind).keys()];
  const projects = [...groupRows(rows, ({ project }) => project).keys()];
  const what = `${noun}s`;
  return [
    `<form class="filters" id="filters" role="search" aria-label="Filter the ${what}" data-noun="${noun}" hidden>`,
    '<div class="tools">',
    '<p class="find"><label for="text">Search</label><input id="text" type="search" autocomplete="off" spellcheck="false" placeholder="Address or value" aria-keyshortcuts="/"></p>',
    `<p class="shown" id="shown" role="status" aria-live="polite">${countNoun(noun, sumRows(rows))}</p>`,
    '<p class="buttons"><button type="button" id="previous" aria-keyshortcuts="p k">Previous</button><button type="button" id="next" aria-keyshortcuts="n j">Next</button></p>',
    '</div><div class="more">',
    `<p><label for="kind">Kind</label><select id="kind">${option('', 'all kinds')}${kinds.map((kind) => option(kind, kindLabel(kind))).join('')}</select></p>`,
    `<p><label for="project">Project</label><select id="project">${option('', 'all projects')}${projects.map((one) => option(one, one)).join('')}</select></p>`,
    '<p class="buttons"><button type="button" id="open">Open all</button><button type="button" id="close">Close all</button><button type="reset">Clear filters</button></p>',
    renderActions(rows),
    '<p class="keys">Keys: <kbd>/</kbd> search, <kbd>n</kbd> next, <kbd>p</kbd> previous, <kbd>Enter</kbd> open or close.</p>',
    '</div></form>',
    `<p class="empty" id="empty" hidden>No ${noun} matches the search and the filters. <button type="reset" form="filters">Show all ${what}</button></p>`,
  ].join('\n');
}

/** A box for each action; none where nothing happens, or where all is one. */
function renderActions(rows: readonly ListRow[]): string {
  const counts = new Map<ShownAction, number>();
  for (const { action, count } of rows) {
    if (action) counts.set(action, (counts.get(action) ?? 0) + count);
  }
  if (counts.size === 0) return '';
  const boxes = [...counts].map(
    ([action, count]) =>
      `<label class="chip"><input type="checkbox" name="action" value="${action}" checked>${renderSymbol(action)} ` +
      `${escapeMarkup(nameAction(action))} <span class="count">${count}</span></label>`,
  );
  return `<fieldset><legend>Actions</legend>${boxes.join('')}</fieldset>`;
}
