import type { PlannedChange } from './run.ts';

/** Changes by which nothing is lost. */
const harmless = new Set(['create', 'update', 'import', 'move']);

/** True for a plan that loses nothing: it only adds, changes, imports or moves. */
export function losesNothing(
  planned: readonly PlannedChange[],
  counts: Readonly<Record<string, number>>,
): boolean {
  const isCounted = (counts.rebuild ?? 0) + (counts.destroy ?? 0) > 0;
  return !isCounted && planned.every(({ action }) => harmless.has(action));
}

/** What can be left of a change that was begun: of a replacement, the new one to create, or the old one to delete. */
const rests: Readonly<Record<string, readonly string[]>> = {
  create: ['update'],
  replace: ['create', 'update', 'delete'],
  rebuild: ['update'],
};

/**
 * What a plan does that an approved one did not, as sentences, in which `name` is that of the approved one. A run that was killed in the middle goes on by a new plan,
 * which may do less than the approved plan, and nothing else.
 */
export function listExcess(
  approved: readonly PlannedChange[],
  planned: readonly PlannedChange[],
  name = 'approved plan',
): readonly string[] {
  const actions = new Map(approved.map(({ address, action }) => [address, action]));
  return planned.flatMap(({ address, action }) => {
    const before = actions.get(address);
    if (before === action || rests[before ?? '']?.includes(action)) return [];
    return before === undefined
      ? [`${address}: ${action}, and the ${name} does not change it`]
      : [`${address}: ${action}, and the ${name} has ${before}`];
  });
}
