import type { Kind } from '../kinds/kind.ts';
import type { LiveResource } from '../model/live.ts';
import type { FieldChange } from '../model/plan.ts';
import type { ManagedResource } from '../model/state.ts';
import type { Attributes } from '../model/value.ts';
import type { Surroundings } from './decision.ts';
import { isSameValue } from './diff.ts';
import { namesFor } from './names.ts';

/**
 * The changing fields that somebody changed outside, with the value that was applied last: a field that changes
 * because the configuration says something new is none of them.
 */
export function findDrift(
  kind: Kind,
  fields: readonly FieldChange[],
  { address, attributes: applied }: ManagedResource,
  live: LiveResource,
  around: Surroundings,
): Attributes | undefined {
  if (fields.length === 0) return undefined;
  // In the words of the last apply: another spelling, or a neighbour that moved since, is no change.
  const has = kind.read(live, namesFor(address, live, asBefore(around), true), applied);
  const drifted = fields.filter(
    ({ name }) =>
      name in applied && !isSameValue(applied[name], has[name], kind.fields[name]?.isSet === true),
  );
  if (drifted.length === 0) return undefined;
  return Object.fromEntries(drifted.map(({ name }) => [name, applied[name] ?? null]));
}

/** What moves in this plan goes by its former address. */
function asBefore({ index, rearranged, ...others }: Surroundings): Surroundings {
  const addressOf = (id: string) => {
    const address = index.addressOf(id);
    return address === undefined ? undefined : (rearranged.movedFrom.get(address) ?? address);
  };
  return { ...others, rearranged, index: { ...index, addressOf } };
}
