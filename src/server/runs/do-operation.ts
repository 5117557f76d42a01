// Carries out each operation as calls of the program. State, journal and plan are those of the command line.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { onlyDueBackupsVariable } from '../../model/plan/plan.ts';
import { maskSecretsInValue } from '../../model/text/mask-texts.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { EqualOlderPlan, RunAttemptOutcome, StoredRun } from '../store/run.ts';
import type { RunAttempt } from './attempt.ts';
import { listExcessChanges } from './compare-changes.ts';
import {
  fingerprintDrift,
  storePlanReport,
  preparePlanInvocation,
  readSavedPlan,
  type PlanReportContents,
} from './report-plan.ts';

/** Exit code of the program for a plan with changes, as in its help. */
const changesFound = 2;
const interrupted = 130;
/** Number of times that the rest of an apply is planned while requests of its earlier attempt may still be under way. */
const mostRounds = 5;

/**
 * Does the operation of a run (plan, preview, apply, destroy or drift check) by calling the program.
 * @throws RunFault where it cannot be begun
 */
export function doRunOperation(attempt: RunAttempt): Promise<RunAttemptOutcome> {
  switch (attempt.run.operation) {
    case 'plan':
      return plan(attempt);
    case 'preview':
      return preview(attempt);
    case 'apply':
      return apply(attempt);
    case 'destroy':
      return destroy(attempt);
    case 'drift':
      return checkDrift(attempt);
  }
}

async function plan(attempt: RunAttempt): Promise<RunAttemptOutcome> {
  const planning = await preparePlanInvocation(attempt, true);
  const { file, env } = planning;
  const { run, store } = attempt;
  const outcome = await conclude(attempt, ['plan', '--out', file, '--detailed-exitcode'], env);
  if (outcome.status === 'failed' && run.pull) await keepFailure(attempt);
  if (outcome.status !== 'succeeded') return outcome;
  const planned = await planning.read();
  await claimProjects(attempt, planned).catch((error: unknown) => explainTaken(attempt, error));
  const isEqual = await storePlanReport(attempt, planning, planned);
  await noteQuotas(attempt, planned);
  if (run.pull) {
    await store.pulls.keepBody(run.id, planned.comment);
    // Nobody can apply it: what is not kept cannot be taken for something else.
    return { ...outcome, changes: planned.changes };
  }
  const { last } = planning;
  return {
    ...outcome,
    changes: planned.changes,
    planFile: await store.blobs.add(await readFile(file)),
    ...(isEqual &&
      last &&
      outcome.hasChanges === true && { carried: await findCarried(attempt, last) }),
  };
}

/** Plans for the eyes alone, while the state is in use: without a saved plan, a plan takes no lock and waits for none. */
async function preview(attempt: RunAttempt): Promise<RunAttemptOutcome> {
  const { run, store } = attempt;
  const { code, text } = await attempt.readProgram(['plan', '--format', 'markdown'], 'a while');
  const shown = attempt.mask(text);
  for (const line of shown.split('\n')) attempt.say('output', line);
  // A refusal is shown, too: the program says why.
  if (code === 0 || (code === 1 && text !== '')) await store.pulls.keepBody(run.id, shown);
  if (code === 0) return { status: 'succeeded' };
  return { status: attempt.isCancelled ? 'cancelled' : 'failed' };
}

/** The equal older plan whose approvals a plan takes over; authors of commits are looked up only where one is needed. */
async function findCarried(
  { run, store, listAuthors }: RunAttempt,
  { id: from, commit }: StoredRun,
): Promise<EqualOlderPlan> {
  if (commit === run.commit) return { from, authors: new Set() };
  const approval = await store.approvals.read(from);
  const isAsked = approval !== undefined && approval.needed > 0;
  return { from, authors: isAsked ? await listAuthors(commit) : undefined };
}

