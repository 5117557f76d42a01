// Why something is replaced or deleted when no field says so, and which of the two comes first.
import { parentIdOf } from '../../kinds/relations/parent-id.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseDeposed, type Address } from '../../model/address.ts';
import { statusOf, type LiveResource } from '../../model/account/live.ts';
import type { ChangeReason } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Attributes } from '../../model/value.ts';
import { parseKnown } from '../account-index.ts';
import type { DecisionContext } from './decision.ts';

/** Why what nobody configures is deleted. */
export function reasonToDelete(address: Address, { rearranged }: DecisionContext): ChangeReason {
  if (parseDeposed(address)) return 'leftover';
  return rearranged.intruders.has(address) ? 'not-exclusive' : 'not-configured';
}

/** True when its replacement is to stand before it goes, and it is not gone already as far as anybody can use it. */
export function mayGoLast(
  { kind, lifecycle }: DesiredResource,
  reason: ChangeReason | undefined,
): boolean {
  // What is of no use makes room for its replacement.
  if (reason === 'value-lost') return false;
  if (kinds[kind].isCreatedFirst) return true;
  if (reason === 'creation-failed' || reason === 'being-deleted') return false;
  return lifecycle?.createBeforeDestroy === true;
}

/** Why a resource cannot stay although its fields are right. */
export function reasonToReplace(
  { address, lifecycle, attributes }: DesiredResource,
  live: LiveResource,
  read: Attributes,
  { decided, changing, replaced, index, now }: DecisionContext,
): ChangeReason | undefined {
  if (kinds[live.kind].isPermanent) return undefined;
  const status = statusOf(live);
  if (status === 'failed') return 'creation-failed';
  if (status === 'deleting') return 'being-deleted';
  if (isOrphaned(address, live, decided, index)) return 'parent-replaced';
  if (replaced.has(address)) return 'requested';
  const triggers = lifecycle?.replaceTriggeredBy ?? [];
  if (triggers.some((trigger) => changing.has(trigger))) return 'triggered';
  if (index.managed.get(address)?.deposed?.includes(live.id)) return 'value-lost';
  return now === undefined ? undefined : kinds[live.kind].findEnd?.(read, attributes, now);
}

/** True for what lives in something that is replaced, or was replaced before it could follow. */
function isOrphaned(
  address: Address,
  live: LiveResource,
  decided: DecisionContext['decided'],
  { managed }: DecisionContext['index'],
): boolean {
  const { parent, project } = parseKnown(address);
  if (parent === undefined) return false;
  if (decided.get(parent)?.change.action === 'replace') return true;
  const isElsewhere = (at: Address, id: string) => (managed.get(at)?.id ?? id) !== id;
  return isElsewhere(project, live.projectId) || isElsewhere(parent, parentIdOf(live));
}
