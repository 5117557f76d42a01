import { findEntryNames } from '../../kinds/entry-names.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { Change, Drift } from '../../model/plan/plan.ts';

/** The same with the names of the entries that it gives by id: a plan is read where no catalog is at hand. */
export function nameOfferedEntries<C extends Change | Drift>(change: C, catalog: Catalog): C {
  const { kind, before, after, sensitive } = change;
  const others = 'fields' in change ? [change.waiting, change.drift] : [];
  const entryNames = findEntryNames(kind, [before, after, ...others], catalog, sensitive);
  return entryNames ? { ...change, entryNames } : change;
}
