// The list of a page: rows by project and by kind, equal ones as one, with a bar that searches and filters them.
import type { Address } from '../../../model/address.ts';
import type { KindName } from '../../../model/kind-places.ts';
import type { ShownAction } from '../../view/symbols.ts';

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
  /** Markup: the line that is seen while it is closed, behind its address. */
  readonly words: string;
  /** Markup: what is there as soon as it is open. */
  readonly remarks: string;
  /** Markup: the tables, which a long list builds when they are wanted. */
  readonly tables: string;
  /** Markup: the table of those that it stands for; empty where it is one. */
  readonly members: string;
}

/** Up to so many rows are open from the start. */
const openRows = 25;
/** Up to so many rows, all groups are open from the start. */
const openGroups = 60;
/** Beyond so many rows, what one says is built when it is opened. */
const lazyRows = 100;

/** What a list of so many rows does to be drawn at once. */
export interface Unfolding {
  /** Its rows are open from the start. */
  readonly isOpen: boolean;
  /** Its groups are open from the start. */
  readonly hasOpenGroups: boolean;
  /** A browser with scripts builds what a row says when it is opened; one without has it from the start. */
  readonly isLazy: boolean;
}

/** How a list of so many rows is unfolded. */
export function unfoldRows(rows: number): Unfolding {
  return { isOpen: rows <= openRows, hasOpenGroups: rows <= openGroups, isLazy: rows > lazyRows };
}

/** How many things the rows stand for. */
export function sumRows(rows: readonly ListRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** The rows by what they have in common, in the order in which each group first appears. */
export function groupRows<Key>(
  rows: readonly ListRow[],
  keyOf: (row: ListRow) => Key,
): ReadonlyMap<Key, readonly ListRow[]> {
  const groups = new Map<Key, ListRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
