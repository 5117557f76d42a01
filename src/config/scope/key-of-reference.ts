import type { DescribedResource } from '../../kinds/kind.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';

/**
 * Finds the key by which a field of a resource names the resource at an address: `web[0]`. Undefined where the field
 * names no resources of that kind or project.
 */
export function findReferenceKey(
  { kind, project, address }: Omit<DescribedResource, 'attributes'>,
  field: string,
  target: ResourceAddress,
): string | undefined {
  const local = parseResourceAddress(target)?.local;
  if (local === undefined) return undefined;
  const attributes = { [field]: kindRegistry[kind].fields[field]?.isSet ? [local] : local };
  const named = kindRegistry[kind].references({ kind, project, address, attributes });
  return named.some((one) => one.address === target) ? local : undefined;
}
