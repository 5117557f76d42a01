import { ApiError } from '../../api/errors/errors.ts';
import { isFinished } from '../../api/wire/operation-types.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { describeBusy, isBusy, isJudgedByRecord } from '../../kinds/outcome.ts';
import type { LiveResource, LiveVm } from '../../model/account/live.ts';
import { EvidenceTrail } from '../observe/evidence-trail.ts';
import { judgeCommand } from '../observe/classify-outcome.ts';
import type { OperationLog, Sending } from '../observe/operation-log.ts';
import type { Errand, ErrandContext, ErrandEnd } from './run-vm-operation.ts';

/** How long a released VM may be without the record that alone could tell how its operation ended. */
const missingRecordMs = 30_000;
/** How long a VM may stand idle as it was before, without a record, after a request was accepted. */
const noTraceMs = 60_000;
/** How long a request may take until the VM is seen busy, or shows the result. */
const showsInMs = 20_000;
/** How long to look for a sign of a request whose answer was lost, while nothing else is under way. */
const lostAnswerMs = 15_000;
/** How long to take an unpublished status for a lock, before the service is asked again. */
const doubtfulLockMs = 10_000;

/** A request that was sent. */
export interface SentErrand {
  readonly log: OperationLog;
  readonly sending: Sending;
  /** Why no answer came; undefined when the service accepted it. */
  readonly lost: Error | undefined;
}

/**
 * Waits until the record and the VM say how a request ended, or that nothing shows of it, or until interrupted. Reads
 * only.
 */
export async function awaitEnd(
  { observer, clock, interrupted }: ErrandContext,
  { command, deadline, isWaitedFor, onProgress }: Errand,
  { log, sending, lost }: SentErrand,
): Promise<ErrandEnd> {
  const { kind, vm: id } = command;
  const startedAt = clock.now();
  const isAccepted = lost === undefined;
  const acceptedQuietMs = isJudgedByRecord(kind) ? missingRecordMs : noTraceMs;
  const trail = new EvidenceTrail({
    ...{ command, id, isAccepted, wasSeen: true, sentAt: startedAt },
    quietMs: isAccepted ? acceptedQuietMs : lostAnswerMs,
    showsInMs,
    findRecords: (records) => log.find(kind, id, records, sending),
  });
  const unanswered: ErrandEnd = { kind: 'unseen', why: 'no-answer', status: 'sent', cause: lost };
  let status = 'accepted';
  if (isAccepted) onProgress('running', status);
  try {
    return await observer.await<ErrandEnd>({
      kind: 'vm',
      place: { projectId: command.project },
      id,
      deadline,
      endsInTime: true,
      needsOperations: true,
      wasSeen: () => true,
      judge(sighting) {
        const evidence = trail.note(sighting);
        const { operation } = evidence;
        const hasBegun = isAccepted || operation !== undefined;
        if (interrupted.aborted) return hasBegun ? { kind: 'accepted' } : unanswered;
        const verdict = judgeCommand(evidence);
        switch (verdict.kind) {
          case 'done':
          case 'failed':
            return { ...verdict, operation };
          case 'gone':
            return verdict;
          case 'silent':
            return isAccepted ? { kind: 'unseen', why: 'no-record', status } : unanswered;
          case 'waiting':
            if (!isWaitedFor && hasBegun) return { kind: 'accepted' };
            if (hasBegun && verdict.status !== status) {
              onProgress('running', (status = verdict.status));
            }
            return undefined;
        }
      },
      expire: () =>
        isAccepted
          ? { kind: 'unseen', why: 'timeout', status, waitedMs: clock.now() - startedAt }
          : unanswered,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // It was accepted and goes on, whether we can see it or not.
    return isAccepted ? { kind: 'unseen', why: 'unreadable', status, cause: error } : unanswered;
  }
}

/**
 * Waits until nothing holds the VM any more. `isRefused`: the service has just said that something does, so that a
 * status which nobody knows is believed for a while, too.
 * @returns true when something had been waited for, false when nothing was to be seen that holds it
 */
export async function sitOutLock(
  { observer, clock, interrupted }: ErrandContext,
  { command, deadline, onProgress }: Errand,
  isRefused: boolean,
): Promise<boolean> {
  let holder: string | undefined;
  await observer.await({
    kind: 'vm',
    place: { projectId: command.project },
    deadline: isRefused ? Math.min(deadline, clock.now() + doubtfulLockMs) : deadline,
    needsOperations: isRefused,
    judge({ resources, operations }) {
      const seen = describeHolder(
        findVm(resources, command.vm),
        isRefused ? operations : undefined,
      );
      if (seen === undefined || interrupted.aborted) return true;
      if (seen !== holder) onProgress('waiting', (holder = seen));
      return undefined;
    },
    expire: () => true,
  });
  interrupted.throwIfAborted();
  return holder !== undefined;
}

/** What holds a VM, in the service's words; with records, what may hold it as well. */
function describeHolder(
  vm: LiveVm | undefined,
  records: readonly LiveOperation[] | undefined,
): string | undefined {
  if (!vm) return undefined;
  if (isBusy(vm)) return describeBusy(vm);
  if (!records) return undefined;
  if (vm.operationStatus !== null && !isFinished({ status: vm.operationStatus })) {
    return describeBusy(vm);
  }
  const open = records.find(
    (record) => record.resourceId === vm.id && record.completedAt === null && !isFinished(record),
  );
  return open && `${open.type} ${open.status}`;
}

function findVm(resources: readonly LiveResource[], id: string): LiveVm | undefined {
  return resources.find((one): one is LiveVm => one.kind === 'vm' && one.id === id);
}
