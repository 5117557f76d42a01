import type { Finding } from './diagnostic.ts';
import type { DesiredResource } from './resource.ts';

/** Where an attribute of a resource stands in the YAML, for a finding about it. */
export function placeOf(
  desired: DesiredResource | undefined,
  attribute?: string,
): Pick<Finding, 'address' | 'source'> {
  if (!desired) return {};
  const source = (attribute && desired.attributeSources[attribute]) || desired.source;
  return { address: desired.address, source };
}
