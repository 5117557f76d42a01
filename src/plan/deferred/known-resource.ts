import type { KnownResource } from '../../model/deferred.ts';
import type { Change } from '../../model/plan/plan.ts';
import { listAttributes } from '../../kinds/attribute-names.ts';

/** A resource as it will be once its change is done; undefined when it will be gone. */
export function knownAfter({
  kind,
  after,
  unknown,
}: Pick<Change, 'kind' | 'after' | 'unknown'>): KnownResource | undefined {
  return after ? { names: listAttributes(kind), values: after, unknown } : undefined;
}
