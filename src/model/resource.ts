import type { ResourceAddress } from './address.ts';
import type { UsedDataResult } from './data.ts';
import type { CheckEntry, DeferredValue, OutputEntry, PolicyEntry } from './deferred.ts';
import type { KindName } from './kind-places.ts';
import type { ReadinessConditions } from './plan/readiness.ts';
import type { SourceRange } from './source.ts';
import type { EmptyBlockValue } from './state/projected-state.ts';
import type { Attributes } from './value.ts';

/** Milliseconds that one change of a resource may take, by kind of change. */
export interface Timeouts {
  readonly createMs: number;
  readonly updateMs: number;
  readonly deleteMs: number;
}

/** Time limits for a change where the configuration gives none. */
export const defaultTimeouts: Timeouts = {
  createMs: 20 * 60_000,
  updateMs: 20 * 60_000,
  deleteMs: 10 * 60_000,
};

/** The `lifecycle` block of a resource. */
export interface Lifecycle {
  /** Refuses every plan that would lose its data; kept in the state, so that deleting the block does not lift it. */
  readonly preventDestroy: boolean;
  /** Position of `preventDestroy`; absent where it is not set. */
  readonly protectedAt?: SourceRange;
  /** On a replacement, the new resource is created before the old one is destroyed. */
  readonly createBeforeDestroy: boolean;
  /** Names of fields whose live values are left as they are. */
  readonly ignoreChanges: readonly string[];
  /** Addresses of resources whose change forces a replacement of this one. */
  readonly replaceTriggeredBy: readonly ResourceAddress[];
  /**
   * Time that the resource is kept, out of service, instead of being destroyed, in milliseconds; it is destroyed at once
   * unless configured.
   */
  readonly retireMs?: number;
}

/** An entry of `moved`: a resource with its old and new address. */
export interface MovedEntry {
  readonly from: ResourceAddress;
  readonly to: ResourceAddress;
  /** Position of the entry; of an implied one, that of the resource it leads to. */
  readonly source: SourceRange;
  /** Set for a move that no entry asks for: `count` was added to a block or removed. */
  readonly isImplied?: true;
}

/** A live resource to be adopted under an address: by its id, or by its name. */
export interface ImportEntry {
  readonly to: ResourceAddress;
  readonly id?: string;
  readonly name?: string;
  /** Set where the plan that adopts it changes nothing of it; differences are left to the next plan. */
  readonly isAsLive?: true;
  readonly source: SourceRange;
}

/** Entry of `removed`: resources that left the configuration, and are destroyed or only forgotten. */
export interface RemovedEntry {
  readonly from: ResourceAddress;
  readonly destroy: boolean;
  readonly source: SourceRange;
}

