import type { Catalog, QuotaName } from '../../model/account/live.ts';
import type { Attributes } from '../../model/value.ts';
import { findVmConfiguration } from '../catalog.ts';
import type { KindQuota } from '../traits.ts';

/** The quotas that VMs use. */
export const vmQuotas: Readonly<Partial<Record<QuotaName, KindQuota>>> = {
  vmCpu: { label: 'VM cores', name: 'VM cores', unit: ' cores', at: ['vmResources', 'cpu'] },
  vmRam: { label: 'VM RAM (GB)', name: 'VM RAM', unit: ' GB', at: ['vmResources', 'ram'] },
  vmDisk: { label: 'VM disk (GB)', name: 'VM disk', unit: ' GB', at: ['vmResources', 'disk'] },
};

/** Use of each quota by one VM, with the public IP that comes with it. */
export function countVmQuotaUse(
  attributes: Attributes,
  catalog: Catalog,
): Readonly<Partial<Record<QuotaName, number>>> {
  const size = findVmConfiguration(catalog, attributes.configuration);
  return {
    ...(size && { vmCpu: size.cpu, vmRam: size.ram, vmDisk: size.disk }),
    ...(attributes.publicIp === 'new' && { publicIps: 1 }),
  };
}
