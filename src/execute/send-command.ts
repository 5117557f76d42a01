import { classifyRefusal, isCertainlyRefused } from '../api/classify-error.ts';
import type { Place } from '../api/decode.ts';
import { OutcomeUnknownError, ServiceError } from '../api/errors.ts';
import { describeBusy, isBusy } from '../kinds/outcome.ts';
import { commandSubjects, subjectId, type ResolvedCommand } from '../model/command.ts';
import type { LiveResource } from '../model/live.ts';
import type { KindName } from '../model/resource.ts';
import { placeOf, type Job, type RunContext } from './run-context.ts';

/** What came of sending. `unsure`: no complete answer, it may or may not have been carried out. */
export type Sent =
  | { readonly kind: 'accepted'; readonly resource: LiveResource | undefined }
  | { readonly kind: 'unsure'; readonly cause: Error };

/** How often a conflict is tried again although nothing that is involved looks busy: what we read may lag. */
const unexplainedConflicts = 4;

/**
 * Sends a command and sits out the locks of what it involves, up to the job's deadline.
 * @throws ApiError when the service refuses for good
 */
export async function sendCommand(context: RunContext, job: Job): Promise<Sent> {
  let unexplained = 0;
  for (;;) {
    try {
      const accepted = await context.client.send(job.command);
      return {
        kind: 'accepted',
        resource: accepted.kind === 'done' ? accepted.resource : undefined,
      };
    } catch (error) {
      if (error instanceof OutcomeUnknownError) return { kind: 'unsure', cause: error };
      if (!(error instanceof ServiceError)) throw error;
      const meaning = classifyRefusal(error);
      if (meaning === 'notFound' && commandSubjects[job.command.kind].effect === 'delete') {
        return { kind: 'accepted', resource: undefined };
      }
      if (meaning === 'unavailable' && !isCertainlyRefused(error)) {
        return { kind: 'unsure', cause: error };
      }
      if (meaning !== 'conflict' || context.clock.now() >= job.deadline) throw error;
      if (await sitOutLock(context, job)) continue;
      if (unexplained >= unexplainedConflicts) throw error;
      await context.clock.sleep(500 * 2 ** unexplained);
      unexplained += 1;
    }
  }
}

/** Waits until nothing that the command involves is busy; false when nothing was. */
async function sitOutLock(context: RunContext, job: Job): Promise<boolean> {
  let hasWaited = false;
  for (const { kind, place, id } of involvedIn(job.command)) {
    const live = await context.client.get(kind, place, id);
    if (!live || !isBusy(live)) continue;
    hasWaited = true;
    await awaitIdle(context, job, kind, place, id, describeBusy(live));
  }
  return hasWaited;
}

/** Waits until one resource is idle or gone, or the deadline is over. */
export async function awaitIdle(
  context: RunContext,
  job: Omit<Job, 'command'>,
  kind: KindName,
  place: Place,
  id: string,
  because: string,
): Promise<LiveResource | undefined> {
  const { address } = job.change;
  const status = `waiting for a lock: ${because}`;
  context.emit({ kind: 'progress', address, step: job.step, status, at: context.clock.now() });
  const seen = await context.observer.await<{ live: LiveResource | undefined }>({
    kind,
    place,
    needsOperations: false,
    deadline: job.deadline,
    judge({ resources }) {
      const live = resources.find((resource) => resource.id === id);
      return live && isBusy(live) ? undefined : { live };
    },
    expire: () => ({ live: undefined }),
  });
  return seen.live;
}

/** The resources whose state can make the service answer a command with a conflict. */
function involvedIn(command: ResolvedCommand): { kind: KindName; place: Place; id: string }[] {
  const place = placeOf(command);
  const inProject = { projectId: place.projectId };
  const subject = subjectId(command);
  const involved = [];
  if (subject !== undefined) {
    involved.push({ kind: commandSubjects[command.kind].kind, place, id: subject });
  }
  if ('network' in command && command.kind !== 'deleteNetwork') {
    involved.push({ kind: 'network' as const, place: inProject, id: command.network });
  }
  if (command.kind === 'createPortForward' || command.kind === 'updatePortForward') {
    involved.push({ kind: 'vm' as const, place: inProject, id: command.vm });
    involved.push({ kind: 'publicIp' as const, place: inProject, id: command.publicIp });
  }
  if (command.kind === 'createVm' && command.publicIp !== 'new' && command.publicIp !== 'none') {
    involved.push({ kind: 'publicIp' as const, place: inProject, id: command.publicIp });
  }
  return involved;
}
