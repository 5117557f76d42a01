import type { Address } from '../address.ts';
import type { CheckResult } from './check-result.ts';
import type { PlanCosts } from '../cost/plan-costs.ts';
import type { DeferredChange } from './deferred-change.ts';
import type { Downtime } from './downtime.ts';
import type { Finding } from '../diagnostic.ts';
import type { QuotaName } from '../account/live.ts';
import type { KindName } from '../kind-places.ts';
import type { SourceRange } from '../source.ts';
import type { Retirement } from '../state/state.ts';
import type { EmptyGroup } from '../state/projected-state.ts';
import type { Task } from './task.ts';
import type { Underway } from './underway.ts';
import type { Attributes, Value } from '../value.ts';

/**
 * What happens to a resource. `rebuild` keeps the VM and its id and loses its disk; `forget` only leaves the state; `expire`
 * destroys what an earlier plan has retired, as was approved then.
 */
export const actions = [
  'create',
  'update',
  'rebuild',
  'replace',
  'delete',
  'forget',
  'expire',
  'no-op',
] as const;
export type Action = (typeof actions)[number];

/** What a change of one field asks for; the strongest of a resource's fields decides its action. */
export type FieldEffect = 'update' | 'rebuild' | 'replace';

/** A field whose value changes. */
export interface FieldChange {
  readonly name: string;
  readonly effect: FieldEffect;
}

/** Why a resource is created, replaced or deleted when no field says so. */
export type ChangeReason =
  | 'deleted-outside' // the state has it, the account does not
  | 'creation-failed' // it stands in the account with status `failed`
  | 'being-deleted' // it stands in the account with status `deleting`
  | 'parent-replaced' // what it lives in is replaced
  | 'parent-changed' // it moves to another project or public IP, which it cannot
  | 'not-configured' // the configuration no longer names it
  | 'triggered' // a resource that `replaceTriggeredBy` names changes
  | 'requested' // `--replace` names it
  | 'not-exclusive' // nobody configured it, and its project is exclusive
  | 'expired' // it has ended
  | 'rotation-due' // it ends soon
  | 'value-lost' // an earlier run ended before what is shown once was kept
  | 'leftover' // what it replaced is still to be destroyed
  | 'retired' // it is retired, and goes before its end
  | 'permanent'; // it is no longer configured, and cannot be destroyed

/** Names of entries that the service offers, where a resource gives them by id: by field, and by id as it is written. */
export type EntryNames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The planned change of one resource. */
export interface Change {
  readonly address: Address;
  readonly kind: KindName;
  /** The address of its project; `account` for what belongs to none. */
  readonly project: Address;
  readonly action: Action;
  readonly reason?: ChangeReason;
  /** The live id; null for a create. */
  readonly id: string | null;
  /** Live attributes in the configuration's terms; null for a create. */
  readonly before: Attributes | null;
  /** The keys of what `before` names by its id because another is about to take its place, by that spelling. */
  readonly replacedKeys?: Readonly<Record<string, string>>;
  /** Names of the entries that it has or is to have by id; absent where there are none. */
  readonly entryNames?: EntryNames;
  /** Attributes after the change, without those in `unknown`; null for a delete. */
  readonly after: Attributes | null;
  /** Names of attributes that the service assigns: known after apply. */
  readonly unknown: readonly string[];
  /** Names of attributes whose values are never shown: what they are, or were when it was last applied, is sensitive. */
  readonly sensitive: readonly string[];
  /** Those among them that no longer are once it is applied. */
  readonly noLongerSensitive?: readonly string[];
  /** Configured values that take effect at the next rebuild only, by field: until then `after` has what is live. */
  readonly waiting?: Attributes;
  /** Fields that are as they were asked for, and that the account shows otherwise, as it did when they were set: what it shows. */
  readonly shown?: Attributes;
  /** Fields whose changes the configuration ignores; absent where there are none. */
  readonly ignored?: readonly string[];
  /** The fields that change; empty for create, delete and no-op. */
  readonly fields: readonly FieldChange[];
  /** What data the change loses, a sentence each. */
  readonly losses: readonly string[];
  /** How many backups go with the change; null where they are not counted, absent where all of them stay. */
  readonly lostBackups?: number | null;
  /** True for a rebuild that waits for a backup of the disk that it loses. */
  readonly isBackedUpFirst?: boolean;
  /** The id of the backup that the service deletes for the one that is made first; absent where there is room. */
  readonly displacedBackup?: string;
  /** The fields that the configuration gives. */
  readonly configured: readonly string[];
  /** What `replaceTriggeredBy` names; absent where it names nothing. */
  readonly triggers?: readonly Address[];
  /** True when nothing may lose its data: the configuration says so, or said so when it was last applied. */
  readonly isProtected?: boolean;
  /** Where the configuration says so; absent where it no longer does. */
  readonly protectedAt?: SourceRange;
  /** True when something was protected until now, and the configuration says that it no longer is. */
  readonly isProtectionLifted?: true;
  /** How long the configuration keeps it instead of destroying it, in milliseconds; see `ManagedResource`. */
  readonly retireMs?: number;
  /** Given where it is retired instead of being destroyed, and of what is retired already: that has an end. */
  readonly retirement?: Retirement;
  /** True when it was not ours until now: this plan adopts it. */
  readonly isImported?: boolean;
  /** True when its replacement is made before it is destroyed. */
  readonly isCreatedFirst?: boolean;
  /** Its former address, when this plan moves it. */
  readonly movedFrom?: Address;
  /** Fields that were changed outside since the last apply, with the value that was applied. */
  readonly drift?: Attributes;
  /** Attributes that the service leaves untold: those sides have what the state recorded. */
  readonly asRecorded?: readonly string[];
  /** Fields that neither the service nor the state tells: both sides have what the configuration says. */
  readonly untold?: readonly string[];
  /** Given while the service works on it for an earlier run: `before` is what that comes to. */
  readonly underway?: Underway;
  readonly source?: SourceRange;
}

