import { findVmConfiguration, findCatalogEntry } from '../catalog.ts';
import type { CatalogConfiguration, CatalogTariff } from '../../model/account/live.ts';
import { describeVmSizes, listNearestSizes } from '../../model/nearest-sizes.ts';
import { describeEachPrice } from '../../model/cost/plan-costs.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { locateFinding } from '../../model/place-of.ts';
import type { KindCheck } from '../kind-check.ts';

/**
 * Finds more VMs of one configuration than the cluster has room for. A warning: the reported capacity is advisory, and the
 * service decides at create.
 */
export const checkVmCapacity: KindCheck = ({ plan, desired, live }) => {
  const wanted = new Map<CatalogConfiguration, DesiredResource[]>();
  for (const { address, kind, action } of plan.changes) {
    const resource = desired.get(address);
    if (kind !== 'vm' || !resource || (action !== 'create' && action !== 'replace')) continue;
    const size = findVmConfiguration(live.catalog, resource.attributes.configuration);
    if (!size) continue;
    addToGroup(wanted, size, resource);
  }
  return [...wanted].flatMap(([size, resources]) => {
    const { name, availability, maxCount } = size;
    const isShort = maxCount !== null && resources.length > maxCount;
    if (!isShort && availability !== 'unavailable') return [];
    const others = live.catalog.configurations.filter(
      (one) =>
        one !== size &&
        one.availability === 'available' &&
        (one.maxCount ?? Infinity) >= resources.length &&
        one.cpu >= size.cpu &&
        one.ram >= size.ram,
    );
    const prices = resources.map(
      ({ attributes }) =>
        findCatalogEntry<CatalogTariff>(live.catalog.tariffs, attributes.tariff)?.price ??
        'unknown',
    );
    const vms = resources.length === 1 ? 'a VM' : `${resources.length} VMs`;
    const room = maxCount === null || maxCount === 0 ? 'none' : String(maxCount);
    return [
      {
        severity: 'warning' as const,
        code: 'little-capacity',
        summary: `This plan creates ${vms} of configuration "${name}"; the cluster says it has room for ${room} at the moment`,
        detail: `The service decides when they are created; some creates may be refused.${
          others.length > 0
            ? ` Of at least that size and with room: ${describeVmSizes(listNearestSizes(others, size))}.${describeEachPrice(prices)}`
            : ''
        }`,
        ...locateFinding(resources[0], 'configuration'),
      },
    ];
  });
};
