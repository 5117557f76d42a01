import { toleratedLatenessSince } from '../observe/watch.ts';
import { rememberPlace } from '../../kinds/relations/parent-id.ts';
import { isBackup, isBusy, isRestore } from '../../kinds/outcome.ts';
import { commandSubjects } from '../../model/account/command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { Task } from '../../model/plan/task.ts';
import type { ApplyStep } from '../../model/plan/result.ts';
import type { SentCommand } from '../../model/state/state.ts';
import { awaitSentCommand } from './await-sent.ts';
import { ChangeFailure } from '../context/failure.ts';
import type { RunContext } from '../context/run-context.ts';
import { reportCommandProgress } from './report-progress.ts';
import { awaitIdle } from '../requests/send-command.ts';

/** The resource as it stands before the task, after whatever keeps it busy is over. @throws ChangeFailure */
export async function awaitSettledResource(
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
    report: reportCommandProgress(context, change, step),
    deadline: clock.now() + task.timeouts.updateMs,
    deleteMs: task.timeouts.deleteMs,
    mayWaitMs: toleratedLatenessSince(clock),
  };
  const isAboutToBeMade = task.phase === 'apply' && ['create', 'replace'].includes(change.action);
  if (isAboutToBeMade || change.id === null) return undefined;
  const known = prepared.get(change.id) ?? liveById.get(change.id);
  if (!known || !isBusy(known) || task.phase === 'destroy') return known;
  const sent = context.underway.get(known.id);
  if (sent && awaitsFirst(sent, task)) {
    const end = await awaitSentCommand(context, { ...job, command: sent.command }, sent);
    if (end.kind === 'undone') throw end.error;
    return end.live;
  }
  const idle = await context.stepAside(() => awaitIdle(context, job, known, rememberPlace(known)));
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
 * True where the task waits for it before anything else: a create is known by its resource, and a backup or a restore waits for
 * itself.
 */
function awaitsFirst({ command: { kind } }: SentCommand, { commands }: Task): boolean {
  const isOwn = (isBackup(kind) || isRestore(kind)) && commands.some((one) => one.kind === kind);
  return commandSubjects[kind].effect === 'update' && !isOwn;
}
