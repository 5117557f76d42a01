import type { ReferenceAddressIndex } from '../../expressions/deferred/deferred-reads.ts';
import type { DeferredScope } from '../../expressions/deferred/evaluate-deferred.ts';
import type { ResourceKind } from '../../kinds/kind.ts';
import type { Backup } from '../../model/account/vm-work.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import type { DecidedChange } from '../../model/plan/deferred-change.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { AccountIndex } from '../account-index.ts';
import type { FollowedSentCommands } from '../reconcile/follow-sent.ts';
import type { RearrangedState } from '../reconcile/rearrange-state.ts';

/** The decision about one address, with facts that ordering and commands need beside the change itself. */
export interface ChangeDecision extends DecidedChange {
  readonly change: Change;
  readonly kind: ResourceKind;
  readonly live: LiveResource | undefined;
  /** The address by its real place; absent where it lies where its address says. */
  readonly standsAt?: ResourceAddress;
  /** The addresses that the live resource refers to, by their real places; absent where nothing is live. */
  readonly heldReferences?: readonly ResourceAddress[];
  /** The configured resource, with the values of its expressions as far as they are known. */
  readonly desired: DesiredResource | undefined;
  /** The public IP that came with a VM which is gone by now: ours, and held by no VM. */
  readonly leftPublicIpId?: string;
  /** Former resources of the address that an earlier run did not get to destroy. */
  readonly deposed?: readonly LiveResource[];
  /** Findings about the resource as the configuration has it. */
  readonly findings?: readonly Finding[];
  /** Resources that its expressions read; absent without expressions. Those in `desired.deferred` are not known yet. */
  readonly reads?: readonly ResourceAddress[];
  /** The resources that policies read to evaluate it, and that have to be made before; see `addPolicyReads`. */
  readonly policyReads?: readonly ResourceAddress[];
}

/** Tells whether a resource is changed without being replaced. */
export function isInPlace({ change }: ChangeDecision): boolean {
  return change.action === 'update' || change.action === 'rebuild';
}

/** Rules of retirement in one plan: the resources that are kept instead of destroyed, and those whose time is over. */
export interface RetirementRules {
  /** Set for a plan that destroys everything at once, retired resources too. */
  readonly isDestroy: boolean;
  /**
   * Retired resources whose end is at most this time are destroyed, in milliseconds since the Unix epoch; without it, none
   * is.
   */
  readonly endsBy?: number | undefined;
  /** By block: how long its members are kept instead of being destroyed; undefined where they are not. */
  readonly blocks: ReadonlyMap<ResourceAddress, number | undefined>;
  /** Addresses in `removed` entries that destroy: their resources go at once, and are not retired. */
  readonly dropped: readonly ResourceAddress[];
}

/** Facts about all other resources that a decision about one needs. */
export interface DecisionContext extends Pick<FollowedSentCommands, 'underway' | 'removed'> {
  readonly index: AccountIndex;
  readonly catalog: Catalog;
  /** The configured resources, even where all of them are to be destroyed. */
  readonly configured: ReadonlyMap<ResourceAddress, DesiredResource>;
  /** Addresses without a resource whose protection the configuration has lifted: see `listLiftedProtections`. */
  readonly released: ReadonlySet<ResourceAddress>;
  /** The say of the configuration on what is kept instead of being destroyed. */
  readonly retiring: RetirementRules;
  /** The decisions so far; kinds come in the order in which one may need another. */
  readonly decided: ReadonlyMap<ResourceAddress, ChangeDecision>;
  /** Addresses that change so far, and those addresses without their instance. */
  readonly changing: ReadonlySet<ResourceAddress>;
  /** Time of the plan, in milliseconds since the Unix epoch; when absent, nothing is due. */
  readonly now?: number | undefined;
  /** The backups of resources that are to have one of a limited age, by id; see `PlanInput.backups`. */
  readonly backups?: ReadonlyMap<string, readonly Backup[]> | undefined;
  /** Values that expressions can read: those of the decisions so far. */
  readonly scope: DeferredScope;
  readonly book: ReferenceAddressIndex;
  /** Set where rebuilds that were taken back are tried again: `--retry-failed`. */
  readonly retriesFailed?: boolean | undefined;
  /** Addresses of `--replace`. */
  readonly replaced: ReadonlySet<ResourceAddress>;
  /** Effects of the configuration on the state before any decision: moves, imports. */
  readonly rearranged: Pick<RearrangedState, 'imported' | 'asLive' | 'movedFrom' | 'intruders'>;
}
