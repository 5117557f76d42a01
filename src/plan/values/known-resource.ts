import type { KnownResource } from '../../model/deferred.ts';
import { leavesAttributesUnchanged, type Change } from '../../model/plan/plan.ts';
import type { Attributes } from '../../model/value.ts';
import { listAttributes } from '../../kinds/attribute-names.ts';

/** A resource after its change; undefined when it will be gone. */
export function findResourceAfterChange({
  kind,
  after,
  unknown,
}: Pick<Change, 'kind' | 'after' | 'unknown'>): KnownResource | undefined {
  return after ? { names: listAttributes(kind), values: after, unknown } : undefined;
}

/** A resource while a plan is carried out. `standing`: its attributes in the state, as far as it has them. */
export function findResourceDuringApply(
  change: Change,
  isDone: boolean,
  existing: Attributes | undefined,
): KnownResource | undefined {
  const known = findResourceAfterChange(change);
  if (!known) return undefined;
  const hasAll = isDone || leavesAttributesUnchanged(change);
  return {
    ...known,
    values: { ...(hasAll && existing), ...known.values },
    ...(isDone && { unknown: [] }),
  };
}
