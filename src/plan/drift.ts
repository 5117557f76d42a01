import type { Field } from '../kinds/kind.ts';
import type { FieldChange } from '../model/plan.ts';
import type { Attributes } from '../model/value.ts';
import { isSameValue } from './diff.ts';

/**
 * The changing fields that somebody changed outside, with the value that was applied last: a field that changes
 * because the configuration says something new is none of them.
 */
export function findDrift(
  kindFields: Readonly<Record<string, Field>>,
  fields: readonly FieldChange[],
  applied: Attributes,
  live: Attributes,
): Attributes | undefined {
  const drifted = fields.filter(
    ({ name }) =>
      name in applied && !isSameValue(applied[name], live[name], kindFields[name]?.isSet === true),
  );
  if (drifted.length === 0) return undefined;
  return Object.fromEntries(drifted.map(({ name }) => [name, applied[name] ?? null]));
}
