import { kindRegistry } from '../kinds/registry.ts';
import type { Finding } from '../model/diagnostic.ts';
import type { LiveResource } from '../model/account/live.ts';
import { locateFinding } from '../model/place-of.ts';
import type { Change } from '../model/plan/plan.ts';
import type { DesiredResource } from '../model/resource.ts';
import { isEqual, type Value } from '../model/value.ts';

/** A field that refers to others, and their ids in the account. */
interface KeptField {
  readonly field: string;
  readonly ids: readonly string[];
}

/**
 * A resource that is replaced or rebuilt, and whose configuration leaves a reference as it is in the account, where that
 * cannot be had again: in another project, or since it is gone by then. The old one would be destroyed, and the new one
 * could not be made.
 */
export function findUnrecoverableReferences(
  change: Change,
  wanted: DesiredResource,
  live: LiveResource | undefined,
  isStaying: (id: string) => boolean,
): Finding[] {
  const kept = live ? listKept(change, wanted, live) : [];
  if (change.reason === 'parent-changed') {
    return kept.length > 0 ? [describeMove(change, wanted, kept)] : [];
  }
  const gone = kept.flatMap(({ ids }) => ids).filter((id) => !isStaying(id));
  const lost = kept.filter(({ ids }) => ids.some((id) => gone.includes(id)));
  if (lost.length === 0) return [];
  const names = quoteFields(lost);
  return [
    {
      severity: 'error',
      code: 'needs-what-goes',
      summary: `${change.address} cannot be ${change.action === 'replace' ? 'replaced' : 'rebuilt'}: it would still need what is gone by then`,
      detail: `Its configuration leaves ${names} as in the account. Gone by then: ${gone.join(', ')}.`,
      hint: `Configure ${names}, without ignoreChanges; or keep what it refers to.`,
      ...locateFinding(wanted, lost[0]?.field),
    },
  ];
}

function describeMove(
  { address }: Change,
  { source }: DesiredResource,
  kept: readonly KeptField[],
): Finding {
  const names = quoteFields(kept);
  return {
    severity: 'error',
    code: 'invalid-move',
    summary: `${address} cannot move to another project: what it holds there would have to come along`,
    detail: `Its configuration leaves ${names} as in the account. Nothing of one project can be used in another.`,
    hint: `Configure ${names}, or remove the moved entry.`,
    address,
    source,
  };
}

function quoteFields(fields: readonly KeptField[]): string {
  return fields.map(({ field }) => `\`${field}\``).join(' and ');
}

/** The fields that refer to others, and that the configuration does not give. A rebuild asks for what it is built from alone. */
function listKept(
  { action, kind: name, after }: Change,
  { attributes, lifecycle }: DesiredResource,
  live: LiveResource,
): readonly KeptField[] {
  const { holds = [], builtFrom, brings } = kindRegistry[name].traits;
  const fields = [
    ...(action === 'replace' ? holds : []).map((one) => ({
      field: one.field,
      ids: one.idsOf(live),
    })),
    ...(builtFrom ? [{ field: builtFrom.field, ids: builtFrom.idsOf(live) ?? [] }] : []),
  ];
  const isNothing = (value: Value | undefined) => isEqual(value ?? [], []);
  return fields.filter(({ field }) => {
    const isIgnored = action === 'rebuild' && lifecycle?.ignoreChanges.includes(field);
    const isGiven = field in attributes && !isIgnored;
    const value = after?.[field];
    return !isGiven && !isNothing(value) && value !== brings?.asked[field];
  });
}
