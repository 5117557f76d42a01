import { operationTypesOf } from '../api/operation-types.ts';
import { hasComeTrue, isBusy, isJudgedByRecord } from '../kinds/outcome.ts';
import { commandSubjects, type ResolvedCommand } from '../model/command.ts';
import type { LiveResource } from '../model/live.ts';
import { operationFailed, timedOut } from './failure.ts';
import { judgeCommand, type Judgement } from './judge.ts';
import { placeOf, type Job, type RunContext } from './run-context.ts';

/**
 * Waits until a resource and its operation record say that a command is over.
 * `startedAt` is when the service took it.
 * @returns the resource as last read; undefined when it is gone, as a delete wants it
 * @throws ChangeFailure when it failed, or when its end did not show before the deadline
 */
export async function awaitCommand(
  context: RunContext,
  job: Job,
  id: string,
  startedAt = context.clock.now(),
): Promise<LiveResource | undefined> {
  const { command, change, step } = job;
  const { kind } = commandSubjects[command.kind];
  const place = placeOf(command);
  let wasBusy = false;
  let shownSince: number | undefined;
  let idleSince: number | undefined;
  let status = 'accepted';
  let last: LiveResource | undefined;
  const judgement = await context.observer.await<Judgement | { kind: 'expired' }>({
    kind,
    place,
    id,
    deadline: job.deadline,
    since: startedAt,
    pace: () => context.durations.paceOf(command.kind, job.taskMs),
    needsOperations: ({ find }) => needsRecord(command, find(id), wasBusy),
    judge({ find, operations, at }) {
      const live = find(id);
      last = live;
      if (live && isBusy(live)) wasBusy = true;
      const isIdle = live !== undefined && !isBusy(live);
      idleSince = isIdle ? (idleSince ?? at) : undefined;
      shownSince = isIdle && hasComeTrue(command, live) ? (shownSince ?? at) : undefined;
      const operation = context.operations.find(command.kind, id, operations);
      const verdict = judgeCommand({
        command,
        live,
        operation,
        wasBusy,
        idleForMs: at - (idleSince ?? at),
        shownForMs: at - (shownSince ?? at),
      });
      if (verdict.kind === 'waiting') {
        if (verdict.status !== status) {
          status = verdict.status;
          context.emit({ kind: 'progress', address: change.address, step, status, at });
        }
        return undefined;
      }
      if (operation) context.operations.close(operation);
      return verdict;
    },
    expire: () => ({ kind: 'expired' }),
  });
  const tookMs = context.clock.now() - startedAt;
  if (judgement.kind === 'done') {
    context.durations.note(command.kind, tookMs);
    return last;
  }
  if (judgement.kind === 'failed') {
    const failureCode = judgement.failureCode ?? (await readFailureCode(context, job, id));
    throw operationFailed(change.address, command.kind, failureCode);
  }
  throw timedOut(change.address, command.kind, Math.round(tookMs / 60_000), status);
}

/**
 * Whether the record has to be read as well. A create is over when the resource says so; so is a change that was seen
 * under way and is now seen done, but for those whose result the resource shows in part or not at all. A delete is over
 * when the resource is gone: one that stands there idle has not begun, or has failed.
 */
function needsRecord(
  command: ResolvedCommand,
  live: LiveResource | undefined,
  wasBusy: boolean,
): boolean {
  const { effect } = commandSubjects[command.kind];
  if (effect === 'create' || operationTypesOf[command.kind].length === 0) return false;
  if (!live || isBusy(live)) return false;
  if (effect === 'delete') return true;
  const isPartlyShown = command.kind === 'rebuildVm' || isJudgedByRecord(command.kind);
  return isPartlyShown || !wasBusy || !hasComeTrue(command, live);
}

/** Why a create failed: asked for only now, since most creates do not. */
async function readFailureCode(context: RunContext, job: Job, id: string): Promise<string | null> {
  const { projectId } = placeOf(job.command);
  if (projectId === '') return null;
  const operations = await context.client.listOperations(projectId, { resourceId: id });
  return context.operations.find(job.command.kind, id, operations)?.failureCode ?? null;
}
