// Fields that keep their live values, whatever the configuration says: those whose changes are ignored, and those whose
// change would wipe a disk without the configuration's consent: they wait for the next rebuild.
import type { ResourceKind } from '../../kinds/kind.ts';
import type { Change, FieldChange } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Value } from '../../model/value.ts';
import { findStrongestEffect, type AttributeDiff } from './diff.ts';

/** The rest of a difference, without fields that keep their live values: ignored ones, and waiting ones. */
type Left = Pick<AttributeDiff, 'after' | 'fields'> & Pick<Change, 'waiting'>;

/**
 * The part of a difference that takes effect. Where something else replaces the resource (`isReplaced`: no field asks for
 * it), fields that stayed go along, as do waiting ones with a rebuild; otherwise both are left as they are live.
 */
export function withholdRebuildFields(
  kind: Pick<ResourceKind, 'fields' | 'traits'>,
  desired: Pick<DesiredResource, 'rebuildOn' | 'lifecycle'>,
  diff: AttributeDiff,
  isReplaced: boolean,
): Left {
  const { rebuildOn = kind.traits.builtFrom?.rebuildOn ?? [], lifecycle } = desired;
  const fields = diff.fields.map((field): FieldChange => {
    const waits = field.effect === 'rebuild' && !rebuildOn.includes(field.name);
    const isIgnored = lifecycle?.ignoreChanges.includes(field.name);
    return waits || isIgnored ? { ...field, effect: 'update' } : field;
  });
  return isReplaced ? { ...diff, fields } : leaveFieldsAsLive(kind, desired, { ...diff, fields });
}

/** The difference without fields that would have needed a replacement or a rebuild: they stay as they are live. */
export function leaveFieldsAsLive(
  kind: Pick<ResourceKind, 'fields'>,
  { lifecycle }: Pick<DesiredResource, 'lifecycle'>,
  { before, after, fields }: Pick<AttributeDiff, 'before' | 'after' | 'fields'>,
): Left {
  const isIgnored = ({ name }: FieldChange) => lifecycle?.ignoreChanges.includes(name) === true;
  const asking = fields.filter((field) => !isIgnored(field) && !isCarried(kind, field));
  const effect = findStrongestEffect(asking);
  if (effect === 'replace') return { after, fields };
  const isRebuilt = effect === 'rebuild';
  const left = fields.filter((field) => isIgnored(field) || (!isRebuilt && isCarried(kind, field)));
  if (left.length === 0) return { after, fields };
  const live = left.map(({ name }): [string, Value] => [name, before[name] ?? null]);
  const waiting = left.flatMap((field): [string, Value][] => {
    const value = after[field.name];
    return isIgnored(field) || value === undefined ? [] : [[field.name, value]];
  });
  return {
    after: { ...after, ...Object.fromEntries(live) },
    fields: fields.filter((field) => !left.includes(field)),
    ...(waiting.length > 0 && { waiting: Object.fromEntries(waiting) }),
  };
}

/** Tells whether a field goes along with a rebuild and asks for none. */
function isCarried(
  { fields }: Pick<ResourceKind, 'fields'>,
  { name, effect }: FieldChange,
): boolean {
  return effect === 'update' && fields[name]?.effect === 'rebuild';
}
