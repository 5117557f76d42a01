import type { ResourceAddress } from '../address.ts';
import type { CheckResult } from './check-result.ts';
import type { PlanCosts } from '../cost/plan-costs.ts';
import type { DeferredChange } from './deferred-change.ts';
import type { Downtime } from './downtime.ts';
import type { Finding } from '../diagnostic.ts';
import type { QuotaName } from '../account/live.ts';
import type { KindName } from '../kind-places.ts';
import type { SourceRange } from '../source.ts';
import type { ResourceRetirement } from '../state/state.ts';
import type { EmptyBlockValue } from '../state/projected-state.ts';
import type { Task } from './task.ts';
import type { UnderwayCommand } from './underway.ts';
import type { Attributes, Value } from '../value.ts';

/**
 * Action of a change. `rebuild` keeps the VM and its id and loses its disk; `forget` only leaves the state; `expire` destroys
 * a VM that an earlier plan has retired, as was approved then; `due` makes a backup of a VM that nothing else changes.
 */
export const actions = [
  'create',
  'update',
  'rebuild',
  'replace',
  'delete',
  'forget',
  'expire',
  'due',
  'no-op',
] as const;
export type Action = (typeof actions)[number];

/** Action that a change of one field needs; the strongest of a resource's fields decides its action. */
export type FieldEffect = 'update' | 'rebuild' | 'replace';

/** A field of a resource with its value before and after a change. */
export interface FieldChange {
  readonly name: string;
  readonly effect: FieldEffect;
}

/** Why a resource is created, replaced or deleted when no field says so. */
export type ChangeReason =
  | 'deleted-outside' // the resource is in the state, and no longer in the account
  | 'creation-failed' // the live resource has the status `failed`
  | 'being-deleted' // the live resource has the status `deleting`
  | 'parent-replaced' // its project or public IP is replaced
  | 'parent-changed' // its block moved to another project or public IP, which no update can do
  | 'not-configured' // the configuration no longer has the resource
  | 'triggered' // a resource that `replaceTriggeredBy` names changes
  | 'requested' // `--replace` names it
  | 'not-exclusive' // nobody configured it, and its project is exclusive
  | 'expired' // it has ended
  | 'rotation-due' // it ends soon
  | 'value-lost' // an earlier run ended before what is shown once was kept
  | 'leftover' // what it replaced is still to be destroyed
  | 'rebuild-failed' // an earlier run has not restored the backup of its failed rebuild
  | 'retired' // it is retired, and goes before its end
  | 'permanent'; // it is no longer configured, and cannot be destroyed

/** A backup that is to be made, since the newest one is older than the configuration allows. */
export interface DueBackup {
  /** The most that the newest one may be old, in milliseconds. */
  readonly maxAgeMs: number;
  /** When the newest finished one was made, in milliseconds since the Unix epoch; null where there is none. */
  readonly newestAt: number | null;
}

