import { kindRegistry } from '../../kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';
import type {
  BlockDowntime,
  Downtime,
  ForwardDowntime,
  MemberOutage,
  OutageSum,
} from '../../model/plan/downtime.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { formatElapsed, formatTimeSinceRunStart } from '../format/elapsed.ts';

/** Resource that goes out of service, with the length of its outage in words. Not yet escaped. */
export interface DowntimeRow {
  readonly label: string;
  readonly text: string;
  /** Tells whether no instance of the block stays in service meanwhile. */
  readonly isTotal: boolean;
}

/** Downtime of a plan in words, for all formats of the plan. */
export interface DowntimeView {
  /** Title of the table: `Downtime (expected)`. */
  readonly title: string;
  /** Rows of the table, the worst first: blocks, then port forwards. */
  readonly rows: readonly DowntimeRow[];
  /** Outages of single VMs, for the drawing on a time scale. */
  readonly members: readonly MemberOutage[];
  /** End of the last outage that ends; outages without an end are drawn up to there. */
  readonly endMs: number;
}

/** Puts the expected downtime of a plan into words. */
export function viewDowntime(downtime: Downtime): DowntimeView {
  const { blocks, forwards } = downtime;
  const all = [...blocks, ...forwards];
  const isAssumed = areAllAssumed(all);
  const word = <T extends Figure>(one: T) => (isAssumed ? { ...one, isAssumed: false } : one);
  const members = blocks.flatMap(({ outages }) => outages);
  const moments = members.flatMap(({ startMs, endMs }) => [startMs, endMs ?? startMs]);
  return {
    title: `Downtime (${nameSource(downtime)}${isAssumed ? ', from assumed durations' : ''})`,
    rows: [
      ...blocks.map((one) => wordBlock(word(one))),
      ...forwards.map((one) => wordForward(word(one))),
    ],
    members,
    endMs: moments.reduce((latest, ms) => Math.max(latest, ms), 0),
  };
}

/** Tells whether all lengths are assumed: then the title says so once. */
function areAllAssumed(all: readonly (BlockDowntime | ForwardDowntime)[]): boolean {
  const ending = all.filter(({ out, isAssumed }) => isAssumed || out.forMs !== null);
  return ending.length > 0 && ending.every(({ isAssumed }) => isAssumed);
}

function nameSource({ rehearsals }: Downtime): string {
  if (rehearsals === undefined) return 'expected';
  if (rehearsals === 1) return 'rehearsed';
  return `median of ${formatCountWithNoun('rehearsal', rehearsals)}, 95th percentile in brackets`;
}

function wordBlock({
  address,
  running,
  minRunning,
  stops,
  cut,
  waves,
  ...figure
}: BlockDowntime): DowntimeRow {
  const { least, any } = stops ?? {};
  // Two lengths that are equal in whole seconds are shown as one.
  const isLonger = least && any && wordLength(any, {}) !== wordLength(least, {});
  const texts = [
    ...(least ? [`${minRunning} of ${running} running ${wordSum(least, { ...figure, any })}`] : []),
    ...(isLonger ? [`fewer than ${running} ${wordLength(any, figure)}`] : []),
    ...(cut ? [`${cut.members} of ${running} without a network ${wordSum(cut, figure)}`] : []),
  ];
  const order = waves ? `; ${Math.max(...waves)} at a time, in ${waves.length} waves` : '';
  return {
    label: address,
    text: texts.join('; ') + markAssumed(figure) + order,
    isTotal: minRunning === 0,
  };
}

function wordForward({ address, out, ...figure }: ForwardDowntime): DowntimeRow {
  const text = `nobody answers ${wordLength(out, figure)}${markAssumed(figure)}`;
  return { label: nameForward(address), text, isTotal: true };
}

/** Names a port forward: `projects.shop.publicIps.edge forward https`. */
function nameForward(address: ResourceAddress): string {
  const { kind, parent, local } = parseResourceAddress(address) ?? {};
  const word = kind && kindRegistry[kind].traits.export?.keyWord;
  return word === undefined || parent === undefined ? address : `${parent} ${word} ${local}`;
}

type Figure = Pick<BlockDowntime, 'isAssumed' | 'p95Ms'>;

/** Words for an outage: `for 34s, from 0:00`. */
function wordSum(
  sum: OutageSum,
  figure: Figure & { readonly any?: OutageSum | undefined },
): string {
  const from = sum.forMs === null ? '' : `, from ${formatTimeSinceRunStart(sum.startMs)}`;
  // The percentile is known for the whole outage only, not for a part of it.
  const isPart = figure.any !== undefined && figure.any.forMs !== sum.forMs;
  return wordLength(sum, isPart ? {} : figure) + from;
}

/** Words for the length of an outage: `for 34s`, `from 0:10 on`. */
function wordLength({ startMs, forMs }: OutageSum, { p95Ms }: Pick<Figure, 'p95Ms'>): string {
  if (forMs === null) return `from ${formatTimeSinceRunStart(startMs)} on`;
  const most = p95Ms === null ? 'no end' : p95Ms !== undefined && formatElapsed(p95Ms);
  return `for ${formatElapsed(forMs)}${most === false ? '' : ` (${most})`}`;
}

const markAssumed = ({ isAssumed }: Figure) => (isAssumed ? ' (assumed)' : '');
