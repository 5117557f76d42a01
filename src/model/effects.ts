// Counts of the effects of a plan, and of an apply. Every form of a plan reads these counts, so that none says another
// number.
import { actions, type Action, type Change } from './plan/plan.ts';
import { createTable } from './tables.ts';

/** Effects on a resource, in the order of the closing line. A replacement adds and destroys. */
export const changeEffects = [
  'import',
  'add',
  'change', // in place
  'rebuild',
  'disksLost', // by a rebuild
  'destroy',
  'expire',
  'due', // a backup is due
  'forget',
] as const;
export type ChangeEffect = (typeof changeEffects)[number];

/** The number of changed resources for each effect, such as created or deleted. */
export type EffectCounts = Readonly<Record<ChangeEffect, number>>;

/** Effects of a change; none for one that leaves the resource alone or only moves it. */
export function listEffects(
  change: Pick<Change, 'action' | 'isImported' | 'losses' | 'dueBackup'>,
): readonly ChangeEffect[] {
  const own = listOwnEffects(change);
  return change.dueBackup ? [...own, 'due'] : own;
}

function listOwnEffects({
  action,
  isImported,
  losses,
}: Pick<Change, 'action' | 'isImported' | 'losses'>): readonly ChangeEffect[] {
  const imported: readonly ChangeEffect[] = isImported ? ['import'] : [];
  switch (action) {
    case 'create':
      return [...imported, 'add'];
    case 'update':
      return [...imported, 'change'];
    case 'rebuild':
      return [...imported, 'rebuild', ...(losses.length > 0 ? (['disksLost'] as const) : [])];
    case 'replace':
      return [...imported, 'add', 'destroy'];
    case 'delete':
      return [...imported, 'destroy'];
    case 'expire':
      return ['expire'];
    case 'forget':
      return [...imported, 'forget'];
    case 'due':
    case 'no-op':
      return imported;
  }
}

/** Counts of changes by effect, as in the closing line, and by action: a replacement is an `add`, a `destroy` and a `replace`. */
export function countChanges(changes: readonly Change[]): Readonly<Record<string, number>> {
  const told = actions.filter((action) => action !== 'no-op');
  const countOf = (wanted: Action) => changes.filter(({ action }) => action === wanted).length;
  return {
    ...Object.fromEntries(told.map((action) => [action, countOf(action)] as const)),
    ...countEffects(changes.map(listEffects)),
  };
}

/** Counts the effects of many changes. */
export function countEffects(lists: Iterable<readonly ChangeEffect[]>): EffectCounts {
  const counts = makeCounts(() => 0);
  for (const list of lists) for (const effect of list) counts[effect] += 1;
  return counts;
}

/** Adds the counts of several plans or runs up. */
export function addEffectCounts(all: readonly EffectCounts[]): EffectCounts {
  return makeCounts((effect) => all.reduce((sum, counts) => sum + counts[effect], 0));
}

function makeCounts(count: (effect: ChangeEffect) => number): Record<ChangeEffect, number> {
  return createTable(changeEffects, count);
}
