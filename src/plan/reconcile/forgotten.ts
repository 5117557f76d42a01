import { kindRegistry } from '../../kinds/registry.ts';
import { isAtOrBelowAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { parseKnownAddress } from '../account-index.ts';

/** The change of a resource that leaves the state and stays in the account. */
export function describeForgottenResource({
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
    project: parseKnownAddress(address).project,
    action: 'forget',
    ...(kindRegistry[kind].traits.permanent && { reason: 'permanent' as const }),
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

/** The ids of a resource and of the public IP that came with it. */
export function listOwnedResourceIds({
  id,
  allocatedPublicIpId,
}: ManagedResource): readonly string[] {
  return allocatedPublicIpId === undefined ? [id] : [id, allocatedPublicIpId];
}

/**
 * Reports `removed` entries that give up a resource in an exclusive project: no later plan would know that it is to stay.
 * `claimed` are the ids of resources that `exclusive` would destroy.
 */
export function refuseForgettingExclusiveResources(
  { removed = [] }: DesiredGraph,
  forgotten: readonly ManagedResource[],
  claimed: ReadonlySet<string>,
): readonly Finding[] {
  if (claimed.size === 0) return [];
  return removed.flatMap(({ from, destroy, source }): Finding[] => {
    if (destroy) return [];
    const first = forgotten.find(
      (one) =>
        isAtOrBelowAddress(one.address, from) &&
        listOwnedResourceIds(one).some((id) => claimed.has(id)),
    );
    if (!first) return [];
    const { project } = parseKnownAddress(first.address);
    return [
      {
        severity: 'error',
        code: 'forgotten-in-exclusive',
        summary: `${first.address} cannot stay in the account unmanaged: ${project} has exclusive: true`,
        detail: 'What is not configured in an exclusive project is destroyed by the next plan.',
        hint: `Name it in ignoreUnmanaged of ${project} as well, or take exclusive away. To destroy it, write destroy: true.`,
        address: first.address,
        source,
      },
    ];
  });
}
