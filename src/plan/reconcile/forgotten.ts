import { kinds } from '../../kinds/registry.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { parseKnown } from '../account-index.ts';

/** The change of a resource that leaves the state and stays in the account. */
export function describeForgotten({
  address,
  kind,
  id,
  attributes,
  sensitive = [],
  configured,
}: ManagedResource): Change {
  return {
    address,
    kind,
    project: parseKnown(address).project,
    action: 'forget',
    ...(kinds[kind].isPermanent && { reason: 'permanent' as const }),
    id,
    before: attributes,
    after: null,
    unknown: [],
    sensitive,
    fields: [],
    losses: [],
    configured,
  };
}
