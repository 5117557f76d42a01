// What a resource keeps as it is live, whatever the configuration says: fields whose changes are ignored, and those whose
// change would wipe a disk, and that the configuration does not let do so: they wait for the next rebuild.
import type { Kind } from '../../kinds/kind.ts';
import type { Change, FieldChange } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { strongestEffect, type Diff } from './diff.ts';

/** What a change comes to without the fields that stay. */
type Left = Pick<Diff, 'after' | 'fields'> & Pick<Change, 'waiting'>;

/**
 * The difference as far as it takes effect. Where something else replaces the resource (`isReplaced`: when no field asks for
 * it), what stayed goes along, and what waited with a rebuild, too; else it is left as it is live.
 */
export function waitForRebuild(
  kind: Pick<Kind, 'fields' | 'traits'>,
  desired: Pick<DesiredResource, 'rebuildOn' | 'lifecycle'>,
  diff: Diff,
  isReplaced: boolean,
): Left {
  const { rebuildOn = kind.traits.builtFrom?.rebuildOn ?? [], lifecycle } = desired;
  const fields = diff.fields.map((field): FieldChange => {
    const waits = field.effect === 'rebuild' && !rebuildOn.includes(field.name);
    const isIgnored = lifecycle?.ignoreChanges.includes(field.name);
    return waits || isIgnored ? { ...field, effect: 'update' } : field;
  });
  return isReplaced ? { ...diff, fields } : leaveAsLive(kind, desired, { ...diff, fields });
}

/** The same where fields are left out that would have asked for more. */
export function leaveAsLive(
  kind: Pick<Kind, 'fields'>,
  { lifecycle }: Pick<DesiredResource, 'lifecycle'>,
  { before, after, fields }: Pick<Diff, 'before' | 'after' | 'fields'>,
): Left {
  const isIgnored = ({ name }: FieldChange) => lifecycle?.ignoreChanges.includes(name) === true;
  const asking = fields.filter((field) => !isIgnored(field) && !isCarried(kind, field));
  const effect = strongestEffect(asking);
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
    after: { ...after, ...(Object.fromEntries(live) as Attributes) },
    fields: fields.filter((field) => !left.includes(field)),
    ...(waiting.length > 0 && { waiting: Object.fromEntries(waiting) }),
  };
}

/** True for what goes along with a rebuild and asks for none. */
function isCarried({ fields }: Pick<Kind, 'fields'>, { name, effect }: FieldChange): boolean {
  return effect === 'update' && fields[name]?.effect === 'rebuild';
}
