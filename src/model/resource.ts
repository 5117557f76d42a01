import type { Address } from './address.ts';
import type { DataReading } from './data.ts';
import type { CheckEntry, Deferred, OutputEntry, PolicyEntry } from './deferred.ts';
import type { KindName } from './kind-places.ts';
import type { SourceRange } from './source.ts';
import type { EmptyGroup } from './state/projected-state.ts';
import type { Attributes } from './value.ts';

/** How long one change of a resource may take, in milliseconds. */
export interface Timeouts {
  readonly createMs: number;
  readonly updateMs: number;
  readonly deleteMs: number;
}

/** How long a change may take unless configured. */
export const defaultTimeouts: Timeouts = {
  createMs: 20 * 60_000,
  updateMs: 20 * 60_000,
  deleteMs: 10 * 60_000,
};

/** How a resource may be treated over its life. */
export interface Lifecycle {
  /** Refuses every plan that would lose its data; kept in the state, so that deleting the block does not lift it. */
  readonly preventDestroy: boolean;
  /** Where that is asked for; absent where it is not. */
  readonly protectedAt?: SourceRange;
  /** On a replacement the new one is made first. */
  readonly createBeforeDestroy: boolean;
  /** Fields whose live value is left as it is. */
  readonly ignoreChanges: readonly string[];
  /** Resources whose change means a replacement of this one. */
  readonly replaceTriggeredBy: readonly Address[];
  /** How long it is kept, out of service, instead of being destroyed; milliseconds. It goes at once unless configured. */
  readonly retireMs?: number;
}

/** A resource that was given another address. */
export interface MovedEntry {
  readonly from: Address;
  readonly to: Address;
  /** Where it is written; of one that is implied, what it leads to. */
  readonly source: SourceRange;
  /** True for one that nobody has written: `count` has come or gone. */
  readonly isImplied?: true;
}

/** A live resource to be adopted under an address: by its id, or by its name. */
export interface ImportEntry {
  readonly to: Address;
  readonly id?: string;
  readonly name?: string;
  /** True: the plan that adopts it changes nothing of it; what differs is for the next one. */
  readonly isAsLive?: true;
  readonly source: SourceRange;
}

/** A resource that left the configuration: destroyed, or only forgotten. */
export interface RemovedEntry {
  readonly from: Address;
  readonly destroy: boolean;
  readonly source: SourceRange;
}

/** Bounds on what one plan may take away. */
export interface Guards {
  /**
   * The largest number of resources that are destroyed, replaced or rebuilt, or their largest share of what is managed
   * in per cent. A plan passes it only with `--force`.
   */
  readonly maxDeletes?: Bound;
  /** A share counts only when so many resources are managed; always unless given. */
  readonly minResources?: number;
  /** `deny`: a plan that loses disks, backups or addresses needs `--allow-data-loss`. */
  readonly dataLoss?: 'warn' | 'deny';
  /**
   * The longest time in milliseconds for which a plan may take something out of service that runs, 0 for none. A plan that takes
   * it longer, or for good, passes only with `--force`.
   */
  readonly maxDowntimeMs?: number;
  readonly source: SourceRange;
}

/** The most that everything of a configuration may cost. */
export interface Budget {
  /** A decimal number, with two decimals or more. */
  readonly monthly: string;
  /** An ISO 4217 code. */
  readonly currency: string;
  /** What is said of a plan that exceeds it: `deny` refuses one that costs more than what stands. */
  readonly severity: 'warn' | 'deny';
  readonly source: SourceRange;
}

/** A number, or a share of something in percent. */
export type Bound = { readonly count: number } | { readonly percent: number };

/** Order of the changes of a block that take its members out of service. */
export interface Rollout {
  /** The most members that may be out of service together, at least one. */
  readonly atOnce: Bound;
  /** After a failure: `stop` starts no further change of the block. */
  readonly onFailure: 'stop' | 'continue';
}

/** One resource as the configuration wants it, `count` already expanded. */
export interface DesiredResource {
  readonly address: Address;
  readonly kind: KindName;
  /** The address of its project; its own when it is a project, `account` when it belongs to none. */
  readonly project: Address;
  /**
   * What the configuration says, in its own terms: references as local keys (`web[0]`), catalog entries as written.
   * A field that nobody configured and that has no default is absent: it is left alone.
   */
  readonly attributes: Attributes;
  /** Attributes that read what the service assigns, by name; none of them stands in `attributes`. */
  readonly deferred?: Readonly<Record<string, Deferred>>;
  /** The fields whose change may rebuild it; as its kind has it unless configured. */
  readonly rebuildOn?: readonly string[];
  /** What to do with the backups on a rebuild; false unless configured. */
  readonly deleteBackupsOnRebuild?: boolean;
  /** True: a backup is made before a rebuild. */
  readonly backupBeforeRebuild?: boolean;
  /** The order of its block's changes; all go at once unless configured. */
  readonly rollout?: Rollout;
  /** Names of attributes whose values are never shown. */
  readonly sensitive?: readonly string[];
  /** The entries of `data` that attributes depend on, by attribute; see `DataQuery.name`. */
  readonly ofData?: Readonly<Record<string, readonly string[]>>;
  /**
   * The resources that its attributes are made of by expressions, directly or through others, also where only what the
   * configuration says of them is read; groups in place of their instances where those are many.
   */
  readonly mentions?: readonly Address[];
  readonly timeouts: Timeouts;
  readonly lifecycle?: Lifecycle;
  /** Where the resource stands. */
  readonly source: SourceRange;
  /** Where each configured attribute stands, for findings. */
  readonly attributeSources: Readonly<Record<string, SourceRange>>;
}

/** Live resources of a project that nobody configured, and that are left alone without a word. */
export interface IgnoredUnmanaged {
  readonly project: Address;
  /** Names, addresses or ids, with `*` for any text; one that begins with `^` is a pattern of RE2. */
  readonly patterns: readonly string[];
}

/** Everything the configuration wants. Addresses are unique; references point at resources that are present. */
export interface DesiredGraph {
  readonly resources: readonly DesiredResource[];
  readonly moved?: readonly MovedEntry[];
  readonly imports?: readonly ImportEntry[];
  readonly removed?: readonly RemovedEntry[];
  /** Projects in which whatever is not configured is planned for deletion. */
  readonly exclusive?: readonly Address[];
  /** What nobody configured and everybody knows of. */
  readonly ignored?: readonly IgnoredUnmanaged[];
  readonly guards?: Guards;
  readonly budget?: Budget;
  /** What is shown after an apply. */
  readonly outputs?: readonly OutputEntry[];
  /** Conditions over each planned change. */
  readonly policies?: readonly PolicyEntry[];
  /** Conditions over what stands after an apply. */
  readonly checks?: readonly CheckEntry[];
  /** Blocks with `count` or `forEach` that protect none of their instances, those that are gone included. */
  readonly unprotected?: readonly Address[];
  /** What `data` has read of the account: it is worked out in all of the above already. */
  readonly data?: readonly DataReading[];
  /** What `count` or `forEach` repeat no times: expressions read it as an empty list or map. */
  readonly emptyGroups?: readonly EmptyGroup[];
}

/** A graph that wants nothing: what `destroy` plans against. */
export const emptyGraph: DesiredGraph = { resources: [] };
