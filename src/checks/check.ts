// Checks: each proves one thing about a plan before anything is asked of the service, and reports every place where it
// does not hold. One file a check; pure. A check never changes a plan, it adds findings.
import type { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import type { KindCheckInput } from '../kinds/kind-check.ts';
import type { UnshownResource } from '../kinds/unfound.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { UsedDataResult } from '../model/data.ts';
import type { CheckEntry, KnownResource, PolicyEntry } from '../model/deferred.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Change } from '../model/plan/plan.ts';
import type { CostBudget, PlanLossGuards } from '../model/resource.ts';
import type { SafeguardWithLocation } from '../model/state/safeguards.ts';
import type { EmptyBlockValue } from '../model/state/projected-state.ts';
import type { OtherWorkspaceProject } from '../model/account/owned-project.ts';
import type { ReservedQuota } from '../model/account/reserved-quota.ts';
import type { LiveOperation } from '../model/account/operation.ts';

/** Reason why a file of `writeTo` cannot be written. */
export interface SecretFileFault {
  /** Path of the secret file as the configuration writes it. */
  readonly file: string;
  readonly code: string;
  /** A sentence each. */
  readonly why: string;
  readonly hint: string;
}

/** Everything that a check of a plan may look at. */
export interface PlanCheckInput extends KindCheckInput {
  /** Bounds that the configuration sets; undefined when it sets none. */
  readonly guards?: PlanLossGuards | undefined;
  /** The most that everything may cost; undefined when the configuration sets none. */
  readonly budget?: CostBudget | undefined;
  /** The safeguards of the configuration. Without them, nothing is reported as lifted. */
  readonly safeguards?: ReadonlyMap<string, SafeguardWithLocation>;
  /** Blocks with `count: 0` or an empty `forEach`: expressions read them as empty. */
  readonly emptyGroups?: readonly EmptyBlockValue[] | undefined;
  /** Policies of the configuration, which judge each planned change. */
  readonly policies?: readonly PolicyEntry[] | undefined;
  /** Conditions of the configuration over what will stand; none when everything is to be destroyed. */
  readonly checks?: readonly CheckEntry[] | undefined;
  /** Answers to the configuration's `data` queries; none unless given. */
  readonly data?: readonly UsedDataResult[] | undefined;
  /** Managed resources that the service does not show, and may only hide; none unless given. */
  readonly unshown?: readonly UnshownResource[];
  /** Ids of unmanaged resources that `ignoreUnmanaged` names, which no check reports; none unless given. */
  readonly ignored?: ReadonlySet<string>;
  /** Names that the conditions read; without them no condition is judged. */
  readonly scope?: ProjectedScope;
  /** Files of `writeTo` that cannot be written, by the address of their change; none unless given. */
  readonly unwritable?: ReadonlyMap<ResourceAddress, SecretFileFault>;
  /** Set where an apply of the plan may run the commands that the configuration names. */
  readonly allowsCommands?: boolean | undefined;
  /** False where an apply of the plan must not ask probes. */
  readonly allowsProbes?: boolean | undefined;
  /** Reservations of other workspaces, by quota; none unless given. */
  readonly reservedQuotas?: readonly ReservedQuota[] | undefined;
  /** Projects that other workspaces manage; none unless given. */
  readonly ownedProjects?: readonly OtherWorkspaceProject[] | undefined;
  /** The newest operations where a VM that changes is busy, newest first; none unless given. */
  readonly operations?: readonly LiveOperation[];
}

/** Reads the values of a resource that are known by now, during an apply; undefined where there are none. */
export type ReadKnownResourceValues = (address: ResourceAddress) => KnownResource | undefined;

/** Proves one thing; returns a finding for each place where it does not hold. */
export type PlanCheck = (input: PlanCheckInput) => readonly Finding[];

/**
 * Tells whether a value is one that the resource already has and that no request sends again: the service cannot refuse it any
 * more.
 */
export function isUnchangedLiveValue(change: Change, attribute: string, value: string): boolean {
  if (change.action === 'replace') return false;
  if (change.action === 'rebuild' && attribute === 'image') return false;
  return change.before?.[attribute] === value;
}
