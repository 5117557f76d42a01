import type { DescribedResource } from '../../kinds/kind.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Change } from '../../model/plan/plan.ts';

/** Stands for an unknown value; no name and no port of Hostwright contains it. */
const unknownMark = '\u0000';

/** A resource with its attributes after a change. */
type PlannedAttributes = Omit<DescribedResource, 'attributes'> & Pick<Change, 'after' | 'unknown'>;

/** Known claims of a resource after its change: names and ports, as texts. */
export function listPlannedClaims(change: PlannedAttributes): readonly string[] {
  const { kind, after, unknown } = change;
  if (!after) return [];
  const marks = Object.fromEntries(unknown.map((name) => [name, unknownMark]));
  const claims = kindRegistry[kind].claims({
    ...change,
    attributes: { ...after, ...marks },
  });
  return claims.filter((claim) => !claim.includes(unknownMark));
}

/** Indexes who holds each known name or port after the plan. */
export function indexPlannedClaims(changes: readonly Change[]): Map<string, ResourceAddress> {
  return new Map(
    changes.flatMap((change) =>
      listPlannedClaims(change).map((claim) => [claim, change.address] as const),
    ),
  );
}
