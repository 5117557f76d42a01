// Reasons for a replacement or deletion that no field gives, and the order of the two steps of a replacement.
import { readContainerId } from '../../kinds/relations/parent-id.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { parseDeposedAddress, type ResourceAddress } from '../../model/address.ts';
import { getLiveStatus, type LiveResource } from '../../model/account/live.ts';
import type { ChangeReason } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Attributes } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';
import type { DecisionContext } from './decision.ts';

/** The reason why a resource that is not configured is deleted. */
export function findDeleteReason(
  address: ResourceAddress,
  { rearranged, index }: Pick<DecisionContext, 'rearranged' | 'index'>,
): ChangeReason {
  if (index.managed.get(address)?.retired?.until !== undefined) return 'retired';
  if (parseDeposedAddress(address)) return 'leftover';
  return rearranged.intruders.has(address) ? 'not-exclusive' : 'not-configured';
}

/** Tells whether the replacement is made before the old resource is destroyed, unless that one is of no use any more. */
export function isReplacementCreatedFirst(
  { kind, lifecycle }: DesiredResource,
  reason: ChangeReason | undefined,
): boolean {
  // A replaced resource whose secret was lost is useless, so it may be deleted first.
  if (reason === 'value-lost') return false;
  if (kindRegistry[kind].traits.credential) return true;
  if (reason === 'creation-failed' || reason === 'being-deleted') return false;
  return lifecycle?.createBeforeDestroy === true;
}

/** The reason why a resource has to be replaced although its fields are right. */
export function findReplaceReason(
  { address, lifecycle, attributes }: DesiredResource,
  live: LiveResource,
  read: Attributes,
  context: DecisionContext,
): ChangeReason | undefined {
  const { changing, replaced, rearranged, index, now } = context;
  if (kindRegistry[live.kind].traits.permanent) return undefined;
  const isAsLive = rearranged.asLive.has(address);
  const status = isAsLive ? undefined : getLiveStatus(live);
  if (status === 'failed') return 'creation-failed';
  if (status === 'deleting') return 'being-deleted';
  const orphaned = reasonOfParent(address, live, context);
  if (orphaned) return orphaned;
  const former = rearranged.movedFrom.get(address) ?? address;
  if (replaced.has(address) || replaced.has(former)) return 'requested';
  if (isAsLive) return undefined;
  const triggers = lifecycle?.replaceTriggeredBy ?? [];
  if (triggers.some((trigger) => changing.has(trigger) || wasMadeAnew(trigger, address, context))) {
    return 'triggered';
  }
  if (index.managed.get(address)?.deposed?.includes(live.id)) return 'value-lost';
  return now === undefined
    ? undefined
    : kindRegistry[live.kind].traits.credential?.findEnd(read, attributes, now);
}

/** Tells whether an earlier run has replaced a trigger, while the change that it triggers has failed or was left out. */
function wasMadeAnew(
  trigger: ResourceAddress,
  address: ResourceAddress,
  { index }: DecisionContext,
): boolean {
  const before = index.managed.get(address)?.triggerIds?.[trigger];
  const now = index.managed.get(trigger)?.id;
  return before !== undefined && now !== undefined && now !== before;
}

/**
 * The reason in the resource's container: it is replaced, was replaced before the resource could follow, or is another one by
 * now.
 */
function reasonOfParent(
  address: ResourceAddress,
  live: LiveResource,
  { decided, index, rearranged }: DecisionContext,
): ChangeReason | undefined {
  const { parent, project } = parseKnownAddress(address);
  if (parent === undefined) return undefined;
  if (decided.get(parent)?.change.action === 'replace') return 'parent-replaced';
  const former = [
    [project, live.projectId],
    [parent, readContainerId(live)],
  ] as const;
  const left = former.find(([at, id]) => index.managed.get(at)?.id !== id);
  if (!left) return undefined;
  // An earlier run may have recorded the move and then ended: the old container still has an address of its own.
  const home = index.addressOf(left[1]);
  const isMoved =
    rearranged.movedFrom.has(address) || (home !== undefined && !parseDeposedAddress(home));
  return isMoved ? 'parent-changed' : 'parent-replaced';
}
