import type { LiveOperation } from '../../src/model/account/operation.ts';
import type { Outage } from '../../src/model/plan/downtime.ts';

/** While a VM was not running, by the records of the service; from its first operation that stops it. */
export function readOutages(
  operations: readonly LiveOperation[],
  ids: readonly string[],
): readonly Outage[] {
  const own = operations
    .filter(({ resourceId }) => ids.includes(resourceId ?? ''))
    .sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
  const outages: { startMs: number; endMs: number | null }[] = [];
  for (const { type, createdAt, completedAt, status } of own) {
    const last = outages.at(-1);
    const open = last?.endMs === null ? last : undefined;
    const startMs = createdAt ?? 0;
    // One that could not be rebuilt is out of service until something brings it back.
    if (status === 'Failed') {
      if (type === 'Rebuild' && !open) outages.push({ startMs, endMs: null });
    } else if (type === 'Rebuild' && open) open.endMs = completedAt;
    else if (type === 'Rebuild') outages.push({ startMs, endMs: completedAt });
    else if ((type === 'Stop' || type === 'Delete') && !open) {
      outages.push({ startMs, endMs: null });
    } else if ((type === 'Provision' || type === 'Start') && open) open.endMs = completedAt;
  }
  return outages;
}
