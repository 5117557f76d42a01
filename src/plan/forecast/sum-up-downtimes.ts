import type { ResourceAddress } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import {
  compareOutageLengths,
  type BlockDowntime,
  type Downtime,
  type ForwardDowntime,
} from '../../model/plan/downtime.ts';
import { sortDowntime } from './find-downtime.ts';

/** Downtime over several rehearsals of one plan: of each block and forward the median, with its 95th percentile. */
export function sumUpDowntimes(each: readonly (Downtime | undefined)[]): Downtime | undefined {
  const seen = each.flatMap((one) => one ?? []);
  if (seen.length === 0) return undefined;
  const rehearsals = each.length;
  return sortDowntime({
    blocks: sumUp<BlockDowntime>(
      seen.flatMap(({ blocks }) => blocks),
      rehearsals,
    ),
    forwards: sumUp<ForwardDowntime>(
      seen.flatMap(({ forwards }) => forwards),
      rehearsals,
    ),
    rehearsals,
  });
}

type Entry = BlockDowntime | ForwardDowntime;

function sumUp<T extends Entry>(all: readonly T[], rehearsals: number): readonly T[] {
  const groups: ReadonlyMap<ResourceAddress, readonly T[]> = groupBy(all, ({ address }) => address);
  return [...groups.values()].flatMap((group) => {
    const sorted = [...group].sort((a, b) => compareOutageLengths(a.out, b.out));
    // A rehearsal in which it stayed in service counts as an outage of no length.
    const served = rehearsals - sorted.length;
    const at = (share: number) => sorted[Math.max(0, Math.ceil(share * rehearsals) - 1 - served)];
    const [median, high] = [at(0.5), at(0.95)];
    if (!median || !high) return [];
    return [rehearsals === 1 ? median : { ...median, p95Ms: high.out.forMs }];
  });
}
