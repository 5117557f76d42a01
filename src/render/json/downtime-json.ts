import type { Downtime, OutageSum } from '../../model/plan/downtime.ts';
import { roundSeconds } from '../format/elapsed.ts';
import { viewDowntime } from '../view/downtime-view.ts';
import { stampEventTime, type StreamEventJson } from './event-json.ts';

/**
 * Describes the downtime of a plan by the addresses of blocks and port forwards. `seconds` is null for an outage that
 * the plan does not end.
 */
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
        ...(one.waves && { waves: one.waves }),
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

/** The downtime of a plan as one event of the stream. @param at milliseconds since the Unix epoch */
export function describeDowntimeEvent(downtime: Downtime, at: number): StreamEventJson {
  const { title, rows } = viewDowntime(downtime);
  const message = rows.map(({ label, text }) => `${label}: ${text}`);
  const { blocks, forwards, rehearsals } = downtime;
  const gist = ({ address, out, isAssumed }: (typeof blocks | typeof forwards)[number]) => ({
    address,
    seconds: secondsOf(out.forMs),
    from_seconds: roundSeconds(out.startMs),
    assumed: isAssumed,
  });
  const each = [
    ...blocks.map((one) => {
      return { ...gist(one), running: one.running, min_running: one.minRunning };
    }),
    ...forwards.map(gist),
  ];
  const ours = { downtime: each, ...(rehearsals !== undefined && { rehearsals }) };
  const said = { type: 'downtime', '@message': `${title}: ${message.join('. ')}` } as const;
  return stampEventTime({ ...said, hostwright: ours }, at);
}

const secondsOf = (ms: number | null) => (ms === null ? null : roundSeconds(ms));
