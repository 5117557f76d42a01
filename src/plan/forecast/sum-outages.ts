import type { Outage, OutageSum } from '../../model/plan/downtime.ts';

/** Outages with overlaps merged, in the order in which they begin. */
export function mergeOutages(outages: readonly Outage[]): readonly Outage[] {
  const merged: { startMs: number; endMs: number | null }[] = [];
  for (const { startMs, endMs } of [...outages].sort((a, b) => a.startMs - b.startMs)) {
    const last = merged.at(-1);
    if (!last || (last.endMs !== null && last.endMs < startMs)) merged.push({ startMs, endMs });
    else if (last.endMs !== null) last.endMs = endMs === null ? null : Math.max(last.endMs, endMs);
  }
  return merged;
}

/** The start and the total length of outages. @param outages at least one */
export function sumOutages(outages: readonly Outage[]): OutageSum {
  const merged = mergeOutages(outages);
  const forMs = merged.reduce<number | null>(
    (sum, { startMs, endMs }) => (sum === null || endMs === null ? null : sum + endMs - startMs),
    0,
  );
  return { startMs: merged[0]?.startMs ?? 0, forMs };
}

/** The part of each outage between two moments; null: without end. */
export function clipOutages<T extends Outage>(
  outages: readonly T[],
  fromMs: number,
  toMs: number | null,
): readonly T[] {
  return outages.flatMap((one) => {
    const startMs = Math.max(one.startMs, fromMs);
    const endMs = toMs === null || (one.endMs !== null && one.endMs < toMs) ? one.endMs : toMs;
    return endMs !== null && endMs <= startMs ? [] : [{ ...one, startMs, endMs }];
  });
}

/** The largest number of outages at one moment, and the time of that. */
export function sweepOutages(outages: readonly Outage[]): { most: number; least: OutageSum } {
  const steps = outages
    .flatMap(({ startMs, endMs }) => [
      { atMs: startMs, by: 1 },
      ...(endMs === null ? [] : [{ atMs: endMs, by: -1 }]),
    ])
    .sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let [open, most] = [0, 0];
  let shared: Outage[] = [];
  for (const [at, { atMs, by }] of steps.entries()) {
    open += by;
    if (open < most || open === 0) continue;
    if (open > most) shared = [];
    most = open;
    shared.push({ startMs: atMs, endMs: steps[at + 1]?.atMs ?? null });
  }
  return { most, least: sumOutages(shared) };
}
