import type { Kind } from '../kinds/kind.ts';
import { readAskedName } from '../kinds/kept-name.ts';
import { kinds } from '../kinds/registry.ts';
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
  managed: ManagedResource,
  live: LiveResource,
  around: Surroundings,
): Attributes | undefined {
  if (fields.length === 0) return undefined;
  const { attributes: applied } = managed;
  const has = readAsApplied(managed, live, around);
  const drifted = fields.filter(
    ({ name }) =>
      name in applied && !isSameValue(applied[name], has[name], kind.fields[name]?.isSet === true),
  );
  if (drifted.length === 0) return undefined;
  return Object.fromEntries(drifted.map(({ name }) => [name, applied[name] ?? null]));
}

/** A live resource in the words of the last apply: another spelling is no change. */
export function readAsApplied(
  managed: ManagedResource,
  live: LiveResource,
  around: Surroundings,
): Attributes {
  const { address, kind, attributes } = managed;
  const read = kinds[kind].read(live, namesFor(address, live, around, true), attributes);
  return readAskedName(read, managed);
}
