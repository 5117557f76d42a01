import { isDeepStrictEqual } from 'node:util';
import {
  hasCommandTakenEffect,
  isBackupCommand,
  isResourceBusy,
  isRebuildCommand,
  isRestoreCommand,
} from '../../kinds/outcome.ts';
import { recordParentPlace } from '../../kinds/relations/parent-id.ts';
import {
  commandSubjects,
  findCommandSubjectId,
  type Command,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import { makeDeposedAddress, type ResourceAddress } from '../../model/address.ts';
import { addToGroup, elementAt } from '../../model/group-by.ts';
import { isRetiring, type Change } from '../../model/plan/plan.ts';
import type { ApplyStep, ChangeResult } from '../../model/plan/result.ts';
import type { Task } from '../../model/plan/task.ts';
import type { State, SentCommand } from '../../model/state/state.ts';
import { awaitEarlierCommand } from '../command/await-sent.ts';
import { awaitEarlierCommandSuccess, carryOutCommand } from '../command/carry-out-command.ts';
import { recordCommandEnd } from '../command/record-command.ts';
import { createCommandProgressReporter } from '../command/report-progress.ts';
import {
  confirmResourceAsPlanned,
  confirmUnchangedBeforeDestroy,
  isLossOrBackupBeforeLoss,
} from '../context/confirm-unchanged.ts';
import { TaskInterruptedError, ChangeFailure } from '../context/failure.ts';
import { buildManagedResourceRecord } from '../context/managed.ts';
import {
  resolveCommandAddresses,
  makeSendingOptions,
  type ChangeCommandJob,
  type RunContext,
} from '../context/run-context.ts';
import { type ToleratedLateness, calculateToleratedLateness } from '../observe/watch.ts';
import { awaitIdleResource } from '../requests/send-command.ts';
import { awaitRequestedValues, requireShownValues } from './await-asked.ts';
import { awaitReadyProbes, recordNotReadyBeforeOutage } from './await-ready.ts';
import { convertErrorToChangeResult } from './explain-end.ts';
import {
  markBeforeTakingOutOfService,
  recordTakenOutOfService,
  rememberSetFields,
} from './retire.ts';
import { storeRebuildRollback, rollBackFailedRebuild } from './take-back.ts';

/** Names the effect of a task on its resource in the words of progress lines. */
export function nameApplyStep(
  { resources }: Pick<State, 'resources'>,
  change: Change,
  task: Task,
): ApplyStep {
  if (task.phase === 'destroy') return isRetiring(change) ? 'retire' : 'delete';
  if (task.phase === 'ready') return 'probe';
  const isReturning = resources.get(change.address)?.retired?.until !== undefined;
  if (isReturning || change.restoring !== undefined) return 'restore';
  if (task.phase === 'prepare') return 'update';
  if (change.action === 'create' || change.action === 'replace') return 'create';
  if (change.action === 'due') return 'backup';
  const { action, underway } = change;
  const isRebuildAwaited = action === 'no-op' && underway && isRebuildCommand(underway.command);
  return action === 'rebuild' || isRebuildAwaited ? 'rebuild' : 'update';
}

/**
 * Runs the commands of one task and writes down what became of the resource. Never throws for what the service or the
 * network did: that is its result. Nothing is sent whose intent cannot be written down.
 */
export async function runChange(
  context: RunContext,
  change: Change,
  task: Task,
): Promise<ChangeResult> {
  const progress: Progress = { commands: 0 };
  try {
    if (task.ready) {
      await awaitReadyProbes(context, change, task.ready);
      return { kind: 'applied', id: context.store.state.resources.get(change.address)?.id ?? null };
    }
    return { kind: 'applied', id: await runTask(context, change, task, progress) };
  } catch (error) {
    const hasBegun = progress.commands > 0;
    const end = await rollBackFailedRebuild(context, { change, task }, error);
    return convertErrorToChangeResult(context, { change, task, hasBegun }, end);
  }
}

/** Progress of a task within a run. */
interface Progress {
  /** Number of the task's commands that were carried out. */
  commands: number;
  /** Resolves once the end of the last of these is in the state, as far as it is recorded by itself. */
  recorded?: Promise<void>;
}

async function runTask(
  context: RunContext,
  change: Change,
  task: Task,
  progress: Progress,
): Promise<string | null> {
  const { liveById } = context.planned;
  const step = nameApplyStep(context.store.state, change, task);
  const planned = change.id === null ? undefined : liveById.get(change.id);
  const isKept = change.action !== 'create' && change.action !== 'replace';
  const wasBusy = isKept && planned !== undefined && isResourceBusy(planned);
  const report = createCommandProgressReporter(context, change, step);
  const running = { change, task, progress, report };
  let live = await awaitSettledResource(context, { change, task, step });
  await recordNotReadyBeforeOutage(context, change, task);
  const isRetired = task.phase === 'destroy' && isRetiring(change);
  const commands = isRetired
    ? await markBeforeTakingOutOfService(context, change, existingAddress(change), task.commands)
    : task.commands;
  for (const [index, command] of commands.entries()) {
    const pair = { command, following: commands[index + 1] };
    await takeTurn(context, running, index);
    const { end, ...lateness } = context.horizon.begin(task, index);
    const tell = tellOfCommand(context, task, index);
    try {
      live = await runTaskCommand(context, { ...running, ...lateness }, pair, live);
      tell(true);
    } catch (error) {
      tell(false);
      throw error;
    } finally {
      end();
    }
  }
  await progress.recorded;
  if (live && task.phase === 'apply' && progress.commands > 0) {
    live = await awaitRequestedValues(context, change, task, live);
  }
  const made = live;
  await context.places.lend(() => writeDown(context, change, task, made));
  if (live && task.phase === 'apply') requireShownValues(context, change, live);
  if (live && task.phase === 'apply' && wasBusy) confirmResourceAsPlanned(context, change, live);
  return task.phase === 'destroy' ? change.id : (live?.id ?? change.id);
}

/** Reports that a command begins. @returns the function to call at its end. */
function tellOfCommand({ clock, onCommand }: RunContext, { id, commands }: Task, index: number) {
  const startedAt = clock.now();
  const { kind: command } = elementAt(commands, index);
  return (isDone: boolean) =>
    onCommand?.({ task: id, index, command, startedAt, endedAt: clock.now(), isDone });
}

/** Between two commands, whoever has more to do goes first; what one needs of other tasks is waited for without a place. */
async function takeTurn(
  { places, milestones, pathOf }: RunContext,
  { task, progress, report }: Pick<RunningTask, 'task' | 'progress' | 'report'>,
  index: number,
): Promise<void> {
  if (index === 0) return;
  await places.leaveFor(pathOf(task, index), async () => {
    await progress.recorded;
    await milestones.awaitNeeded(task, index, report);
  });
}

/** A task that is being carried out. */
interface RunningTask extends Pick<
  ChangeCommandJob,
  'change' | 'report' | keyof ToleratedLateness
> {
  readonly task: Task;
  readonly progress: Progress;
}

/** Carries out one command of a task. @returns the resource of the change as last read; undefined when it is gone */
async function runTaskCommand(
  context: RunContext,
  { task, progress, ...running }: RunningTask,
  pair: { readonly command: Command; readonly following: Command | undefined },
  live: LiveResource | undefined,
): Promise<LiveResource | undefined> {
  const { client, store, clock, interrupted, underway, milestones, planned } = context;
  const { change } = running;
  const { following } = pair;
  const command = resolveCommandAddresses(context, pair.command);
  // Only then: what follows a create needs an id that there is none of yet.
  if (
    isBackupCommand(command.kind) &&
    following &&
    isInVain(resolveCommandAddresses(context, following), live)
  ) {
    return live;
  }
  const { effect, kind } = commandSubjects[command.kind];
  const deadline = clock.now() + task.timeouts[`${effect}Ms`];
  // A predecessor is deleted at the end of the task that made its successor.
  const isPredecessor = effect === 'delete' && task.phase === 'apply';
  const isOwn = kind === change.kind && !isPredecessor;
  const isConfirmed =
    isLossOrBackupBeforeLoss(command) &&
    (isOwn || planned.liveById.has(findCommandSubjectId(command) ?? ''));
  const job: ChangeCommandJob = {
    ...running,
    command,
    deadline,
    deleteMs: task.timeouts.deleteMs,
    ...(isOwn && { before: live }),
    ...(following === undefined && { onAccepted: () => milestones.onAccepted(task.id) }),
    ...(isConfirmed && {
      lookAgain: () => confirmUnchangedBeforeDestroy(context, change, command),
    }),
  };
  if (isOwn && live && !isResourceBusy(live) && hasCommandTakenEffect(command, live)) {
    // Nothing is to be sent, so that nobody who interrupts it can leave it half done.
    noteCarriedOut(context, command);
    return live;
  }
  const sent = underway.get(findCommandSubjectId(command) ?? '');
  const isSent = sent !== undefined && isDeepStrictEqual(sent.command, command);
  const ended = isSent ? await awaitEarlierCommandSuccess(context, job, sent) : undefined;
  if (ended) return isOwn ? (ended.live ?? live) : live;
  if (interrupted.aborted || store.failure) throw new TaskInterruptedError(progress.commands > 0);
  await client.awaitHold(command, makeSendingOptions(context, { deadline }));
  const fresh = isConfirmed ? await confirmUnchangedBeforeDestroy(context, change, command) : live;
  if (isOwn && isConfirmed && !fresh) return undefined;
  if (isRebuildCommand(command.kind)) await storeRebuildRollback(context, job);
  const seen = await carryOutCommand(context, job, isOwn ? fresh : undefined);
  // The end of the last one is that of the change; until it has been recorded, what is gone is our doing.
  const isLast = isOwn && (following === undefined || effect === 'delete');
  if (!isLast || isRestoreCommand(command.kind))
    progress.recorded = recordCommandEnd(context, change.address, command, seen);
  noteCarriedOut(context, command);
  progress.commands += 1;
  return isOwn ? seen : live;
}

/** Writes to the state what a task has made of its resource. */
async function writeDown(
  context: RunContext,
  change: Change,
  { phase, commands }: Task,
  live: LiveResource | undefined,
): Promise<void> {
  const { store, addresses } = context;
  if (phase === 'destroy' && isRetiring(change)) {
    if (live)
      return recordTakenOutOfService(context, change, existingAddress(change), { commands, live });
  }
  if (phase === 'destroy') {
    await store.record({ kind: 'removed', address: existingAddress(change) });
    if (change.id !== null) addresses.delete(change.id);
    return;
  }
  if (!live) return;
  if (phase === 'apply') {
    await store.record({
      kind: 'settled',
      resource: buildManagedResourceRecord(context, change, live),
    });
    return;
  }
  context.history.prepared.set(live.id, live);
  const managed = store.state.resources.get(change.address);
  if (managed) {
    // A resource may have an interim name for a while, which the program chose itself.
    const resource = rememberSetFields(context, change, live, { commands, managed });
    await store.record({ kind: 'settled', resource });
  }
}

/** Under which address the state has what a change destroys by the time it does. */
function existingAddress({ address, id, isCreatedFirst }: Change): ResourceAddress {
  return isCreatedFirst && id !== null ? makeDeposedAddress(address, id) : address;
}

function noteCarriedOut({ history: { carriedOut } }: RunContext, command: ResolvedCommand): void {
  const id = findCommandSubjectId(command);
  if (id === undefined) return;
  addToGroup(carriedOut, id, command);
}

/**
 * A backup before a rebuild that is over already: an earlier run was killed while it waited for it. A backup of the new
 * disk would be none, and might push out the one that was made of the old disk.
 */
function isInVain(rebuild: ResolvedCommand, live: LiveResource | undefined): boolean {
  return live !== undefined && !isResourceBusy(live) && hasCommandTakenEffect(rebuild, live);
}

/** The resource as it stands before the task, after whatever keeps it busy is over. @throws ChangeFailure */
async function awaitSettledResource(
  context: RunContext,
  {
    change,
    task,
    step,
  }: { readonly change: Change; readonly task: Task; readonly step: ApplyStep },
): Promise<LiveResource | undefined> {
  const {
    planned: { liveById },
    history: { prepared },
    clock,
  } = context;
  const job = {
    change,
    report: createCommandProgressReporter(context, change, step),
    deadline: clock.now() + task.timeouts.updateMs,
    deleteMs: task.timeouts.deleteMs,
    mayWaitMs: calculateToleratedLateness(clock),
  };
  const isAboutToBeMade = task.phase === 'apply' && ['create', 'replace'].includes(change.action);
  if (isAboutToBeMade || change.id === null) return undefined;
  const known = prepared.get(change.id) ?? liveById.get(change.id);
  if (!known || !isResourceBusy(known) || task.phase === 'destroy') return known;
  const sent = context.underway.get(known.id);
  if (sent && awaitsFirst(sent, task)) {
    const end = await awaitEarlierCommand(context, { ...job, command: sent.command }, sent);
    if (end.kind === 'undone') throw end.error;
    return end.live;
  }
  const idle = await context.stepAside(() =>
    awaitIdleResource(context, job, known, recordParentPlace(known)),
  );
  if (!idle || ('status' in idle && idle.status === 'failed')) {
    throw new ChangeFailure({
      severity: 'error',
      code: 'creation-failed',
      summary: idle
        ? 'It failed while the run waited for it'
        : 'It did not become ready, or no longer exists',
      hint: 'Plan again: the next plan starts from what the account holds now.',
      address: change.address,
    });
  }
  return idle;
}

/**
 * Tells whether the task waits for it before anything else: a create is known by its resource, and a backup or a restore waits
 * for itself.
 */
function awaitsFirst({ command: { kind } }: SentCommand, { commands }: Task): boolean {
  const isOwn =
    (isBackupCommand(kind) || isRestoreCommand(kind)) && commands.some((one) => one.kind === kind);
  return commandSubjects[kind].effect === 'update' && !isOwn;
}
