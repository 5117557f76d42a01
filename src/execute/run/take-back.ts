// A rebuild that fails, or is not ready in time, is taken back: the backup that was made before it is restored. A mark in the
// state goes before the first request, so that a killed run is gone on with; the change has failed, whatever comes of it.
import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError, NotSentError } from '../../api/errors/errors.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { markRebuildRollbackNeeded, recordRebuildRollback } from '../../kinds/carry-out.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ManagedResource, RebuildRollback } from '../../model/state/state.ts';
import { isEqual } from '../../model/value.ts';
import { carryOutCommand } from '../command/carry-out-command.ts';
import { recordCommandEnd } from '../command/record-command.ts';
import { createCommandProgressReporter } from '../command/report-progress.ts';
import { requireRebuildBackup } from '../command/run-backup.ts';
import { ChangeFailure, TaskInterruptedError } from '../context/failure.ts';
import {
  resolveCommandAddresses,
  type ChangeCommandJob,
  type RunContext,
} from '../context/run-context.ts';
import { calculateToleratedLateness } from '../observe/watch.ts';
import { awaitReadyProbes, MemberNotReadyError } from './await-ready.ts';

/**
 * Records in the state, right before a rebuild is sent, the backup and the values to which it can be rolled back; nothing where
 * the configuration asks for no rollback. @throws ChangeFailure, ApiError
 */
export async function storeRebuildRollback(
  context: RunContext,
  job: ChangeCommandJob,
): Promise<void> {
  const { store } = context;
  const { address, after, restoresOnFailure } = job.change;
  if (!restoresOnFailure) return;
  const { id } = await requireRebuildBackup(context, job);
  const managed = store.state.resources.get(address);
  if (!managed) return;
  await store.record({ kind: 'bound', resource: recordRebuildRollback(managed, after ?? {}, id) });
}

/** A task that has failed, with the state of its resource. */
interface FailedTask {
  readonly change: Change;
  readonly task: Task;
}

/**
 * Restores the backup of a rebuild that this task has failed over.
 * @returns the error that the task ends with: the one given where nothing is to be restored
 */
export async function rollBackFailedRebuild(
  context: RunContext,
  failed: FailedTask,
  error: unknown,
): Promise<unknown> {
  const { store, interrupted } = context;
  const { change } = failed;
  const managed = store.state.resources.get(change.address);
  if (!managed?.wayBack || !change.restoresOnFailure) return error;
  const { wayBack, id, projectId } = managed;
  if (change.restoring !== undefined) {
    return wayBack.hasFailed ? explainUnrestored(change, error) : error;
  }
  if (!(error instanceof ChangeFailure) || error.isUnknown) return error;
  const isNotReady = error instanceof MemberNotReadyError;
  if (!isNotReady && !wayBack.hasFailed) return error;
  try {
    if (isNotReady)
      await store.record({ kind: 'bound', resource: markRebuildRollbackNeeded(managed) });
    if (interrupted.aborted || store.failure) return new TaskInterruptedError(true);
    await restore(context, failed, { id, projectId, backup: wayBack.backup });
  } catch (restoreError) {
    return explainUnrestored(change, restoreError, error.diagnostic);
  }
  return probeRestored(context, change, wayBack, error.diagnostic);
}

async function restore(
  context: RunContext,
  { change, task }: FailedTask,
  {
    id,
    projectId,
    backup,
  }: Pick<ManagedResource, 'id' | 'projectId'> & Pick<RebuildRollback, 'backup'>,
): Promise<void> {
  const { clock } = context;
  const report = createCommandProgressReporter(
    context,
    change,
    task.phase === 'ready' ? 'probe' : 'rebuild',
  );
  const place = { project: { id: projectId }, self: { id } };
  const commands =
    kindRegistry[change.kind].traits.restore?.(place, backup, change.after ?? {}) ?? [];
  let live: LiveResource | undefined;
  for (const [at, command] of commands.entries()) {
    const run = { task: task.id, index: task.commands.length + at, command: command.kind };
    const startedAt = clock.now();
    const job: ChangeCommandJob = {
      change,
      command: resolveCommandAddresses(context, command),
      report: (progress) => {
        report(
          'status' in progress ? { ...progress, status: `restore: ${progress.status}` } : progress,
        );
      },
      deadline: clock.now() + task.timeouts.updateMs,
      deleteMs: task.timeouts.deleteMs,
      mayWaitMs: calculateToleratedLateness(clock),
    };
    live = await carryOutCommand(context, job, live);
    await recordCommandEnd(context, change.address, job.command, live);
    context.onCommand?.({ ...run, startedAt, endedAt: clock.now(), isDone: true });
  }
}

/** Probes what was restored. @returns the failure of the rebuild, with what its resource is now */
async function probeRestored(
  context: RunContext,
  change: Change,
  wayBack: RebuildRollback,
  diagnostic: Diagnostic,
): Promise<unknown> {
  const ready = context.planned.probed.get(change.address);
  let readiness = ready ? ', and is ready' : '';
  try {
    if (ready) await awaitReadyProbes(context, change, ready);
  } catch (error) {
    if (!(error instanceof ChangeFailure)) return error;
    const { summary, detail = `${summary}.` } = error.diagnostic;
    readiness = `, and is not ready. ${detail}`;
  }
  const told = [diagnostic.detail, `${describeRestored(wayBack, change)}${readiness}`]
    .filter(Boolean)
    .join(' ');
  return new ChangeFailure(
    {
      ...diagnostic,
      detail: told.endsWith('.') ? told : `${told}.`,
      hint: 'Change the configuration, and apply again. To try the same once more, add --retry-failed.',
    },
    { restoredFrom: wayBack.backup },
  );
}

/** State of a resource by its way back: `Its backup bkp-1 was restored: it has the image "debian-12" again`. */
function describeRestored(
  { backup, asked, target }: RebuildRollback,
  { sensitive }: Change,
): string {
  const fields = Object.entries(asked)
    .filter(([name, value]) => !isEqual(target[name] ?? null, value))
    .map(([name, value]) => (sensitive.includes(name) ? name : `${name} ${JSON.stringify(value)}`));
  const what = fields.length === 0 ? 'its former disk' : `the ${fields.join(' and ')}`;
  return `Its backup ${backup} was restored: it has ${what} again`;
}

/** An error for a restore that failed: it tells of the failed rebuild as well, where this run has seen that. */
function explainUnrestored({ address }: Change, error: unknown, rebuild?: Diagnostic): unknown {
  const told = diagnosticOf(error);
  if (!told) return error;
  const sentences = [rebuild?.summary, rebuild?.detail, told.summary, told.detail].flatMap(
    (text) => (text === undefined ? [] : [text.endsWith('.') ? text : `${text}.`]),
  );
  return new ChangeFailure(
    {
      severity: 'error',
      code: 'restore-failed',
      summary: 'The rebuild failed, and the backup that was made before it could not be restored',
      detail: sentences.join(' '),
      hint: 'Apply again: the backup is restored first. To keep it as it is, remove restoreOnFailure.',
      address,
    },
    { isUnknown: true, cause: error },
  );
}

/** Reason for taking a change back: its failure, or an end that was not seen; undefined for what only stops the run. */
function diagnosticOf(error: unknown): Omit<Diagnostic, 'severity'> | undefined {
  if (error instanceof ChangeFailure) return error.diagnostic;
  if (error instanceof NotSentError && error.why === 'interrupted') return undefined;
  return error instanceof ApiError ? describeError(error) : undefined;
}