/** Compares the account with the state, and changes neither; then it makes the backups that are due. */
async function checkDrift(attempt: RunAttempt): Promise<RunAttemptOutcome> {
  const planning = await preparePlanInvocation(attempt, false);
  const args = ['plan', '--refresh-only', '--out', planning.file, '--detailed-exitcode'];
  const outcome = await conclude(attempt, args, planning.env);
  if (outcome.status !== 'succeeded') return outcome;
  const found = await planning.read();
  const isBackedUp = !found.keepsBackupsFresh || (await makeDueBackups(attempt));
  // The drift that was found is left to the next check.
  if (!isBackedUp) return { status: attempt.isCancelled ? 'cancelled' : 'failed' };
  if (outcome.hasChanges !== true) return outcome;
  await attempt.store.reports.keep(attempt.run.id, {
    page: found.page,
    counts: found.counts,
    quotas: [],
    comparison: undefined,
  });
  return { ...outcome, ...fingerprintDrift(found.drift) };
}

/** Makes the backups that are due, and changes nothing else. @returns false where one was not made */
async function makeDueBackups(attempt: RunAttempt): Promise<boolean> {
  if (await attempt.store.hold.read()) {
    attempt.say('server', 'The server is held, so no backup is made.');
    return true;
  }
  const code = await attempt.runProgram(['apply', '--auto-approve'], {
    [onlyDueBackupsVariable]: '1',
  });
  return code === 0;
}

/** A pull request says it where people look. */
async function explainTaken({ run, store }: RunAttempt, error: unknown): Promise<never> {
  if (error instanceof RunFault && run.pull) await store.pulls.keepBody(run.id, error.message);
  throw error;
}

/** A plan that is refused is not saved. It is made once more for the comment, which says what is wrong where people look. */
async function keepFailure(attempt: RunAttempt): Promise<void> {
  const { run, store } = attempt;
  const { code, text } = await attempt.readProgram(['plan', '--format', 'markdown'], 'a while');
  if (code === 1 && text !== '') await store.pulls.keepBody(run.id, attempt.mask(text));
}

/**
 * Applies the saved plan. Where an attempt before may have done a part of it, the saved plan is stale by that very part: then
 * what is left is planned again, and applied where the approved plan has all of it.
 */
async function apply(attempt: RunAttempt): Promise<RunAttemptOutcome> {
  const { run, store, checkout } = attempt;
  const planned = run.planRun === undefined ? undefined : await store.runs.find(run.planRun);
  if (planned?.planFile === undefined)
    throw new RunFault('The run that was planned has no saved plan.');
  if (!(await store.runs.isNewest(planned.id))) {
    throw new RunFault(
      `A newer run took the place of plan #${planned.number} before this one began. Apply the newest plan.`,
    );
  }
  const approved = join(checkout.scratch, 'approved.hostwright');
  await writeFile(approved, await store.blobs.read(planned.planFile), { mode: 0o600 });
  const isBegun = run.child !== null;
  if (!isBegun) return concludeApply(attempt, approved);
  for (let round = 1; ; round += 1) {
    const rest = await planRest(attempt, planned, approved);
    if (typeof rest !== 'string') return rest;
    const outcome = await concludeApply(attempt, rest);
    if (outcome.status !== 'failed' || attempt.hasBegun || round === mostRounds) return outcome;
    attempt.say(
      'server',
      'Nothing was begun. What the attempt before had sent may have ended meanwhile, so what is left is planned once more.',
    );
  }
}

/**
 * Plans what an attempt before has left of an approved plan. Where that is more than was approved, it waits as a plan of its own.
 * @returns the file of the plan, or how the run ends @throws RunFault where it is not within what was approved
 */
