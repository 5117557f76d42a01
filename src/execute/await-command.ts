import { operationTypesOf } from '../api/operation-types.ts';
import { hasComeTrue, isBusy } from '../kinds/outcome.ts';
import { commandSubjects } from '../model/command.ts';
import type { LiveResource } from '../model/live.ts';
import { operationFailed, timedOut } from './failure.ts';
import { judgeCommand, type Judgement } from './judge.ts';
import { placeOf, type Job, type RunContext } from './run-context.ts';

/**
 * Waits until a resource and its operation record say that a command is over.
 * @returns the resource as last read; undefined when it is gone, as a delete wants it
 * @throws ChangeFailure when it failed, or when its end did not show before the deadline
 */
export async function awaitCommand(
  context: RunContext,
  job: Job,
  id: string,
): Promise<LiveResource | undefined> {
  const { command, change, step } = job;
  const { kind, effect } = commandSubjects[command.kind];
  const place = placeOf(command);
  const startedAt = context.clock.now();
  let wasBusy = false;
  let shownSince: number | undefined;
  let status = 'accepted';
  let last: LiveResource | undefined;
  const judgement = await context.observer.await<Judgement | { kind: 'expired' }>({
    kind,
    place,
    deadline: job.deadline,
    // A create is over when its status says so; the record is asked for only when it failed.
    needsOperations: effect === 'update' && operationTypesOf[command.kind].length > 0,
    judge({ resources, operations, at }) {
      const live = resources.find((resource) => resource.id === id);
      last = live;
      if (live && isBusy(live)) wasBusy = true;
      const isShown = live !== undefined && !isBusy(live) && hasComeTrue(command, live);
      if (!isShown) shownSince = undefined;
      else shownSince ??= at;
      const operation = context.operations.find(command.kind, id, operations);
      const shownForMs = shownSince === undefined ? 0 : at - shownSince;
      const verdict = judgeCommand({ command, live, operation, wasBusy, shownForMs });
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
  if (judgement.kind === 'done') return last;
  if (judgement.kind === 'failed') {
    const failureCode = judgement.failureCode ?? (await readFailureCode(context, job, id));
    throw operationFailed(change.address, command.kind, failureCode);
  }
  const minutes = Math.round((context.clock.now() - startedAt) / 60_000);
  throw timedOut(change.address, command.kind, minutes, status);
}

/** Why a create failed: asked for only now, since most creates do not. */
async function readFailureCode(context: RunContext, job: Job, id: string): Promise<string | null> {
  const { projectId } = placeOf(job.command);
  if (projectId === '') return null;
  const operations = await context.client.listOperations(projectId, { resourceId: id });
  return context.operations.find(job.command.kind, id, operations)?.failureCode ?? null;
}
