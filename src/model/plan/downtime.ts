// Downtime of a plan: the VMs and forwards that it takes out of service, and for how long. Times are milliseconds from
// the beginning of the apply.
import type { CommandName } from '../account/command.ts';
import type { ResourceAddress } from '../address.ts';

/** Period in which a resource is out of service; `endMs` is null where the plan does not bring it back. */
export interface OutagePeriod {
  readonly startMs: number;
  readonly endMs: number | null;
}

/** Sum of outages: its first moment, and the length of their union; null where one has no end. */
export interface OutageSum {
  readonly startMs: number;
  readonly forMs: number | null;
}

/** Outage of one resource of a block: it does not run, or a network does not reach it. */
export interface MemberOutage extends OutagePeriod {
  readonly address: ResourceAddress;
  readonly loses: 'power' | 'attachment';
}

/** Reliability of a figure: whether durations are assumed, and its spread over several rehearsals. */
interface Figure {
  /** Tells whether its length depends on a duration that was never seen on this account. */
  readonly isAssumed: boolean;
  /** The 95th percentile of `out.forMs` in several rehearsals, whose median is shown; null where it has no end. */
  readonly p95Ms?: number | null;
}

/** A block of the configuration whose resources will be out of service during an apply. */
export interface BlockDowntime extends Figure {
  /** Address of the block, without an instance key. */
  readonly address: ResourceAddress;
  /** The number of the block's resources that run before the apply. */
  readonly running: number;
  /** Two or more sizes: its members in each wave of its rollout; absent where all go at once. */
  readonly waves?: readonly number[];
  /** The smallest number of the block's resources that run at one time during the apply. */
  readonly minRunning: number;
  /** Periods with stopped members: with the fewest running (`least`), and with any stopped (`any`); absent where all run on. */
  readonly stops?: { readonly least: OutageSum; readonly any: OutageSum };
  /** Time in which running members are cut off from a network; absent where none is. */
  readonly cut?: OutageSum & { readonly members: number };
  /** Time in which at least one member of the block does not run, or cannot be reached. */
  readonly out: OutageSum;
  /** Outages of the block's resources, sorted by their start. */
  readonly outages: readonly MemberOutage[];
}

/** A port forward that leads to no reachable VM during an apply. */
export interface ForwardDowntime extends Figure {
  readonly address: ResourceAddress;
  readonly out: OutageSum;
  readonly outages: readonly OutagePeriod[];
}

/** The downtime of a plan; a plan that takes nothing out of service has none. */
export interface Downtime {
  /** Blocks without a running member first, then the longest outage first. */
  readonly blocks: readonly BlockDowntime[];
  /** Port forwards out of service, the longest outage first. */
  readonly forwards: readonly ForwardDowntime[];
  /** The number of rehearsals it was seen in; absent for a forecast. */
  readonly rehearsals?: number;
}

/** Compares the lengths of two outages for sorting: an outage without an end is the longest. */
export function compareOutageLengths({ forMs: a }: OutageSum, { forMs: b }: OutageSum): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return a - b;
}

/** One command of a plan, or the probes of a member, carried out or expected to be. */
export interface CommandTimeSpan {
  /** Address of the resource whose task has the command. */
  readonly address: ResourceAddress;
  /** The command; null for the probes of a member, which is out of service until they succeed. */
  readonly command: CommandName | null;
  readonly startMs: number;
  readonly endMs: number;
  /** False where the command fails: it takes its VM out of service, and brings nothing back. */
  readonly isDone: boolean;
  readonly isAssumed: boolean;
}
