import type { Change } from '../../model/plan/plan.ts';
import { isBeingDeleted } from '../../model/plan/underway.ts';

/**
 * A change without the commands that an earlier run has begun already: they are awaited, and shown by `underway`. A resource
 * that is being deleted is not deleted again, and its replacement is a create.
 */
export function omitUnderwayCommands(change: Change): Change {
  const { action } = change;
  if (!isBeingDeleted(change)) return change;
  const told: { -readonly [Key in keyof Change]: Change[Key] } = {
    ...change,
    losses: [],
    fields: [],
  };
  delete told.reason;
  delete told.lostBackups;
  delete told.replacedKeys;
  if (action === 'delete') return { ...told, action: 'no-op' };
  if (action !== 'replace') return change;
  return { ...told, action: 'create', id: null, before: null };
}
