// One attempt of a run: claim it, wait for the end of the attempt before on this machine, check out, do the work, end it.
// It may be called twice for the same run, here and elsewhere: the later attempt wins, and the epoch of the state keeps the
// earlier one from writing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '../../model/runtime.ts';
import {
  createSecretMask,
  sameLineCountReplacement,
  type SecretMask,
} from '../../model/text/mask-texts.ts';
import { stateFileNames } from '../../state/files/files.ts';
import { isProcessGone, type ProcessIdentity } from '../../state/lock/lock-holder.ts';
import { openRescueFiles } from '../../state/rescue/rescue-files.ts';
import { hasRescuedState } from '../../state/rescue/upload-rescue.ts';
import { deriveAccountKey } from '../accounts/accounts.ts';
import { serverActor } from '../audit/audit-entry.ts';
import type { RunPostponement } from '../engine/durable-engine.ts';
import { writePolicyFiles } from '../policies/policy-files.ts';
import { RunFault } from '../errors/run-fault.ts';
import type { LogLineFields, ServerLog } from '../log-lines.ts';
import type { ListRunAuthors } from '../sources/open-checkout.ts';
import type { StateSqlExecutor } from '../states/serve-statements.ts';
import type { RunAttemptOutcome, StoredRun } from '../store/run.ts';
import { isAccountChangingRun } from '../store/server-hold.ts';
import type { ServerStore } from '../store/store.ts';
import { listRunSecrets, type StoredVariables } from '../variables/variables.ts';
import type { Workspace } from '../store/workspaces.ts';
import { readRunVariables } from './run-variables.ts';
import type { SpanAttributes, Tracing } from '../traces/tracing.ts';
import { RunAttempt, type RunAttemptOptions } from './attempt.ts';
import {
  checkOutRunCommit,
  RunCancelledError,
  type CheckoutDependencies,
} from './check-out-in-time.ts';
import { transferPlanApprovals } from './carry-approvals.ts';
import { countMergeReviews } from './count-reviews.ts';
import { buildChildEnvironment, findStateRescueDirectory } from './child-environment.ts';
import { doRunOperation } from './do-operation.ts';
import { mapUpstreamOutputs } from './name-inputs.ts';
import { readPlanSealingKey } from './plan-key.ts';
import type { StartChildProgram } from './run-child.ts';
import { RunPostponedError, type RunObstacle, explainPostponedRun } from './run-postponed.ts';
import { findApplyWindowPause } from './wait-for-window.ts';
import { openRunStepWriter, type RunStepWriter } from './step-writer.ts';
import { openRunLogWriter, type RunLogWriter } from './write-log.ts';

/** Dependencies that are needed to carry out runs. */
export interface RunDependencies extends CheckoutDependencies {
  readonly store: ServerStore;
  readonly runtime: Pick<Runtime, 'env' | 'process' | 'clock'>;
  readonly startProgram: StartChildProgram;
  readonly listAuthors: ListRunAuthors;
  /** Access to the database with the states of the workspaces. */
  readonly states: StateSqlExecutor;
  readonly workerId: string;
  /** Log for the operators of the server. */
  readonly log: ServerLog;
  readonly tracing: Tracing;
}

/** Writers of the log and the steps of one attempt. */
interface Writers {
  readonly log: RunLogWriter;
  readonly steps: RunStepWriter;
}

/** Listeners to the output of an attempt, with its secrets to be masked. */
interface Heard extends Pick<RunAttemptOptions, 'say' | 'steps'> {
  readonly hide: (mask: SecretMask) => void;
}

const goneWithinMs = 10_000;
const lookMs = 50;

/**
 * Carries out a run. Resolves once the run has ended, in whatever way, or has to wait; rejects where the database cannot be
 * reached.
 * @returns the delay before the next call for a run that has to wait; undefined for one that has ended
 */
export async function carryOutRun(
  means: RunDependencies,
  runId: string,
): Promise<RunPostponement | undefined> {
  const { store, workerId } = means;
  const { clock } = means.runtime;
  const later = await findRunRetryTime(store, runId, clock.now());
  if (later) return later;
  const run = await store.runs.claim(runId, workerId);
  if (!run) return undefined;
  const warn = (what: string) => (error: unknown) =>
    means.log.warn(`${what} ${describe(error)}`, { run: runId });
  const writers = {
    log: openRunLogWriter(store.log, runId, warn('The log of a run cannot be kept.')),
    steps: openRunStepWriter(store.steps, run, warn('The steps of a run cannot be kept.')),
  };
  const { number, workspace, operation, attempt } = run;
  const subject = { run: runId, number, workspace, operation, attempt };
  const begunMs = clock.now();
  means.log.info('A run has begun', subject);
  const outcome = await means.tracing.span('run', describeRun(run), async (span) => {
    const [ended, ending] = await tryWork(means, run, writers, subject);
    const status = 'afterMs' in ended ? 'queued' : ended.status;
    span.add({ 'hostwright.run.status': status, 'hostwright.run.ending': ending });
    if (status === 'failed') span.fail(ending);
    return ended;
  });
  // Another worker goes on with it: the engine here must not take this attempt for the end. The process ends soon.
  if (means.lost.aborted) await new Promise(() => undefined);
  const tookMs = clock.now() - begunMs;
  if ('afterMs' in outcome) {
    if (await store.turns.postpone(run, outcome.afterMs)) {
      means.log.info('A run waits for its account or its git host', {
        ...subject,
        ...outcome,
        tookMs,
      });
      return outcome;
    }
    await endRun(means, run, { status: 'cancelled' });
    return undefined;
  }
  await endRun(means, run, outcome);
  means.log.info('A run has ended', { ...subject, status: outcome.status, tookMs });
  return undefined;
}

