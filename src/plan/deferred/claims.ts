import type { Described } from '../../kinds/kind.ts';
import { kinds } from '../../kinds/registry.ts';
import type { Address } from '../../model/address.ts';
import type { Change } from '../../model/plan/plan.ts';

/** Stands for a value that is not known yet; no name and no port of Hostwright is like it. */
const unknownMark = '\u0000';

/** A resource as a change leaves it. */
type PlannedAttributes = Omit<Described, 'attributes'> & Pick<Change, 'after' | 'unknown'>;

/** What a resource will hold after its change, as far as that is known: names and ports, each a text. */
export function knownClaims(change: PlannedAttributes): readonly string[] {
  const { kind, after, unknown } = change;
  if (!after) return [];
  const marks = Object.fromEntries(unknown.map((name) => [name, unknownMark]));
  const claims = kinds[kind].claims({ ...change, attributes: { ...after, ...marks } });
  return claims.filter((claim) => !claim.includes(unknownMark));
}

/** Who will hold what once a plan is applied, as far as that is known. */
export function indexClaims(changes: readonly Change[]): Map<string, Address> {
  return new Map(
    changes.flatMap((change) =>
      knownClaims(change).map((claim) => [claim, change.address] as const),
    ),
  );
}
