import { kinds } from '../kinds/registry.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { Change } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import { isEqual, type Value } from '../model/value.ts';
import type { Check } from './check.ts';

/**
 * Resources that are replaced in another project and would keep what they hold in the former one, since the
 * configuration leaves it as it is: the old one would be destroyed, and the new one could not be made.
 */
export const refuseLeftBehind: Check = ({ plan, desired }) =>
  plan.changes.flatMap((change): Finding[] => {
    const wanted = desired.get(change.address);
    if (change.reason !== 'parent-changed' || !wanted) return [];
    const fields = listKept(change, wanted);
    if (fields.length === 0) return [];
    const names = fields.map((field) => `\`${field}\``).join(' and ');
    return [
      {
        severity: 'error',
        code: 'invalid-move',
        summary: `${change.address} cannot move to another project: what it holds there would have to come along`,
        detail: `Its configuration leaves ${names} as in the account. Nothing of one project can be used in another.`,
        hint: `Configure ${names}, or remove the moved entry.`,
        address: change.address,
        source: wanted.source,
      },
    ];
  });

/** The fields that refer to others, and that the configuration does not give. */
function listKept({ kind: name, after }: Change, { attributes }: DesiredResource) {
  const { holds = [], builtFrom, brings } = kinds[name];
  const fields = [...holds.map(({ field }) => field), ...(builtFrom ? [builtFrom.field] : [])];
  const isNothing = (value: Value | undefined) => isEqual(value ?? [], []);
  return fields.filter((field) => {
    const value = after?.[field];
    return !(field in attributes) && !isNothing(value) && value !== brings?.asked[field];
  });
}