/** Attributes that traces have about a run. */
function describeRun({ id, number, workspace, operation, attempt }: StoredRun): SpanAttributes {
  return {
    'hostwright.workspace': workspace,
    'hostwright.run.operation': operation,
    'hostwright.run.id': id,
    'hostwright.run.number': number,
    'hostwright.run.attempt': attempt,
  };
}

/** Why an attempt ended as it did. The words of a fault are for the log of the run alone. */
type Ending =
  'completed' | 'cancelled' | 'program-failed' | 'refused' | 'server-fault' | `${RunObstacle}-held`;

const endings = {
  succeeded: 'completed',
  cancelled: 'cancelled',
  failed: 'program-failed',
} as const satisfies Record<RunAttemptOutcome['status'], Ending>;

/** Carries out the operation of a run; errors go to the run's log. */
async function tryWork(
  means: RunDependencies,
  run: StoredRun,
  { log, steps }: Writers,
  subject: LogLineFields,
): Promise<readonly [RunAttemptOutcome | RunPostponement, Ending]> {
  let mask: SecretMask = (text) => text;
  const hide = (given: SecretMask) => {
    mask = given;
    log.hide(given);
  };
  try {
    if (run.attempt > 1) log.say('server', `Attempt ${run.attempt} continues this run.`);
    const outcome = await work(means, run, { say: log.say, hide, steps });
    return [outcome, endings[outcome.status]];
  } catch (error) {
    if (error instanceof RunCancelledError) return [{ status: 'cancelled' }, 'cancelled'];
    if (error instanceof RunPostponedError) {
      log.say('server', error.message);
      return [{ afterMs: error.afterMs }, `${error.obstacle}-held`];
    }
    const isRefused = error instanceof RunFault;
    if (!isRefused) means.log.warn(mask(describe(error)), subject);
    log.say(
      'server',
      isRefused ? error.message : 'The run failed by a fault of the server; its log says more.',
    );
    return [{ status: 'failed' }, isRefused ? 'refused' : 'server-fault'];
  } finally {
    await Promise.all([log.close(), steps.close()]);
  }
}

/** Ends a run; the audit log says so of one that changes the account. */
async function endRun(
  means: RunDependencies,
  run: StoredRun,
  outcome: RunAttemptOutcome,
): Promise<void> {
  const { store } = means;
  await store.transact(async () => {
    const isEnded = await store.runs.end(run, outcome);
    const { status } = outcome;
    const { id, workspace, number, operation, attempt } = run;
    if (isEnded && outcome.carried) await transferPlanApprovals(means, run, outcome.carried);
    if (isEnded && isPlanOfBranch(run)) await countMergeReviews(means, run.workspaceId, run.commit);
    if (isEnded) await store.drift.settle(run, outcome);
    if (!isEnded || !isAccountChangingRun(run)) return;
    if (status === 'succeeded') await store.dependencies.noteApplied(run);
    const target = `workspace/${workspace}/run/${number}`;
    const detail = { id, operation, attempt, status };
    await store.audit.append(serverActor, { act: 'run.end', target, detail, result: 'done' });
  });
}

function isPlanOfBranch({ operation, pull }: StoredRun): boolean {
  return operation === 'plan' && pull === undefined;
}

