// Checks: each proves one thing about a plan before anything is asked of the service, and reports every place where it
// does not hold. One file a check; pure. A check never changes a plan, it adds findings.
import type { ProjectedScope } from '../expressions/deferred/projected-scope.ts';
import type { KindCheckInput } from '../kinds/kind-check.ts';
import type { UnshownResource } from '../kinds/unfound.ts';
import type { Address } from '../model/address.ts';
import type { DataReading } from '../model/data.ts';
import type { CheckEntry, KnownResource, PolicyEntry } from '../model/deferred.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Change } from '../model/plan/plan.ts';
import type { ProbeLeave } from '../model/plan/readiness.ts';
import type { Budget, Guards } from '../model/resource.ts';
import type { PlacedSafeguard } from '../model/state/safeguards.ts';
import type { EmptyGroup } from '../model/state/projected-state.ts';
import type { ReservedQuota } from '../model/account/reserved-quota.ts';
import type { LiveOperation } from '../model/account/operation.ts';

/** Why a file cannot be written that the configuration names. */
export interface PlaceProblem {
  /** As the configuration writes it. */
  readonly file: string;
  readonly code: string;
  /** A sentence each. */
  readonly why: string;
  readonly hint: string;
}

/** Everything that a check may look at. */
export interface CheckInput extends KindCheckInput {
  /** Bounds that the configuration sets; undefined when it sets none. */
  readonly guards?: Guards | undefined;
  /** The most that everything may cost; undefined when the configuration sets none. */
  readonly budget?: Budget | undefined;
  /** The safeguards of the configuration. Without them, nothing is reported as lifted. */
  readonly safeguards?: ReadonlyMap<string, PlacedSafeguard>;
  /** What `count` or `forEach` repeat no times. */
  readonly emptyGroups?: readonly EmptyGroup[] | undefined;
  /** Conditions of the configuration over each change. */
  readonly policies?: readonly PolicyEntry[] | undefined;
  /** Conditions of the configuration over what will stand; none when everything is to be destroyed. */
  readonly checks?: readonly CheckEntry[] | undefined;
  /** What the configuration has read of the account; nothing unless given. */
  readonly data?: readonly DataReading[] | undefined;
  /** What the service does not show and may only hide; nothing unless given. */
  readonly unshown?: readonly UnshownResource[];
  /** The ids of what nobody configured and everybody knows of; none unless given. */
  readonly ignored?: ReadonlySet<string>;
  /** What the conditions are worked out against; without it none of them is judged. */
  readonly scope?: ProjectedScope;
  /** What cannot be written of that which changes write, by their addresses; nothing unless given. */
  readonly unwritable?: ReadonlyMap<Address, PlaceProblem>;
  /** True: an apply of the plan may run the commands that the configuration names. */
  readonly allowsCommands?: boolean | undefined;
  /** Leave for an apply of the plan to ask probes; nothing is said of it unless given. */
  readonly probeLeave?: ProbeLeave | undefined;
  /** What others have reserved of the quotas of the account; nothing unless given. */
  readonly reservedQuotas?: readonly ReservedQuota[] | undefined;
  /** The newest operations where a VM that changes is busy, newest first; none unless given. */
  readonly operations?: readonly LiveOperation[];
}

/** Reads the values of a resource that are known by now, during an apply; undefined where there are none. */
export type ReadNow = (address: Address) => KnownResource | undefined;

/** Proves one thing; returns a finding for each place where it does not hold. */
export type Check = (input: CheckInput) => readonly Finding[];

/** True for a value that stands already and is not asked for again: it cannot be refused any more. */
export function isKept(change: Change, attribute: string, value: string): boolean {
  if (change.action === 'replace') return false;
  if (change.action === 'rebuild' && attribute === 'image') return false;
  return change.before?.[attribute] === value;
}