/** Limits on what one plan may destroy; exceeding them is an error. */
export interface PlanLossGuards {
  /**
   * The largest number of resources that are destroyed, replaced or rebuilt, or their largest share of what is managed
   * in per cent. A plan passes it only with `--force`.
   */
  readonly maxDeletes?: NumberOrPercent;
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

/** Highest monthly cost of all resources of a configuration. */
export interface CostBudget {
  /** Monthly cost as a decimal number with two decimals or more. */
  readonly monthly: string;
  /** Currency as an ISO 4217 code, such as `CHF`. */
  readonly currency: string;
  /** Severity of the finding on a plan that exceeds the budget: `deny` refuses one that costs more than what stands. */
  readonly severity: 'warn' | 'deny';
  readonly source: SourceRange;
}

/** A limit given as a number, or as a share in percent. */
export type NumberOrPercent = { readonly count: number } | { readonly percent: number };

/** Order of the changes of a block that take its members out of service. */
export interface Rollout {
  /** The most members that may be out of service together, at least one. */
  readonly atOnce: NumberOrPercent;
  /** After a failure: `stop` starts no further change of the block. */
  readonly onFailure: 'stop' | 'continue';
  /** When a member that was out of service is back; as soon as it runs unless configured. */
  readonly ready?: ReadinessConditions;
}

/** The instances of one use of a module, which change one after the other. */
export interface ModuleInstanceOrder {
  /** Addresses of the instances, in the order in which they are changed. */
  readonly instances: readonly ResourceAddress[];
  /** Set where the checks of the configuration must hold between two of them. */
  readonly needsChecks: boolean;
  /** Time that an apply waits between two of them, in milliseconds. */
  readonly waitMs: number;
}

/** A resource as the configuration wants it, `count` already expanded. */
export interface DesiredResource {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  /** The address of its project; its own when it is a project, `account` when it belongs to none. */
  readonly project: ResourceAddress;
  /**
   * Configured attributes, in the configuration's own terms: references as local keys (`web[0]`), catalog entries as written.
   * A field that nobody configured and that has no default is absent: it is left alone.
   */
  readonly attributes: Attributes;
  /** Expressions of attributes that read values assigned by the service, by name; none of them is in `attributes`. */
  readonly deferred?: Readonly<Record<string, DeferredValue>>;
  /** The fields whose change may rebuild it; as its kind has it unless configured. */
  readonly rebuildOn?: readonly string[];
  /** Set where a rebuild also deletes the VM's backups; false unless configured. */
  readonly deleteBackupsOnRebuild?: boolean;
  /** Tells whether a backup is made before each rebuild. */
  readonly backupBeforeRebuild?: boolean;
  /** The most that its newest backup may be old, in milliseconds; absent where backups are made by hand alone. */
  readonly maxBackupAgeMs?: number;
  /** Set where the backup made before a rebuild is restored if the rebuild fails, or the resource is not ready in time. */
  readonly restoresFailedRebuild?: boolean;
  /** The order of its block's changes; all go at once unless configured. */
  readonly rollout?: Rollout;
  /** Names of sensitive attributes, whose values are never shown. */
  readonly sensitive?: readonly string[];
  /** The entries of `data` that attributes depend on, by attribute; see `DataQuery.name`. */
  readonly ofData?: Readonly<Record<string, readonly string[]>>;
  /**
   * Resources that its attributes are made of by expressions, directly or through others, also where only configured values
   * are read; of many instances, their groups.
   */
  readonly mentions?: readonly ResourceAddress[];
  readonly timeouts: Timeouts;
  readonly lifecycle?: Lifecycle;
  /** Position of the resource's block in the YAML. */
  readonly source: SourceRange;
  /** Position of each configured attribute in the YAML, for diagnostics. */
  readonly attributeSources: Readonly<Record<string, SourceRange>>;
}

/** Unmanaged resources of an exclusive project that are tolerated without a message. */
export interface IgnoreUnmanagedRule {
  readonly project: ResourceAddress;
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
  readonly exclusive?: readonly ResourceAddress[];
  /** Unmanaged resources that are left out of findings, since `ignoreUnmanaged` lists them. */
  readonly ignored?: readonly IgnoreUnmanagedRule[];
  readonly guards?: PlanLossGuards;
  readonly budget?: CostBudget;
  /** Outputs of the configuration, shown after an apply. */
  readonly outputs?: readonly OutputEntry[];
  /** Policies: conditions on each planned change. */
  readonly policies?: readonly PolicyEntry[];
  /** Checks: conditions on the resources after an apply. */
  readonly checks?: readonly CheckEntry[];
  /** Blocks with `count` or `forEach` that protect none of their instances, former ones included. */
  readonly unprotected?: readonly ResourceAddress[];
  /** Results of the `data` queries, with which the other members have been evaluated already. */
  readonly data?: readonly UsedDataResult[];
  /** Blocks that `count` or `forEach` repeat no times: expressions read each as an empty list or map. */
  readonly emptyGroups?: readonly EmptyBlockValue[];
  /** Modules whose instances are changed one after the other. */
  readonly instanceOrders?: readonly ModuleInstanceOrder[];
}

/** A graph without resources: the desired graph of `destroy`. */
export const emptyDesiredGraph: DesiredGraph = { resources: [] };