/** The attributes that are sensitive once a change is applied. */
export function sensitiveAfter({
  sensitive,
  noLongerSensitive = [],
}: Pick<Change, 'sensitive' | 'noLongerSensitive'>): readonly string[] {
  return sensitive.filter((name) => !noLongerSensitive.includes(name));
}

/** Use of one quota: now, on the way, after the plan, and its limit. */
export interface QuotaUse {
  readonly name: QuotaName;
  readonly limit: number;
  readonly used: number;
  readonly after: number;
  /** The most that is in use whenever something was just made, in any order that the waits allow; `used` where nothing is. */
  readonly peak: number;
  /** What would be in use at once if every create went before every delete. */
  readonly unordered: number;
  /** How much of `used` is held by what the state says is managed. */
  readonly ours: number;
}

/** What a run is for; `refresh` changes nothing in the account, and records in the state what is live. */
export type PlanMode = 'apply' | 'destroy' | 'refresh';

/** What was changed outside of Hostwright since it was last applied. */
export interface Drift {
  readonly address: Address;
  readonly kind: KindName;
  readonly project: Address;
  readonly id: string;
  /** As last applied. */
  readonly before: Attributes;
  /** As it is live; null when it was deleted. */
  readonly after: Attributes | null;
  /** The attributes that differ, sorted; empty when it was deleted. */
  readonly names: readonly string[];
  /** Names of the entries that either side gives by id; absent where there are none. */
  readonly entryNames?: EntryNames;
  /** Names of attributes whose values are never shown. */
  readonly sensitive: readonly string[];
}

/** The name of the entry that a field gives by id; undefined for every other value. */
export function entryName(
  names: EntryNames | undefined,
  field: string,
  value: Value | undefined,
): string | undefined {
  const byId = names && Object.hasOwn(names, field) ? names[field] : undefined;
  if (typeof value !== 'string' || !byId || !Object.hasOwn(byId, value)) return undefined;
  return byId[value];
}

/** A value for people: an entry that is written by its id with its name, as `rocky-9 (e2b7)`. */
export function spellValue(names: EntryNames | undefined, field: string, value: Value): Value {
  const name = entryName(names, field, value);
  return name === undefined || typeof value !== 'string' ? value : `${name} (${value})`;
}

/** Which part of a plan is wanted. Addresses stand for themselves, their instances and what is below them. */
export interface Selection {
  /** `--target`: these, and what they need. Empty for everything. */
  readonly targets: readonly Address[];
  /** `--exclude`: all but these, and but what needs them. */
  readonly excludes: readonly Address[];
}

