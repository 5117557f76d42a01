import type { AddressBook } from '../../expressions/deferred/deferred-reads.ts';
import type { DeferredScope } from '../../expressions/deferred/evaluate-deferred.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import type { Decided } from '../../model/plan/deferred-change.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { AccountIndex } from '../account-index.ts';
import type { FollowedSent } from '../reconcile/follow-sent.ts';
import type { Rearranged } from '../reconcile/rearrange-state.ts';

/** What was decided for one address, with what ordering and commands need to know beyond the change itself. */
export interface Decision extends Decided {
  readonly change: Change;
  readonly kind: Kind;
  readonly live: LiveResource | undefined;
  /** The address that it would have where it lies; absent where it lies where its address says. */
  readonly standsAt?: Address;
  /** The addresses of what it refers to as it stands, wherever those lie by now; absent where nothing stands. */
  readonly heldReferences?: readonly Address[];
  /** With the values of its expressions, as far as they are known. */
  readonly desired: DesiredResource | undefined;
  /** The public IP that came with a VM which is gone by now: ours, and held by nobody. */
  readonly leftPublicIpId?: string;
  /** What stood under the address before, and an earlier run did not get to destroy. */
  readonly deposed?: readonly LiveResource[];
  /** What is wrong with it as it is configured: its own findings. */
  readonly findings?: readonly Finding[];
  /** What its expressions read, where it has such fields. Those in `desired.deferred` are not known yet. */
  readonly reads?: readonly Address[];
  /** The resources that policies read to evaluate it, and that have to be made before; see `addPolicyReads`. */
  readonly policyReads?: readonly Address[];
}

/** True for what stays, and changes. */
export function isInPlace({ change }: Decision): boolean {
  return change.action === 'update' || change.action === 'rebuild';
}

/** The say of a configuration on retirements. */
export interface Retiring {
  /** True: everything goes at once, what is retired already too. */
  readonly isDestroy: boolean;
  /** What is retired until then ends; milliseconds since the Unix epoch. Absent: nothing does. */
  readonly endsBy?: number | undefined;
  /** By block: how long its members are kept instead of being destroyed; undefined where they are not. */
  readonly blocks: ReadonlyMap<Address, number | undefined>;
  /** What `removed` has destroyed: that goes at once. */
  readonly dropped: readonly Address[];
}

/** What deciding needs to know of everything around the resource at hand. */
export interface DecisionContext extends Pick<FollowedSent, 'underway' | 'removed'> {
  readonly index: AccountIndex;
  readonly catalog: Catalog;
  /** The configuration, also where all of it is to be destroyed. */
  readonly configured: ReadonlyMap<Address, DesiredResource>;
  /** What the configuration says is protected no longer, though it has no such resource: see `listReleased`. */
  readonly released: ReadonlySet<Address>;
  /** The say of the configuration on what is kept instead of being destroyed. */
  readonly retiring: Retiring;
  /** What was decided so far; kinds come in the order in which one may need another. */
  readonly decided: ReadonlyMap<Address, Decision>;
  /** Addresses whose resource changes so far, and those addresses without their instance. */
  readonly changing: ReadonlySet<Address>;
  /** Milliseconds since the Unix epoch; absent: nothing is due. */
  readonly now?: number | undefined;
  /** What expressions read: what was decided so far. */
  readonly scope: DeferredScope;
  readonly book: AddressBook;
  /** `--replace`. */
  readonly replaced: ReadonlySet<Address>;
  /** What the configuration did to the state beforehand. */
  readonly rearranged: Pick<Rearranged, 'imported' | 'asLive' | 'movedFrom' | 'intruders'>;
}
