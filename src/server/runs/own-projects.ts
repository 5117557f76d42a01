// A live project belongs to one workspace of its account: two that configure it would undo each other's changes.
import type { RunAttempt } from './attempt.ts';
import type { ReadPlan } from './report-plan.ts';
import { RunFault } from '../errors/run-fault.ts';

/** Claims the projects that a plan has for the workspace of the run. @throws RunFault where another workspace has one */
export async function claimProjects(
  { run, store }: RunAttempt,
  { projects }: Pick<ReadPlan, 'projects'>,
): Promise<void> {
  const all = [...new Set([...projects.before, ...projects.after])];
  const { owners } = store;
  // A pull request claims nothing: it may never be merged.
  const taken = run.pull
    ? await owners.findTaken(run.workspaceId, all)
    : await owners.claim(run.workspaceId, all);
  const [first, ...others] = taken;
  if (!first) return;
  const more = others.map(({ project, workspace }) => ` "${project}" belongs to "${workspace}".`);
  throw new RunFault(
    `The project "${first.project}" belongs to the workspace "${first.workspace}", which uses the same account.${more.join('')} Remove it from this configuration. To move it here, remove it there first, with a "removed" entry and "destroy: false", and apply that.`,
  );
}

/** Gives back what the state does not have any more, now that the plan is applied. */
export async function releaseProjects(
  { run, store }: RunAttempt,
  projects: readonly string[],
): Promise<void> {
  await store.owners.keepOnly(run.workspaceId, projects);
}
