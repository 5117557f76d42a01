import {
  listExceededApprovedParts,
  nameApprovedPart,
  compareApprovedParts,
  type ApprovedPart,
} from '../../model/plan/approval.ts';
import type { PlannedChange } from '../store/run.ts';

/** The parts of a plan that a person approves, each with a digest of its content. */
export type ApprovedPlanParts = readonly ApprovedPart<string>[];

/** The parts of a plan by which the server compares it with another one. */
export interface ComparedPlan {
  readonly changes: readonly PlannedChange[];
  /** Undefined where another version of the program made the plan. */
  readonly approved: ApprovedPlanParts | undefined;
}

/** Actions that delete or replace nothing. */
const harmless = new Set(['create', 'update', 'import', 'move']);

/**
 * Tells whether a plan only creates, changes, imports or moves resources. A plan that deletes or replaces a resource without data
 * is not one of these, although the plan itself says that nothing is lost.
 */
export function isPlanWithoutRemovals(
  planned: readonly PlannedChange[],
  counts: Readonly<Record<string, number>>,
): boolean {
  const isCounted = (counts.rebuild ?? 0) + (counts.destroy ?? 0) > 0;
  return !isCounted && planned.every(({ action }) => harmless.has(action));
}

/**
 * Explains that a plan waits for a person because it has policies that cannot be decided before the apply; undefined where it has
 * none.
 */
export function explainUndecidedPolicies({
  undecided = 0,
}: Readonly<Record<string, number>>): string | undefined {
  return undecided > 0 ? 'it has policies that cannot be judged before the apply.' : undefined;
}

/** Remains of a change that was begun, by its action: of a replacement, the new resource to create, or the old one to delete. */
const rests: Readonly<Record<string, readonly string[]>> = {
  create: ['update'],
  replace: ['create', 'update', 'delete'],
  rebuild: ['update'],
};

/**
 * Lists, as sentences, in what a plan differs from one that people have read; none where it needs no new approval. `name` is that
 * other plan in the sentences.
 */
export function listUnapprovedDifferences(
  approved: ApprovedPlanParts,
  planned: ApprovedPlanParts,
  name: string,
): string[] {
  const found = compareApprovedParts(approved, planned, (was, is) => was === is);
  return [
    ...new Set(
      found
        .filter(({ binds }) => binds)
        .map((part) => `${nameApprovedPart(part)} is not as in the ${name}`),
    ),
  ];
}

/**
 * Lists, as sentences, the changes of a plan that exceed an approved one. After a killed apply, the rest is planned anew from the
 * same configuration: that plan may do less than the approved one, but no more, and not with other sensitive values or further
 * losses.
 */
export function listExcessChanges(
  approved: ComparedPlan,
  planned: ComparedPlan,
): readonly string[] {
  const actions = new Map(approved.changes.map(({ address, action }) => [address, action]));
  const more = planned.changes.flatMap(({ address, action }) => {
    const before = actions.get(address);
    if (before === action || rests[before ?? '']?.includes(action)) return [];
    return before === undefined
      ? [`${address}: ${action}, and the approved plan does not change it`]
      : [`${address}: ${action}, and the approved plan has ${before}`];
  });
  const same = new Set(
    planned.changes
      .filter(({ address, action }) => actions.get(address) === action)
      .map(({ address }) => address),
  );
  const risen = listExceededApprovedParts(approved.approved ?? [], planned.approved ?? [])
    .filter(({ kind, name }) => kind !== 'stake' || same.has(name))
    .map((part) => `${nameApprovedPart(part)}: not as in the approved plan`);
  return [...more, ...risen];
}
