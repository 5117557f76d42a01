import type { LiveOperation } from '../../src/model/account/operation.ts';
import type { OutagePeriod } from '../../src/model/plan/downtime.ts';

/**
 * While a VM was not running, by the records of the service; from its first operation that stops it. One that could not be
 * rebuilt is out of service until something brings it back, or runs as before where its disk is not looked at.
 */
export function readOutages(
  operations: readonly LiveOperation[],
  ids: readonly string[],
  { runsUnbuilt = false }: { readonly runsUnbuilt?: boolean } = {},
): readonly OutagePeriod[] {
  const own = operations
    .filter(({ resourceId }) => ids.includes(resourceId ?? ''))
    .sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
  const outages: { startMs: number; endMs: number | null }[] = [];
  for (const { type, createdAt, completedAt, status } of own) {
    const last = outages.at(-1);
    const open = last?.endMs === null ? last : undefined;
    const startMs = createdAt ?? 0;
    if (status === 'Failed') {
      const endMs = runsUnbuilt ? completedAt : null;
      if (type === 'Rebuild' && !open) outages.push({ startMs, endMs });
    } else if (type === 'Rebuild' && open) open.endMs = completedAt;
    else if (type === 'Rebuild') outages.push({ startMs, endMs: completedAt });
    else if ((type === 'Stop' || type === 'Delete') && !open) {
      outages.push({ startMs, endMs: null });
    } else if ((type === 'Provision' || type === 'Start') && open) open.endMs = completedAt;
  }
  return outages;
}

/**
 * While no VM of a member was running, by the records of the service: of those that stood under its address, one after the
 * other or two at a time. The time before the first of them was made does not count.
 */
export function readMemberOutages(
  operations: readonly LiveOperation[],
  ids: readonly string[],
  options: Parameters<typeof readOutages>[2],
): readonly OutagePeriod[] {
  const made = operations
    .filter(({ type, resourceId }) => type === 'Provision' && ids.includes(resourceId ?? ''))
    .sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
  const [first] = made;
  const each = made.map(({ resourceId, completedAt, status }) => {
    const startMs = resourceId === first?.resourceId ? (completedAt ?? 0) : 0;
    return joinOutages([
      { startMs, endMs: status === 'Failed' ? null : completedAt },
      ...readOutages(operations, [resourceId ?? ''], options),
    ]);
  });
  return each.reduce<readonly OutagePeriod[]>(
    (shared, own) => shared.flatMap((one) => own.flatMap((two) => intersectOutages(one, two))),
    [{ startMs: 0, endMs: null }],
  );
}

function intersectOutages(one: OutagePeriod, two: OutagePeriod): readonly OutagePeriod[] {
  const startMs = Math.max(one.startMs, two.startMs);
  const ends = [one.endMs, two.endMs].filter((end) => end !== null);
  const endMs = ends.length > 0 ? Math.min(...ends) : null;
  return endMs === null || endMs >= startMs ? [{ startMs, endMs }] : [];
}

/** The outages of one VM, each as long as it is out at a time: what befalls it meanwhile begins none. */
export function joinOutages<T extends OutagePeriod>(outages: readonly T[]): readonly T[] {
  const joined: T[] = [];
  for (const outage of outages) {
    const { startMs, endMs } = outage;
    const last = joined.at(-1);
    if (!last || (last.endMs !== null && last.endMs < startMs)) joined.push(outage);
    else if (last.endMs !== null)
      joined.splice(-1, 1, { ...last, endMs: endMs === null ? null : Math.max(last.endMs, endMs) });
  }
  return joined;
}
