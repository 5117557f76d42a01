import { renderBar } from './bar.ts';
import { unfoldRows, type ListRow } from './rows.ts';
import { renderTree } from './tree.ts';

/** A list with what filters it. `noun` is what one row is: `change`; `before` is markup above the rows. */
export function renderList(rows: readonly ListRow[], noun: string, before = ''): string {
  return [renderBar(rows, noun), before, renderTree(rows, noun, unfoldRows(rows.length))].join(
    '\n',
  );
}
