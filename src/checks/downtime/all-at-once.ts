import { kindRegistry } from '../../kinds/registry.ts';
import type { Finding } from '../../model/diagnostic.ts';
import { parseResourceAddress } from '../../model/address.ts';
import type { BlockDowntime } from '../../model/plan/downtime.ts';
import type { PlanCheck } from '../check.ts';

/**
 * Warns of a block of which no VM runs for a while although some come back. Where all are stopped or removed for good, or the
 * block sets `rollout`, that is taken to be intended.
 */
export const warnOfBlockOutage: PlanCheck = ({ plan, desired }) => {
  if (plan.mode === 'destroy') return [];
  const blocks = plan.downtime?.blocks ?? [];
  return blocks.filter(isTakenWhole).flatMap(({ address, running, outages }): Finding[] => {
    const [first] = outages;
    const kind = parseResourceAddress(address)?.kind;
    if (!first || !kind) return [];
    const { source, rollout } = desired.get(first.address) ?? {};
    if (rollout) return [];
    return [
      {
        severity: 'warning',
        code: 'all-at-once',
        summary: `All ${running} running ${kindRegistry[kind].label}s of ${address} go out of service at once`,
        detail: 'Nothing of the block runs until the first of them is back.',
        hint: 'Add `rollout: { atOnce: 1 }` to the block, so that one goes after the other.',
        address,
        ...(source && { source }),
      },
    ];
  });
};

function isTakenWhole({ running, minRunning, outages }: BlockDowntime): boolean {
  if (running < 2 || minRunning > 0) return false;
  const stops = outages.filter(({ loses }) => loses === 'power');
  const ends = new Map(stops.map(({ address, endMs }) => [address, endMs]));
  return [...ends.values()].some((endMs) => endMs !== null);
}
