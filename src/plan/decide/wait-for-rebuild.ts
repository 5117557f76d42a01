// Fields whose change would wipe a disk, and that the configuration does not let do so: they wait for the next rebuild.
import type { Kind } from '../../kinds/kind.ts';
import type { Change, FieldChange } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { strongestEffect, type Diff } from './diff.ts';

/** What a change comes to without the fields that wait. */
type Waited = Pick<Diff, 'after' | 'fields'> & Pick<Change, 'waiting'>;

/**
 * The difference as far as it takes effect. Where something else rebuilds or replaces the resource (`isReplaced`: when no
 * field asks for it), what waited goes along; else it is left as it is live.
 */
export function waitForRebuild(
  kind: Pick<Kind, 'fields' | 'rebuildOn'>,
  { rebuildOn = kind.rebuildOn ?? [] }: Pick<DesiredResource, 'rebuildOn'>,
  diff: Diff,
  isReplaced: boolean,
): Waited {
  const fields = diff.fields.map((field): FieldChange => {
    const waits = field.effect === 'rebuild' && !rebuildOn.includes(field.name);
    return waits ? { ...field, effect: 'update' } : field;
  });
  return isReplaced ? { ...diff, fields } : leaveWaiting(kind, { ...diff, fields });
}

/** The same where fields are left out that would have asked for the rebuild. */
export function leaveWaiting(
  kind: Pick<Kind, 'fields'>,
  { before, after, fields }: Pick<Diff, 'before' | 'after' | 'fields'>,
): Waited {
  const waiting = fields.filter((field) => isCarried(kind, field));
  const others = fields.filter((field) => !isCarried(kind, field));
  const effect = strongestEffect(others);
  if (waiting.length === 0 || effect === 'rebuild' || effect === 'replace') {
    return { after, fields };
  }
  const names = waiting.map(({ name }) => name);
  const live = names.map((name): [string, Value] => [name, before[name] ?? null]);
  const wanted = names.flatMap((name): [string, Value][] =>
    after[name] === undefined ? [] : [[name, after[name]]],
  );
  return {
    after: { ...after, ...(Object.fromEntries(live) as Attributes) },
    fields: others,
    ...(wanted.length > 0 && { waiting: Object.fromEntries(wanted) }),
  };
}

/** True for what goes along with a rebuild and asks for none. */
function isCarried({ fields }: Pick<Kind, 'fields'>, { name, effect }: FieldChange): boolean {
  return effect === 'update' && fields[name]?.effect === 'rebuild';
}