/** Names of catalog entries that a resource gives by id: by field, and by the id. */
export type CatalogEntryNames = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The planned change of one resource. */
export interface Change {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  /** The address of its project; `account` for resources outside of projects. */
  readonly project: ResourceAddress;
  readonly action: Action;
  readonly reason?: ChangeReason;
  /** Id of the live resource; null for one that is created. */
  readonly id: string | null;
  /** Live attributes in the configuration's terms; null for a create. */
  readonly before: Attributes | null;
  /**
   * Keys of referenced resources that another is about to replace, by the id with which `before` names them instead.
   */
  readonly replacedKeys?: Readonly<Record<string, string>>;
  /** Names of the catalog entries that the resource has or is to have, by id; absent where there are none. */
  readonly entryNames?: CatalogEntryNames;
  /** Attributes after the change, without those in `unknown`; null for a delete. */
  readonly after: Attributes | null;
  /** Names of attributes that the service assigns: known after apply. */
  readonly unknown: readonly string[];
  /** Names of attributes whose values are never shown, since they are sensitive, or were at the last apply. */
  readonly sensitive: readonly string[];
  /** Sensitive attributes that are not sensitive any more once the change is applied. */
  readonly noLongerSensitive?: readonly string[];
  /** Configured values that take effect only at the next rebuild, by field: until then `after` has the live values. */
  readonly waiting?: Attributes;
  /**
   * Live values of fields that the account has never shown as they were set, though it accepted them: no difference to
   * plan.
   */
  readonly shown?: Attributes;
  /** Fields whose changes the configuration ignores; absent where there are none. */
  readonly ignored?: readonly string[];
  /** Changed fields; empty for create, delete and no-op. */
  readonly fields: readonly FieldChange[];
  /** Sentences about the data that the change loses. */
  readonly losses: readonly string[];
  /**
   * The number of backups that are deleted with the change; null where they are not counted, absent where all of them
   * stay.
   */
  readonly lostBackups?: number | null;
  /** Set for a rebuild that waits for a backup of the disk that it loses. */
  readonly isBackedUpFirst?: boolean;
  /** The id of the backup that the service deletes for the one that is made first; absent where there is room. */
  readonly displacedBackup?: string;
  /** Given where a backup is due: nothing else changes, or it is made behind an update. */
  readonly dueBackup?: DueBackup;
  /** Set where a rebuild that fails, or is not ready in time, is taken back: its backup is restored. */
  readonly restoresOnFailure?: true;
  /** Given where the change restores the backup of a rebuild that has failed in an earlier run: its id. */
  readonly restoring?: string;
  /** Set where a rebuild that was taken back is not tried again: its values are in `waiting`. */
  readonly isTriedBefore?: true;
  /** Names of the fields that the configuration gives. */
  readonly configured: readonly string[];
  /** Addresses that `replaceTriggeredBy` names; absent where it names nothing. */
  readonly triggers?: readonly ResourceAddress[];
  /** Set for a protected resource, whose data no plan may lose: by the configuration, or by that of the last apply. */
  readonly isProtected?: boolean;
  /** Place of `preventDestroy` in the configuration; absent where the block no longer has it. */
  readonly protectedAt?: SourceRange;
  /** Set for a resource that was protected until now, and of which the configuration lifts the protection. */
  readonly isProtectionLifted?: true;
  /** Time that the configuration keeps the resource instead of destroying it, in milliseconds; see `ManagedResource`. */
  readonly retireMs?: number;
  /** Set where the resource is retired instead of being destroyed, or is retired already: then with an end. */
  readonly retirement?: ResourceRetirement;
  /** Set for a resource that this plan adopts: it was not managed until now. */
  readonly isImported?: boolean;
  /** Tells whether the replacement is created before the old resource is deleted. */
  readonly isCreatedFirst?: boolean;
  /** Former address of the resource, when this plan moves it. */
  readonly movedFrom?: ResourceAddress;
  /** Fields that were changed outside since the last apply, with the value that was applied. */
  readonly drift?: Attributes;
  /** Attributes that the service does not return: `before` and `after` have the value that the state recorded. */
  readonly asRecorded?: readonly string[];
  /** Fields that neither the service returns nor the state records: `before` and `after` have the configured value. */
  readonly untold?: readonly string[];
  /** Work of the service on the resource for an earlier run; `before` is the result of that work. */
  readonly underway?: UnderwayCommand;
  readonly source?: SourceRange;
}

