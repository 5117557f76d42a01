import { findCatalogEntryNames } from '../../kinds/entry-names.ts';
import type { Catalog } from '../../model/account/live.ts';
import type { Change, Drift } from '../../model/plan/plan.ts';

/** The change with the names of the entries that it gives by id: readers of a plan have no catalog at hand. */
export function addCatalogEntryNames<C extends Change | Drift>(
  change: C & Pick<Change, 'waiting' | 'drift'>,
  catalog: Catalog,
): C {
  const { kind, before, after, sensitive, waiting, drift } = change;
  const entryNames = findCatalogEntryNames(
    kind,
    [before, after, waiting, drift],
    catalog,
    sensitive,
  );
  return entryNames ? { ...change, entryNames } : change;
}
