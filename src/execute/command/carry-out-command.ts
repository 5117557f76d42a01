import { ApiError } from '../../api/errors/errors.ts';
import { findCommandFacts } from '../../kinds/find-facts.ts';
import { isBackupCommand, hasCommandTakenEffect, isResourceBusy } from '../../kinds/outcome.ts';
import { commandSubjects } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { SentCommand } from '../../model/state/state.ts';
import { ChangeFailure } from '../context/failure.ts';
import {
  makeRefusedAfterLostFailure,
  makeUnreadableAccountFailure,
} from '../context/open-failures.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';
import { runCreate } from '../create/run-create.ts';
import { listInvolvedResourceIds } from '../requests/send-command.ts';
import { awaitEarlierCommand, type EarlierCommandEnd } from './await-sent.ts';
import { changeExistingResource } from './change-existing.ts';
import { recordCommandFailure } from './record-command.ts';
import { createWithCapacity } from './retry-capacity.ts';
import { isRequestedBackupListed, runBackup } from './run-backup.ts';
import { runSaleRenewalCommand } from './run-renewal.ts';
import { createWithOneTimeSecret } from './run-shown-once.ts';

/**
 * Carries out one command. Where it certainly came to nothing, its failure is recorded, so that the state has no command left
 * whose end is unknown.
 */
export async function carryOutCommand(
  context: RunContext,
  job: ChangeCommandJob,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command, change } = job;
  try {
    return await runCommand(context, job, seen);
  } catch (error) {
    const isCertain = error instanceof ChangeFailure ? !error.isUnknown : error instanceof ApiError;
    const hasActed = error instanceof ChangeFailure && error.hasActed;
    if (isCertain) await recordCommandFailure(context, change.address, command, hasActed);
    throw error;
  } finally {
    context.holders.release(listInvolvedResourceIds(command), change.address);
  }
}

/**
 * Waits for a command of this change that an earlier run has sent. Undefined where it is to be sent again: it came to
 * nothing, or it was a backup, and none stands in the list.
 */
export async function awaitEarlierCommandSuccess(
  context: RunContext,
  job: ChangeCommandJob,
  sent: SentCommand,
): Promise<Extract<EarlierCommandEnd, { kind: 'done' }> | undefined> {
  const end = await awaitEarlierCommand(context, job, sent);
  if (end.kind === 'undone') return undefined;
  return !isBackupCommand(job.command.kind) || (await isRequestedBackupListed(context, job))
    ? end
    : undefined;
}

/**
 * Carries out one command and returns its resource as last read; undefined when it is gone.
 * `seen` is what the command's resource looked like last, when that is known: what has come true already is not asked
 * for again.
 * @throws ChangeFailure, ApiError
 */
async function runCommand(
  context: RunContext,
  job: ChangeCommandJob,
  seen: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { command } = job;
  const { procedure } = findCommandFacts(command.kind);
  if (procedure?.kind === 'shown-once') return createWithOneTimeSecret(context, job, procedure);
  if (procedure?.kind === 'needs-room') {
    return createWithCapacity(context, job, procedure, {
      create: (attempt) => createOnce(context, attempt),
      change: (step) => changeExistingResource(context, step, undefined),
    });
  }
  if (commandSubjects[command.kind].effect === 'create') return createOnce(context, job);
  if (seen && !isResourceBusy(seen) && hasCommandTakenEffect(command, seen)) return seen;
  if (procedure?.kind === 'by-sale') return runSaleRenewalCommand(context, job, procedure, seen);
  if (procedure?.kind === 'backup') {
    await runBackup(context, job);
    return seen;
  }
  return changeExistingResource(context, job, seen);
}

/**
 * Carries out a create. An intent that was not taken back leaves open what became of it, whatever else goes wrong: an
 * earlier request of it may have been carried out.
 */
async function createOnce(context: RunContext, job: ChangeCommandJob): Promise<LiveResource> {
  try {
    return await runCreate(context, job);
  } catch (error) {
    const { address } = job.change;
    const { kind } = job.command;
    const pending = context.store.state.pending.get(address);
    if (!(error instanceof ApiError) || !pending) throw error;
    throw error.isRead
      ? makeUnreadableAccountFailure(address, kind, error, pending.acceptedAt !== undefined)
      : makeRefusedAfterLostFailure(address, kind, error);
  }
}
