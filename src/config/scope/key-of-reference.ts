import type { DescribedResource } from '../../kinds/kind.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseAddress, type Address } from '../../model/address.ts';

/**
 * The key by which a field of a resource names the one at an address: `web[0]`. Undefined where the field names none of
 * its kind, or none of its project.
 */
export function keyOfReference(
  { kind, project, address }: Omit<DescribedResource, 'attributes'>,
  field: string,
  target: Address,
): string | undefined {
  const local = parseAddress(target)?.local;
  if (local === undefined) return undefined;
  const attributes = { [field]: kinds[kind].fields[field]?.isSet ? [local] : local };
  const named = kinds[kind].references({ kind, project, address, attributes });
  return named.some((one) => one.address === target) ? local : undefined;
}
