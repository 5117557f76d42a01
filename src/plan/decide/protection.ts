import {
  removeInstanceKey,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { DecisionContext } from './decision.ts';

/**
 * The addresses without a resource in the configuration whose protection it has lifted: instances of a block that no longer
 * protects, without their keys, and those that `removed` has destroyed.
 */
export function listLiftedProtections({
  unprotected = [],
  removed = [],
}: DesiredGraph): Set<ResourceAddress> {
  const destroyed = removed.filter(({ destroy }) => destroy).map(({ from }) => from);
  return new Set([...unprotected, ...destroyed]);
}

/**
 * Protection of a resource against losing its data. Its block decides from the moment it is written, within the same plan.
 * If the whole block is gone, the last applied protection holds, unless `removed` names the resource.
 */
export function findResourceProtection(
  address: ResourceAddress,
  { configured, index, released }: Pick<DecisionContext, 'configured' | 'index' | 'released'>,
): Pick<Change, 'isProtected' | 'protectedAt' | 'isProtectionLifted'> {
  const { preventDestroy = false, protectedAt } = configured.get(address)?.lifecycle ?? {};
  if (preventDestroy) return { isProtected: true, ...(protectedAt && { protectedAt }) };
  if (index.managed.get(address)?.isProtected !== true) return {};
  // A resource whose address a restore gives back to another one still belongs to its block.
  const owner = parseDeposedAddress(address)?.base ?? address;
  const block = configured.get(owner) ?? configured.get(removeInstanceKey(owner));
  const isLifted = block
    ? block.lifecycle?.preventDestroy !== true
    : released.has(address) || released.has(removeInstanceKey(address));
  return isLifted ? { isProtectionLifted: true } : { isProtected: true };
}
