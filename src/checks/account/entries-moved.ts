import { readCatalogEntryIds } from '../../kinds/asked-entries.ts';
import { findCatalogEntry } from '../../kinds/catalog.ts';
import { listCatalogEntriesForField } from '../../kinds/entry-names.ts';
import type { ResourceAddress } from '../../model/address.ts';
import { indexById } from '../../model/account/live.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { Action } from '../../model/plan/plan.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import type { PlanCheck } from '../check.ts';

const staying: ReadonlySet<Action> = new Set(['no-op', 'due', 'update']);

/**
 * Notes names of catalog entries that now mean another entry than when the resource was made, or none. The existing resource
 * keeps the entry that it has.
 */
export const noteChangedCatalogEntries: PlanCheck = ({ plan, live, state }) => {
  const moved = new Map<string, ResourceAddress[]>();
  const byId = indexById(live.resources);
  for (const { address, id: liveId, action, kind, before, sensitive } of plan.changes) {
    const found = byId.get(liveId ?? '');
    if (!staying.has(action) || !before || !found) continue;
    const managed = state.resources.get(address);
    const entryIds = managed?.entryIds;
    const has = entryIds && readCatalogEntryIds(found, managed);
    if (!has) continue;
    for (const field in entryIds) {
      const id = entryIds[field];
      if (id === undefined || has[field] !== id) continue;
      const written = before[field];
      if (typeof written !== 'string' || sensitive.includes(field)) continue;
      const entry = findCatalogEntry(
        listCatalogEntriesForField(kind, field, live.catalog),
        written,
      );
      if (entry?.id === id) continue;
      addToGroup(moved, JSON.stringify([field, written, id, entry?.id ?? null]), address);
    }
  }
  return [...moved].map(([key, addresses]) => describeMoved(key, addresses));
};

function describeMoved(key: string, addresses: readonly ResourceAddress[]): Finding {
  const [field, written, id, now] = JSON.parse(key) as [string, string, string, string | null];
  const [first = ''] = addresses;
  const isOne = addresses.length === 1;
  const whose = isOne ? first : `${addresses.length} resources`;
  return {
    severity: 'note',
    code: 'entry-moved',
    summary:
      now === null
        ? `The service no longer offers the ${field} "${escapeLineEnds(written)}" of ${whose}`
        : `The ${field} "${escapeLineEnds(written)}" is another one by now than that of ${whose}`,
    detail: `What stands keeps its own, ${id}${now === null ? '' : `; made anew, it would have ${now}`}. Nothing is changed.`,
    ...(isOne && { address: first }),
  };
}
