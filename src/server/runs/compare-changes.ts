import {
  listExceededApprovedParts,
  nameApprovedPart,
  pairParts,
  type ApprovedPart,
} from '../../model/plan/approval.ts';
import type { PlannedChange } from '../store/run.ts';

/** The parts of a plan that a person approves, each with a digest of its content. */
export type ApprovedPlanParts = readonly ApprovedPart<string>[];

/** The part of a plan that the server compares with that of another. */
export interface ComparedPlan {
  readonly changes: readonly PlannedChange[];
  /** Undefined where another version of the program made the plan. */
  readonly approved: ApprovedPlanParts | undefined;
}

/** Actions that delete or replace nothing. */
const harmless = new Set(['create', 'update', 'import', 'move']);

/**
 * True for a plan that removes and replaces nothing: it only adds, changes, imports or moves. One that deletes what holds no data
 * loses nothing, in the words of plans, and is none of these all the same.
 */
export function isPlanWithoutRemovals(
  planned: readonly PlannedChange[],
  counts: Readonly<Record<string, number>>,
): boolean {
  const isCounted = (counts.rebuild ?? 0) + (counts.destroy ?? 0) > 0;
  return !isCounted && planned.every(({ action }) => harmless.has(action));
}

/** Why a plan waits for somebody, whatever it loses; undefined where nobody has to read it. */
export function explainUndecidedPlan({
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
 * The differences between a plan and one that people have read, as sentences, in which `name` is that one; none where nobody
 * would have to read it anew.
 */
export function listUnapprovedDifferences(
  approved: ApprovedPlanParts,
  planned: ApprovedPlanParts,
  name: string,
): string[] {
  const found = pairParts(approved, planned, (was, is) => was === is);
  return [
    ...new Set(
      found
        .filter(({ binds }) => binds)
        .map((part) => `${nameApprovedPart(part)} is not as in the ${name}`),
    ),
  ];
}

/**
 * The changes of a plan that exceed an approved one, as sentences. A run that was killed in the middle goes on by a new plan of
 * the same configuration, which may do less than the approved plan, and nothing else: not with other sensitive values, and not
 * to what has other things to lose by now.
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