/** What the flags of `plan` and `apply` ask for beyond the configuration. */
export interface PlanOptions {
  /** `--adopt`: live resources that are like configured ones are taken for them. */
  readonly adoptsAll: boolean;
  /** `--force`: guards are no errors. */
  readonly isForced: boolean;
  /** `--allow-data-loss`: what a plan loses is no error, whatever the guards say. */
  readonly allowsDataLoss?: boolean;
  /** `--remove-doubled`: what a create of Hostwright made a second time is destroyed. */
  readonly removesDoubled?: boolean;
  /** `--replace`. */
  readonly replace: readonly Address[];
  readonly selection: Selection;
  /** `restore`: the retired resource of this address returns. */
  readonly restore?: Address;
}

/** Nothing is asked for. */
export const noPlanOptions: PlanOptions = {
  adoptsAll: false,
  isForced: false,
  replace: [],
  selection: { targets: [], excludes: [] },
};

/** What happens to one output. A sensitive value stands on neither side. */
export interface OutputChange {
  readonly name: string;
  readonly action: 'create' | 'update' | 'delete' | 'no-op';
  /** As it was after the last apply; null for a create. */
  readonly before: Value;
  /** Null for a delete, and where it is known after apply. */
  readonly after: Value;
  /** True: known after apply. */
  readonly isUnknown: boolean;
  readonly wasSensitive: boolean;
  readonly isSensitive: boolean;
}

/** Everything that apply will do, decided beforehand. Built once, never changed. */
export interface Plan {
  readonly mode: PlanMode;
  /** Given where only a part was asked for: others may have changes to make. */
  readonly isPartial?: true;
  /** Every resource of the configuration and of the state, no-ops too, in address order. */
  readonly changes: readonly Change[];
  /** In an order in which they may run one by one. */
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
  readonly quotas: readonly QuotaUse[];
  /** What everything that is managed costs, outside of what was asked for too; absent where there is nothing to tell. */
  readonly costs?: PlanCosts;
  /** Its downtime by the forecast; absent where it takes nothing out of service. */
  readonly downtime?: Downtime;
  /** Addresses that only the state knows: neither configured nor live. Apply forgets them. */
  readonly gone: readonly Address[];
  /** The outputs of the configuration and of the state by name, no-ops too; absent where there are none. */
  readonly outputs?: readonly OutputChange[];
  /** How the checks of the configuration would turn out; absent where it has none. */
  readonly checks?: readonly CheckResult[];
  /** What was changed or deleted outside, in address order; absent where nothing was. */
  readonly drift?: readonly Drift[];
  /** What `count` or `forEach` repeat no times, which is configured all the same; absent where nothing is. */
  readonly emptyGroups?: readonly EmptyGroup[];
  /** What is decided of the changes with deferred values, in address order; absent where there are none. */
  readonly deferred?: readonly DeferredChange[];
}

/** True where a change retires its resource instead of destroying it. */
export function isRetiring({ action, retirement }: Pick<Change, 'action' | 'retirement'>): boolean {
  return retirement !== undefined && (action === 'delete' || action === 'replace');
}

/**
 * True when an apply would do anything about a change: alter, move or adopt a resource. The end of a retirement is part of the
 * plan that began it.
 */
export function isEffectiveChange({
  action,
  isImported,
  movedFrom,
}: Pick<Change, 'action' | 'isImported' | 'movedFrom'>): boolean {
  const isKept = action === 'no-op' || action === 'expire';
  return !isKept || isImported === true || movedFrom !== undefined;
}

/** True when applying the plan would do anything. */
export function isEffective(
  plan: Pick<Plan, 'changes' | 'outputs'> & Partial<Pick<Plan, 'mode' | 'drift'>>,
): boolean {
  if (plan.mode === 'refresh') return plan.drift !== undefined && plan.drift.length > 0;
  return plan.changes.some(isEffectiveChange) || changesOutputs(plan);
}

/** True when applying the plan would give an output another value. */
export function changesOutputs({ outputs = [] }: Pick<Plan, 'outputs'>): boolean {
  return outputs.some(({ action }) => action !== 'no-op');
}
