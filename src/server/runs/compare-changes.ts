import type { PlannedChange } from './run.ts';

/**
 * What a plan does that an approved one did not, as sentences. A run that was killed in the middle goes on by a new plan,
 * which may do less than the approved plan, and nothing else: what is half done becomes an update.
 */
export function listExcess(
  approved: readonly PlannedChange[],
  planned: readonly PlannedChange[],
): readonly string[] {
  const actions = new Map(approved.map(({ address, action }) => [address, action]));
  return planned.flatMap(({ address, action }) => {
    const before = actions.get(address);
    if (before === action || (before !== undefined && action === 'update')) return [];
    return before === undefined
      ? [`${address}: ${action}, and the approved plan does not change it`]
      : [`${address}: ${action}, and the approved plan has ${before}`];
  });
}