async function work(
  means: RunDependencies,
  run: StoredRun,
  { hide, ...heard }: Heard,
): Promise<RunAttemptOutcome> {
  const { store, runtime, startProgram, states, lost, tracing } = means;
  const begunMs = runtime.clock.now();
  await awaitPredecessor(run, runtime.process.host);
  const workspace = await store.workspaces.find(run.workspace);
  if (!workspace) throw new RunFault('The workspace of this run is gone.');
  const checkout = await tracing.span('checkout', {}, () =>
    checkOutRunCommit(means, run, workspace),
  );
  if (checkout.submodules.length > 0)
    heard.say(
      'server',
      `Submodules are left out: ${checkout.submodules.join(', ')}. Nothing below them is read.`,
    );
  try {
    const own = await readRunVariables(store, workspace.id);
    const mask = createSecretMask(listRunSecrets(own), sameLineCountReplacement);
    hide(mask);
    const variables = await addUpstream(store, workspace, own, heard.say);
    const { HOSTWRIGHT_BASE_URL: service = '', HOSTWRIGHT_TOKEN: token = '' } = variables;
    if (run.pull && service === '') throw explainService();
    const account = deriveAccountKey(workspace.account, token);
    const place = { service, mark: account.mark };
    const isPlan = run.operation === 'plan' || run.operation === 'preview';
    const reserved = isPlan ? await store.reservations.list(workspace.id, place) : [];
    const owned = isPlan ? await store.owners.listOthers(workspace.id, place) : [];
    const rescue = findStateRescueDirectory(runtime.env, workspace);
    const env = buildChildEnvironment({
      env: runtime.env,
      variables,
      secrets: own.secrets,
      workspace: workspace.name,
      stateName: workspace.stateName,
      planKey: await readPlanSealingKey(store, workspace.id),
      home: checkout.scratch,
      rescue,
      allowProbes: workspace.allowProbes,
      policies: await writePolicyFiles(checkout.scratch, await store.policies.listOf(workspace.id)),
      reserved,
      owned,
      run,
    });
    const attempt = new RunAttempt({
      run,
      store,
      startProgram,
      answerState: (asked) => states.answer(workspace.stateName, asked),
      clock: runtime.clock,
      begunMs,
      env,
      checkout,
      account,
      host: runtime.process.host,
      lost,
      listAuthors: (since) =>
        means.listAuthors(workspace, { since, commit: run.commit, signal: lost }),
      tracing,
      mask,
      ...heard,
    });
    const outcome = await doRunOperation(attempt);
    await tellRescue(means, run, rescue, heard.say);
    return outcome;
  } finally {
    await checkout.close();
  }
}

/** A state that the database did not take lies on this machine alone, and the log of a run is in that database. */
async function tellRescue(
  { runtime, log }: RunDependencies,
  { id, number, workspace }: StoredRun,
  rescue: string | undefined,
  say: RunAttemptOptions['say'],
): Promise<void> {
  if (rescue === undefined) return;
  const files = openRescueFiles(rescue);
  if (!(await hasRescuedState(files))) return;
  const text = `The database did not take the whole state of ${workspace}. It is in ${files.pathOf(stateFileNames.snapshot)} on ${runtime.process.host}. The next apply on that machine uploads it: do not delete it before.`;
  say('server', text);
  log.warn(text, { run: id, number, workspace });
}

/** Adds to a workspace's variables the outputs of its dependencies. @throws RunFault where two have the same output */
async function addUpstream(
  { dependencies }: ServerStore,
  { id }: Workspace,
  { values: own }: StoredVariables,
  say: RunAttemptOptions['say'],
) {
  const { variables, clashes, unfit } = mapUpstreamOutputs(
    await dependencies.readUpstream(id),
    own,
  );
  for (const { name, workspace, why } of unfit)
    say('server', `The output ${name} of the workspace ${workspace} is not passed on: ${why}.`);
  if (clashes.length > 0) {
    const all = clashes.map(
      ({ name, workspaces: givers }) =>
        `The workspaces ${givers.join(' and ')} both have the output ${name}: set HOSTWRIGHT_VAR_${name} in this workspace, or rename one of them.`,
    );
    throw new RunFault(all.join(' '));
  }
  return { ...variables, ...own };
}

/** Whoever writes the YAML of a pull request must not choose where the token goes. */
function explainService(): RunFault {
  return new RunFault(
    'The workspace does not set HOSTWRIGHT_BASE_URL, so a pull request could send its token elsewhere. Set it in the variables of the workspace.',
  );
}

/** The process of the attempt before ends with its worker. On this machine, that can be seen. */
async function awaitPredecessor({ child }: StoredRun, host: string): Promise<void> {
  if (child === null) return;
  for (let waitedMs = 0; waitedMs < goneWithinMs; waitedMs += lookMs) {
    if (isProcessGone(child as ProcessIdentity, host)) return;
    await sleep(lookMs);
  }
  // The earlier process is out of sight, or does not end: the epoch of the state keeps it from writing.
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Finds the delay after which a run that has to wait is called again; undefined where it may begin. */
export async function findRunRetryTime(
  store: ServerStore,
  runId: string,
  nowMs: number,
): Promise<RunPostponement | undefined> {
  const wait = await store.turns.findWait(runId);
  if (!wait) return findWindowTime(store, runId, nowMs);
  if (wait.for === 'release') await store.turns.putBack(runId);
  const run = wait.for === 'pause' ? await store.runs.find(runId) : undefined;
  if (run && (await store.turns.postpone(run, wait.ms)))
    await store.log.add(runId, [
      { stream: 'server', text: explainPostponedRun('service', wait.ms) },
    ]);
  return { afterMs: wait.ms };
}

/** When a run that waits for a window is to be called for again; undefined where it may begin. */
async function findWindowTime(
  store: ServerStore,
  runId: string,
  nowMs: number,
): Promise<RunPostponement | undefined> {
  const run = await store.runs.find(runId);
  const pauseMs = run && (await findApplyWindowPause(store, run, nowMs));
  if (pauseMs === undefined) return undefined;
  await store.turns.putBack(runId);
  return { afterMs: pauseMs };
}
