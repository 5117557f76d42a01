// Decides which plans of merges are applied by themselves: where the workspace says so and nobody would be surprised, or
// where somebody asked for it in a comment. Others are held back with a reason, in the log of the plan and at the pull
// request.
import { createGitHostActor } from '../audit/audit-entry.ts';
import {
  explainUndecidedPolicies,
  listUnapprovedDifferences,
  isPlanWithoutRemovals,
  type ComparedPlan,
} from '../runs/compare-changes.ts';
import { formatPersonName } from '../people/name-person.ts';
import { requestApplyRun, type RunRequestDependencies } from '../runs/request-run.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { StoredRun } from '../store/run.ts';
import type { DueMerge, UndecidedMergeApply } from '../store/pulls.ts';

/**
 * Applies the plans of merged pull requests, or records why one is not applied. A requested apply is kept until the plan of its
 * merge is made.
 */
export async function applyDueMerges(means: RunRequestDependencies): Promise<void> {
  const { pulls } = means.store;
  for (const merge of await pulls.listDueMerges()) await decide(means, merge);
  for (const kept of await pulls.listKept()) {
    const fault = await explainKept(means, kept);
    if (fault !== undefined) await pulls.decideMerge(kept, fault);
  }
}

async function decide(means: RunRequestDependencies, merge: DueMerge): Promise<void> {
  const { store } = means;
  const { number, asked } = merge;
  const plan = await store.runs.find(merge.plan);
  if (!plan) return;
  const fault =
    (asked ? undefined : await explainDifference(means, merge, plan)) ??
    (await apply(means, plan, merge));
  const text = asked
    ? `Not applied, as somebody asked for after the merge of pull request #${number}: ${fault ?? ''}`
    : `Not applied by itself after the merge of pull request #${number}: ${fault ?? ''} Review this plan, and apply it.`;
  await store.transact(async () => {
    if (!(await store.pulls.decideMerge(merge, fault)) || fault === undefined) return;
    await store.log.add(plan.id, [{ stream: 'server', text }]);
    await store.messages.tellWaiting(plan.id);
  });
}

async function explainDifference(
  { store }: RunRequestDependencies,
  { workspaceId, number, head }: DueMerge,
  plan: StoredRun,
): Promise<string | undefined> {
  const figures = await store.reports.readFigures(plan.id);
  const before = await store.pulls.findPlan(workspaceId, number, head);
  const reviewed = before === undefined ? undefined : await store.runs.find(before);
  const read = async ({ id, changes = [] }: StoredRun): Promise<ComparedPlan> => ({
    changes,
    approved: await store.reports.readApproved(id),
  });
  const shown = reviewed && (await read(reviewed));
  return explainUnappliedMerge(await read(plan), shown, figures?.counts ?? {});
}

/** @returns why it cannot be applied, as where people have to approve it first */
async function apply(
  means: RunRequestDependencies,
  plan: StoredRun,
  { number, asked }: DueMerge,
): Promise<string | undefined> {
  const request = asked
    ? {
        reason: `pull request #${number}, asked for by ${formatPersonName(asked.person)}`,
        origin: asked.origin,
        by: createGitHostActor(asked.connection, asked.person),
      }
    : { reason: `merge of pull request #${number}`, origin: `merge:${plan.id}` };
  try {
    await requestApplyRun(means, plan, request);
    return undefined;
  } catch (error) {
    if (error instanceof RunFault) return error.message;
    throw error;
  }
}

/** Why an apply that was asked for comes to nothing; undefined while its plan may still come. */
async function explainKept(
  { store }: RunRequestDependencies,
  { workspaceId, commit, isOld }: UndecidedMergeApply,
): Promise<string | undefined> {
  const run = await store.runs.findOfCommit(workspaceId, commit);
  if (!run) return isOld ? 'the merge was not planned within an hour.' : undefined;
  const { operation, number, status, hasChanges } = run;
  if (operation === 'apply') {
    if (status === 'succeeded') return `run #${number} has applied it.`;
    return run.endedAt
      ? `apply #${number} ended as ${status}.`
      : `run #${number} applies it already.`;
  }
  if (run.endedAt === undefined) return undefined;
  if (status !== 'succeeded') return `plan #${number} ended as ${status}.`;
  if (hasChanges !== true) return `plan #${number} has no changes.`;
  const successor = await store.runs.findSuccessor(run);
  // The apply of the merge waits for a run queued after its plan, or has become due meanwhile.
  if (successor?.endedAt === undefined) return undefined;
  return `a newer run took the place of plan #${number}: ${successor.operation} #${successor.number}.`;
}

/**
 * Explains why the plan of a merge is not applied by itself; undefined where it is. That needs a plan without undecided policies
 * which either equals the plan of the pull request in all that a person approves or, where there was none, removes nothing.
 */
export function explainUnappliedMerge(
  planned: ComparedPlan,
  reviewed: ComparedPlan | undefined,
  counts: Readonly<Record<string, number>>,
): string | undefined {
  const undecided = explainUndecidedPolicies(counts);
  if (undecided !== undefined) return undecided;
  if (!reviewed) {
    if (isPlanWithoutRemovals(planned.changes, counts)) return undefined;
    return 'it removes or replaces something, and the pull request has no plan of its last commit.';
  }
  if (!reviewed.approved || !planned.approved)
    return 'it cannot be compared with the plan of the pull request.';
  const [first, ...more] = listUnapprovedDifferences(
    reviewed.approved,
    planned.approved,
    'plan of the pull request',
  );
  if (first === undefined) return undefined;
  const rest = more.length === 0 ? '' : ` And ${more.length} more.`;
  return `it differs from the plan of the pull request. ${first}.${rest}`;
}
