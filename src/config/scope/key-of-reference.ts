import type { DescribedResource } from '../../kinds/kind.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { parseResourceAddress, type ResourceAddress } from '../../model/address.ts';

/**
 * The key by which a field of a resource names the one at an address: `web[0]`. Undefined where the field names none of
 * its kind, or none of its project.
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
