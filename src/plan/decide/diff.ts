import { listFields } from '../../kinds/list-fields.ts';
import type { ResourceKind } from '../../kinds/kind.ts';
import { isSameValue } from '../../kinds/spelling.ts';
import type { FieldChange, FieldEffect } from '../../model/plan/plan.ts';
import type { Attributes, Value } from '../../model/value.ts';

/** Present and wanted attributes of a resource, and the fields in which they differ. */
export interface AttributeDiff {
  /** The present attributes, with unordered lists in the order of the configuration, so that only real differences show. */
  readonly before: Attributes;
  readonly after: Attributes;
  readonly fields: readonly FieldChange[];
  /** Configured fields that the service's answer does not contain. */
  readonly untold: readonly string[];
}

const strength: Record<FieldEffect, number> = { update: 0, rebuild: 1, replace: 2 };

/** Puts the common items of two lists in the wanted order, and those that only the live list has behind them. */
function inOrderOf(before: readonly Value[], after: readonly Value[]): Value[] {
  return [
    ...after.filter((item) => before.includes(item)),
    ...before.filter((item) => !after.includes(item)),
  ];
}

/**
 * Compares live attributes with configured ones, field by field. A field that is not configured is left as it is, unless the
 * configuration gave it at the last apply; so is one that is not reported. A `deferred` field, whose value is only known
 * after apply, counts as changing and has no value.
 */
export function diffAttributes(
  kind: Pick<ResourceKind, 'fields'>,
  live: Attributes,
  configured: Attributes,
  configuredBefore: readonly string[],
  deferred: readonly string[] = [],
): AttributeDiff {
  // Most resources are as they should be: nothing is copied until something differs.
  let before = live;
  let after = live;
  const fields: FieldChange[] = [];
  const untold: string[] = [];
  for (const [name, field] of listFields(kind)) {
    if (deferred.includes(name)) {
      after = omit(after, name);
      fields.push({ name, effect: field.effect });
      continue;
    }
    let wanted = configured[name];
    if (wanted === undefined) {
      if (field.fallback === undefined || !configuredBefore.includes(name)) continue;
      wanted = field.fallback;
    }
    const had = live[name];
    // An unreported field is not an empty one: it is taken to be as configured.
    if (had === undefined) {
      before = { ...before, [name]: wanted };
      after = { ...after, [name]: wanted };
      untold.push(name);
      continue;
    }
    if (had === wanted) continue;
    const isSet = field.isSet === true;
    if (isSet && Array.isArray(had) && Array.isArray(wanted)) {
      before = { ...before, [name]: inOrderOf(had, wanted) };
    }
    after = { ...after, [name]: wanted };
    if (!isSameValue(had, wanted, isSet)) fields.push({ name, effect: field.effect });
  }
  return { before, after, fields, untold };
}

function omit(attributes: Attributes, name: string): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([one]) => one !== name));
}

/** The strongest effect among changed fields; undefined when none changed. */
export function findStrongestEffect(fields: readonly FieldChange[]): FieldEffect | undefined {
  return fields
    .map((field) => field.effect)
    .reduce<FieldEffect | undefined>(
      (strongest, effect) =>
        strongest === undefined || strength[effect] > strength[strongest] ? effect : strongest,
      undefined,
    );
}
