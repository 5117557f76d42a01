import type { Finding } from './diagnostic.ts';
import type { DesiredResource } from './resource.ts';

/** Address and source position of an attribute of a resource, for a finding about it. */
export function locateFinding(
  desired: DesiredResource | undefined,
  attribute?: string,
): Pick<Finding, 'address' | 'source'> {
  if (!desired) return {};
  const source = (attribute && desired.attributeSources[attribute]) || desired.source;
  return { address: desired.address, source };
}
