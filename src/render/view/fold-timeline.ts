import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import { kindPlaces } from '../../model/kind-places.ts';
import type { Timeline, TimelineEntry } from '../../model/plan/timeline.ts';
import { formatElapsed } from '../format/elapsed.ts';
import { minFoldedInstances } from './fold-instances.ts';
import { joinAddresses } from './instance-texts.ts';

/** Several steps of a timeline as one. Times are milliseconds since the Unix epoch. */
export interface TimelineGroup {
  /** Address that represents all steps of the group. */
  readonly address: ResourceAddress;
  readonly entries: readonly [TimelineEntry, ...TimelineEntry[]];
  readonly startedAt: number;
  readonly endedAt: number;
}

/** The most rows of a timeline: nobody reads more of them. */
const maxRows = 200;
/** The most steps of a timeline that are drawn one by one. */
const fewSteps = 40;
/** A critical path of more steps than these is folded as the rest is. */
const maxCritical = 100;

/**
 * Folds a timeline into as many rows as a person reads. The critical path and failures stay step by step; of the others, the
 * instances of one resource that took the same step become one row, and where there are very many, so do the resources of one
 * kind in a project. Groups stand in the order in which their first step started.
 */
export function foldTimeline({ entries }: Pick<Timeline, 'entries'>): readonly TimelineGroup[] {
  if (entries.length <= fewSteps) return entries.map(standAlone);
  const byInstances = foldBy(entries, nameInstances(entries), minFoldedInstances);
  if (byInstances.length <= maxRows) return byInstances;
  return foldBy(entries, ({ address }) => nameKind(address), 2);
}

function standAlone(entry: TimelineEntry): TimelineGroup {
  const { address, startedAt, endedAt } = entry;
  return { address, entries: [entry], startedAt, endedAt };
}

/** Address of an instance's group: one address with the keys of all instances. */
function nameInstances(
  entries: readonly TimelineEntry[],
): (entry: TimelineEntry) => ResourceAddress {
  const addresses = [...new Set(entries.map(({ address }) => address))];
  const joined = joinAddresses(addresses, minFoldedInstances);
  const names = new Map(
    joined.flatMap(({ address, members }) => members.map((member) => [member, address] as const)),
  );
  return ({ address }) => names.get(address) ?? address;
}

function nameKind(address: ResourceAddress): ResourceAddress {
  const parsed = parseResourceAddress(address);
  if (!parsed) return address;
  const { collection } = kindPlaces[parsed.kind];
  return parsed.project === address ? collection : `${parsed.project}.${collection}`;
}

function foldBy(
  entries: readonly TimelineEntry[],
  nameOf: (entry: TimelineEntry) => ResourceAddress,
  least: number,
): TimelineGroup[] {
  const critical = entries.filter(({ isCritical }) => isCritical).length;
  const staysAlone = ({ isCritical, result }: TimelineEntry) =>
    (isCritical && critical <= maxCritical) || result === 'failed';
  const groups = new Map<string, [TimelineEntry, ...TimelineEntry[]]>();
  for (const [index, entry] of entries.entries()) {
    const key = JSON.stringify([nameOf(entry), entry.step, entry.result]);
    const own = staysAlone(entry) ? `${index}` : key;
    const group = groups.get(own);
    if (group) group.push(entry);
    else groups.set(own, [entry]);
  }
  return [...groups.values()]
    .flatMap((group) =>
      group.length < least ? group.map(standAlone) : [joinEntries(nameOf(group[0]), group)],
    )
    .sort((a, b) => a.startedAt - b.startedAt);
}

function joinEntries(
  address: ResourceAddress,
  entries: readonly [TimelineEntry, ...TimelineEntry[]],
): TimelineGroup {
  const starts = entries.map(({ startedAt }) => startedAt);
  const ends = entries.map(({ endedAt }) => endedAt);
  return { address, entries, startedAt: min(starts), endedAt: -min(ends.map((end) => -end)) };
}

/** Not `Math.min(...values)`: there may be many thousand arguments. */
const min = (values: readonly number[]) => values.reduce((least, one) => Math.min(least, one));

/** Length of the time scale, in units of its drawing. */
const scaleLength = 1_000;

/** Describes the range from the shortest to the longest duration; a single duration where both look the same. */
export function describeDurationRange(times: readonly number[]): string {
  const from = formatElapsed(Math.min(...times));
  const to = formatElapsed(Math.max(...times));
  return from === to ? from : `${from} to ${to}`;
}

/** Computes the start and the length of a group's bar on a scale from 0 to 1,000. */
export function placeTimelineBar(
  group: Pick<TimelineGroup, 'startedAt' | 'endedAt'>,
  { startedAt, endedAt }: Pick<Timeline, 'startedAt' | 'endedAt'>,
): { readonly from: number; readonly width: number } {
  const scale = Math.max(1, endedAt - startedAt);
  const at = (moment: number) => Math.round(((moment - startedAt) / scale) * scaleLength * 10) / 10;
  const from = at(group.startedAt);
  return { from, width: Math.max(2, Math.round((at(group.endedAt) - from) * 10) / 10) };
}
