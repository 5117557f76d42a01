import type { Attributes } from '../../model/value.ts';
import type { RetirementTrait } from '../traits.ts';

/**
 * Retirement of a VM: it stops, lets go of its networks and of its name, and is not renewed. What it keeps is its disk, and its
 * public IP: no request takes that off.
 */
export const vmRetirement: RetirementTrait<'vm'> = {
  write: ({ networks = [] }, name, { project, self: vm }) => [
    { kind: 'stopVm', project, vm },
    ...networks.map(({ networkId }) => {
      return { kind: 'detachVm' as const, project, vm, network: { id: networkId } };
    }),
    { kind: 'renameVm', project, vm, name },
    { kind: 'cancelSaleRenewal', project, vm, sale: null },
  ],
  listFast: ({ publicIpId }) => (typeof publicIpId === 'string' ? [publicIpId] : []),
  wanted: ({ isRenewalCancelled }): Attributes => (isRenewalCancelled ? { renewal: 'active' } : {}),
};