async function planRest(
  attempt: RunAttempt,
  planned: StoredRun,
  approvedFile: string,
): Promise<string | RunAttemptOutcome> {
  const { run, store } = attempt;
  const planning = await preparePlanInvocation(attempt, false);
  const { file, env } = planning;
  await rm(file, { force: true });
  const code = await attempt.runProgram(['plan', '--out', file], env);
  if (code !== 0) return { status: attempt.isCancelled ? 'cancelled' : 'failed' };
  const rest = await planning.read();
  const { configuration } = await readSavedPlan(attempt, approvedFile);
  const approved = await store.reports.readApproved(planned.id);
  const excess =
    rest.configuration === configuration
      ? listExcessChanges({ changes: planned.changes ?? [], approved }, rest)
      : ['a variable or an output has changed since, and with it the configuration'];
  if (excess.length === 0) return file;
  const { workspaceId, commit, number } = run;
  const reason = `what apply #${number} has left`;
  await store.runs.add({
    workspaceId,
    operation: 'plan',
    commit,
    reason,
    origin: `rest:${run.id}`,
  });
  throw new RunFault(
    `What is left to do is not within plan #${planned.number}. ${excess.join('. ')}. It is planned again, and waits for somebody.`,
  );
}

async function destroy(attempt: RunAttempt): Promise<RunAttemptOutcome> {
  const outcome = await conclude(attempt, ['destroy', '--auto-approve']);
  if (outcome.status !== 'succeeded') return outcome;
  await releaseProjects(attempt, []);
  await keepOutputs(attempt);
  return outcome;
}

/** Keeps the outputs for the workspaces that come after this one, but for sensitive values and those that hold a secret. */
async function keepOutputs(attempt: RunAttempt): Promise<void> {
  const { code, text } = await attempt.readProgram(['output', '--json'], 'a moment');
  if (code !== 0) {
    // The apply itself has succeeded, so that only a note is logged.
    attempt.say(
      'server',
      'The outputs cannot be read. Workspaces after this one keep those from before.',
    );
    return;
  }
  const read = JSON.parse(text) as Readonly<Record<string, { readonly value?: unknown }>>;
  const known = Object.entries(read).filter(
    ([, { value }]) =>
      value !== undefined && isDeepStrictEqual(maskSecretsInValue(value, attempt.mask), value),
  );
  const outputs = Object.fromEntries(known.map(([name, { value }]) => [name, value]));
  await attempt.store.dependencies.keepOutputs(attempt.run, outputs);
}

/** Applies a saved plan. Once it is applied, the account is as the plan said. */
async function concludeApply(attempt: RunAttempt, file: string): Promise<RunAttemptOutcome> {
  const saved = await readSavedPlan(attempt, file);
  // A newer plan of the workspace may have released the projects, so they are claimed again.
  await claimProjects(attempt, saved);
  const outcome = await conclude(attempt, ['apply', file]);
  if (outcome.status !== 'succeeded') return outcome;
  await keepOutputs(attempt);
  await releaseProjects(attempt, saved.projects.after);
  const { run, store } = attempt;
  const figures =
    run.planRun === undefined ? undefined : await store.reports.readFigures(run.planRun);
  const quotas = (figures?.quotas ?? []).map((quota) => ({ ...quota, used: quota.after }));
  await noteQuotas(attempt, { quotas });
  return outcome;
}

/** Runs the program once, and says how the run ends by its exit code. */
async function conclude(
  attempt: RunAttempt,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunAttemptOutcome> {
  const code = await attempt.runProgram(args, env);
  if (code === 0) return { status: 'succeeded', hasChanges: false };
  if (code === changesFound) return { status: 'succeeded', hasChanges: true };
  const isCancelled = code === interrupted || code === undefined;
  return { status: attempt.isCancelled && isCancelled ? 'cancelled' : 'failed' };
}

/** Stores what a plan has seen of the account's quotas. */
async function noteQuotas(
  { run, store }: RunAttempt,
  { quotas }: Pick<PlanReportContents, 'quotas'>,
): Promise<void> {
  const known = quotas.map(({ name, used, limit }) => ({ name, used, limit }));
  await store.accounts.noteQuotas(run.workspaceId, known);
}

// A live project belongs to one workspace of its account: two that configure it would undo each other's changes.

/** Claims the projects that a plan has for the workspace of the run. @throws RunFault where another workspace has one */
async function claimProjects(
  { run, store }: RunAttempt,
  { projects }: Pick<PlanReportContents, 'projects'>,
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
async function releaseProjects(
  { run, store }: RunAttempt,
  projects: readonly string[],
): Promise<void> {
  await store.owners.keepOnly(run.workspaceId, projects);
}
