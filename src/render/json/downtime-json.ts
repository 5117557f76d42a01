import type { Downtime, OutageSum } from '../../model/plan/downtime.ts';
import { roundSeconds } from '../format/elapsed.ts';

/** The downtime of a plan, by the addresses of blocks and forwards. `seconds` is null for what the plan does not bring back. */
export function describeDowntime({ blocks, forwards, rehearsals }: Downtime) {
  const describe = ({ startMs, forMs }: OutageSum) => ({
    seconds: secondsOf(forMs),
    fromSeconds: roundSeconds(startMs),
  });
  const figure = ({ out, isAssumed, p95Ms }: (typeof blocks | typeof forwards)[number]) => ({
    ...describe(out),
    ...(p95Ms !== undefined && { p95Seconds: secondsOf(p95Ms) }),
    assumed: isAssumed,
    ...(rehearsals !== undefined && { rehearsals }),
  });
  const span = (one: { startMs: number; endMs: number | null }) =>
    describe({ startMs: one.startMs, forMs: one.endMs === null ? null : one.endMs - one.startMs });
  return Object.fromEntries([
    ...blocks.map((one) => [
      one.address,
      {
        ...figure(one),
        running: one.running,
        minRunning: one.minRunning,
        ...(one.stops && { least: describe(one.stops.least) }),
        ...(one.cut && { withoutNetwork: { ...describe(one.cut), members: one.cut.members } }),
        outages: one.outages.map(({ address, loses, ...outage }) => ({
          address,
          loses,
          ...span(outage),
        })),
      },
    ]),
    ...forwards.map((one) => [one.address, { ...figure(one), outages: one.outages.map(span) }]),
  ]) as Readonly<Record<string, object>>;
}

const secondsOf = (ms: number | null) => (ms === null ? null : roundSeconds(ms));
