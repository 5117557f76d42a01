// Decides which plans of merges are applied by themselves: where the workspace says so and nobody would be surprised.
import {
  explainUndecided,
  listUnapproved,
  losesNothing,
  type ComparedPlan,
} from '../runs/compare-changes.ts';
import { requestApply, type RequestMeans } from '../runs/request-run.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { Run } from '../store/run.ts';
import type { DueMerge } from '../store/pulls.ts';

/** Applies the plans of merges, or says in their log why not. */
export async function decideMerges(means: RequestMeans): Promise<void> {
  for (const merge of await means.store.pulls.listDueMerges()) await decide(means, merge);
}

async function decide(means: RequestMeans, merge: DueMerge): Promise<void> {
  const { store } = means;
  const { workspaceId, number, head } = merge;
  const plan = await store.runs.find(merge.plan);
  if (!plan) return;
  const figures = await store.reports.readFigures(plan.id);
  const before = await store.pulls.findPlan(workspaceId, number, head);
  const reviewed = before === undefined ? undefined : await store.runs.find(before);
  const read = async ({ id, changes = [] }: Run): Promise<ComparedPlan> => ({
    changes,
    approved: await store.reports.readApproved(id),
  });
  const shown = reviewed && (await read(reviewed));
  const fault =
    explainMerge(await read(plan), shown, figures?.counts ?? {}) ??
    (await apply(means, plan, number));
  if (!(await store.pulls.decideMerge(merge)) || fault === undefined) return;
  const text = `Not applied by itself after the merge of pull request #${number}: ${fault} Review this plan, and apply it.`;
  await store.log.add(plan.id, [{ stream: 'server', text }]);
}

/** @returns why it cannot be applied, as where people have to approve it first */
async function apply(means: RequestMeans, plan: Run, number: number): Promise<string | undefined> {
  const reason = `merge of pull request #${number}`;
  try {
    await requestApply(means, plan, { reason, origin: `merge:${plan.id}` });
    return undefined;
  } catch (error) {
    if (error instanceof RunFault) return error.message;
    throw error;
  }
}

/**
 * Why the plan of a merge is not applied by itself; undefined where it is: no policy is left to be judged, and it is the plan of
 * the pull request in all that a person approves, or, where that was not planned, loses nothing.
 */
export function explainMerge(
  planned: ComparedPlan,
  reviewed: ComparedPlan | undefined,
  counts: Readonly<Record<string, number>>,
): string | undefined {
  const undecided = explainUndecided(counts);
  if (undecided !== undefined) return undecided;
  if (!reviewed) {
    if (losesNothing(planned.changes, counts)) return undefined;
    return 'it loses something, and the pull request has no plan of its last commit.';
  }
  if (!reviewed.approved || !planned.approved)
    return 'it cannot be compared with the plan of the pull request.';
  const [first, ...more] = listUnapproved(
    reviewed.approved,
    planned.approved,
    'plan of the pull request',
  );
  if (first === undefined) return undefined;
  const rest = more.length === 0 ? '' : ` And ${more.length} more.`;
  return `it differs from the plan of the pull request. ${first}.${rest}`;
}