/** Names of the attributes that are sensitive after a change. */
export function listSensitiveAfterChange({
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
  /** The use of the quota at once if every create went before every delete. */
  readonly unordered: number;
  /** The part of the used amount that managed resources hold. */
  readonly ours: number;
}

/** Purpose of a run; `refresh` changes nothing in the account, and records the live attributes in the state. */
export type PlanMode = 'apply' | 'destroy' | 'refresh';

/** A change that was made to a managed resource outside of Hostwright since the last apply. */
export interface Drift {
  readonly address: ResourceAddress;
  readonly kind: KindName;
  readonly project: ResourceAddress;
  readonly id: string;
  /** Attributes of the resource as last applied. */
  readonly before: Attributes;
  /** Attributes of the live resource; null when it was deleted. */
  readonly after: Attributes | null;
  /** The attributes that differ, sorted; empty when it was deleted. */
  readonly names: readonly string[];
  /** Names of the entries that either side gives by id; absent where there are none. */
  readonly entryNames?: CatalogEntryNames;
  /** Names of sensitive attributes, whose values are never shown. */
  readonly sensitive: readonly string[];
}

/** The name of the entry that a field gives by id; undefined for every other value. */
export function findEntryNameOfField(
  names: CatalogEntryNames | undefined,
  field: string,
  value: Value | undefined,
): string | undefined {
  const byId = names && Object.hasOwn(names, field) ? names[field] : undefined;
  if (typeof value !== 'string' || !byId || !Object.hasOwn(byId, value)) return undefined;
  return byId[value];
}

/** A value for people: an entry that is written by its id with its name, as `rocky-9 (e2b7)`. */
export function formatEntryNameWithId(
  names: CatalogEntryNames | undefined,
  field: string,
  value: Value,
): Value {
  const name = findEntryNameOfField(names, field, value);
  return name === undefined || typeof value !== 'string' ? value : `${name} (${value})`;
}

/** The part of a plan that is wanted. An address means the resource or module, its instances and everything below it. */
export interface PlanTargetSelection {
  /** `--target`: these resources and their dependencies. Empty for everything. */
  readonly targets: readonly ResourceAddress[];
  /** Resources of `--exclude`: they and their dependents are left out. */
  readonly excludes: readonly ResourceAddress[];
  /** Set where nothing is wanted but the backups that are due. */
  readonly onlyDue?: true;
}

/** Wishes of `plan` and `apply` beyond the configuration, from their flags. */
export interface PlanOptions {
  /** `--adopt`: live resources that are like configured ones are taken for them. */
  readonly adoptsAll: boolean;
  /** Set with `--force`: exceeded guards are not errors. */
  readonly isForced: boolean;
  /** `--allow-data-loss`: data loss is no error, whatever the guards say. */
  readonly allowsDataLoss?: boolean;
  /** `--remove-doubled`: a resource that a lost create made a second time is destroyed. */
  readonly removesDoubled?: boolean;
  /** Addresses of `--replace`: resources that are replaced without a difference. */
  readonly replace: readonly ResourceAddress[];
  readonly selection: PlanTargetSelection;
  /** `--retry-failed`: rebuilds that were taken back are tried again. */
  readonly retriesFailed?: boolean;
  /** Address that `hostwright restore` names: the retired resource there is brought back. */
  readonly restore?: ResourceAddress;
}

/** The variable of the environment by which a server has an apply make the backups that are due, and nothing else. */
export const onlyDueBackupsVariable = 'HOSTWRIGHT_SERVER_DUE';

/** Options without any flag. */
export const noPlanOptions: PlanOptions = {
  adoptsAll: false,
  isForced: false,
  replace: [],
  selection: { targets: [], excludes: [] },
};

/** The planned change of one output. The value of a sensitive output is in neither `before` nor `after`. */
export interface OutputChange {
  readonly name: string;
  readonly action: 'create' | 'update' | 'delete' | 'no-op';
  /** Value of the output after the last apply; null for a new output. */
  readonly before: Value;
  /** New value of the output; null for a removed one and for one known only after the apply. */
  readonly after: Value;
  /** Tells whether the new value of the output is known only after the apply. */
  readonly isUnknown: boolean;
  readonly wasSensitive: boolean;
  readonly isSensitive: boolean;
}

/** The plan: everything that an apply will do, decided beforehand. Built once, never changed. */
export interface Plan {
  readonly mode: PlanMode;
  /**
   * Set for a plan of a part of the configuration (`--target`, `--exclude`): other resources may have changes to make.
   */
  readonly isPartial?: true;
  /** Every resource of the configuration and of the state, no-ops too, in address order. */
  readonly changes: readonly Change[];
  /** Tasks of the plan, in an order in which they could run one by one. */
  readonly tasks: readonly Task[];
  readonly findings: readonly Finding[];
  readonly quotas: readonly QuotaUse[];
  /** Costs of all managed resources, those outside of the selection too; absent where nothing has a price. */
  readonly costs?: PlanCosts;
  /** Downtime by the forecast; absent where the plan takes nothing out of service. */
  readonly downtime?: Downtime;
  /** Addresses that only the state knows: neither configured nor live. Apply forgets them. */
  readonly gone: readonly ResourceAddress[];
  /** The outputs of the configuration and of the state by name, no-ops too; absent where there are none. */
  readonly outputs?: readonly OutputChange[];
  /** Results of the configuration's checks as forecast by the plan; absent where it has no checks. */
  readonly checks?: readonly CheckResult[];
  /** Changes and deletions outside of Hostwright, in address order; absent where there were none. */
  readonly drift?: readonly Drift[];
  /**
   * Blocks that `count` or `forEach` repeat no times: configured, though they have no resource; absent where there are
   * none.
   */
  readonly emptyGroups?: readonly EmptyBlockValue[];
  /** Decisions on the changes with deferred values, in address order; absent where there are none. */
  readonly deferred?: readonly DeferredChange[];
}

/** Tells whether a change retires its resource instead of destroying it. */
export function isRetiring({ action, retirement }: Pick<Change, 'action' | 'retirement'>): boolean {
  return retirement !== undefined && (action === 'delete' || action === 'replace');
}

/**
 * Tells whether an apply would do anything about a change: alter, move or adopt a resource. The end of a retirement is part of
 * the plan that began it, and a backup that is due changes nothing.
 */
export function isEffectiveChange({
  action,
  isImported,
  movedFrom,
}: Pick<Change, 'action' | 'isImported' | 'movedFrom'>): boolean {
  const isKept = leavesAttributesUnchanged({ action }) || action === 'expire';
  return !isKept || isImported === true || movedFrom !== undefined;
}

/** Tells whether a change leaves the attributes of its resource as they are. */
export function leavesAttributesUnchanged({ action }: Pick<Change, 'action'>): boolean {
  return action === 'no-op' || action === 'due';
}

/** Tells whether somebody has to approve a plan: it changes something, or a backup that is due pushes out another one. */
export function needsApproval(plan: Plan): boolean {
  return isEffectivePlan(plan) || plan.changes.some((one) => one.displacedBackup !== undefined);
}

/** Tells whether applying the plan would do anything. */
export function isEffectivePlan(
  plan: Pick<Plan, 'changes' | 'outputs'> & Partial<Pick<Plan, 'mode' | 'drift'>>,
): boolean {
  if (plan.mode === 'refresh') return plan.drift !== undefined && plan.drift.length > 0;
  return plan.changes.some(isEffectiveChange) || hasOutputChanges(plan);
}

/** Tells whether applying the plan would give an output another value. */
export function hasOutputChanges({ outputs = [] }: Pick<Plan, 'outputs'>): boolean {
  return outputs.some(({ action }) => action !== 'no-op');
}
