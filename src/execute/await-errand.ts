import { ApiError } from '../api/errors.ts';
import { isFinished } from '../api/operation-types.ts';
import type { LiveOperation } from '../api/operation.ts';
import { describeBusy, hasComeTrue, isBusy, isJudgedByRecord } from '../kinds/outcome.ts';
import type { LiveResource, LiveVm } from '../model/live.ts';
import { judgeCommand } from './judge.ts';
import type { OperationLog } from './operation-log.ts';
import type { Errand, ErrandContext, ErrandEnd } from './run-errand.ts';

/** How long a released VM may be without the record that alone could tell how its operation ended. */
const missingRecordMs = 30_000;
/** How long to look for a sign of a request whose answer was lost. */
const lostAnswerMs = 15_000;
/** How long to take an unpublished status for a lock, before the service is asked again. */
const doubtfulLockMs = 10_000;

/** Waits until the record and the VM say how an accepted request ended, or until interrupted. Reads only. */
export async function awaitEnd(
  { observer, clock, interrupted }: ErrandContext,
  { command, deadline, onProgress }: Errand,
  log: OperationLog,
): Promise<ErrandEnd> {
  let wasBusy = false;
  let shownSince: number | undefined;
  let idleSince: number | undefined;
  let status = 'accepted';
  onProgress('running', status);
  const startedAt = clock.now();
  try {
    return await observer.await<ErrandEnd>({
      kind: 'vm',
      place: { projectId: command.project },
      deadline,
      needsOperations: true,
      judge({ resources, operations, at }) {
        const live = findVm(resources, command.vm);
        const isIdle = live !== undefined && !isBusy(live);
        if (live && !isIdle) wasBusy = true;
        idleSince = isIdle ? (idleSince ?? at) : undefined;
        shownSince = isIdle && hasComeTrue(command, live) ? (shownSince ?? at) : undefined;
        const operation = log.find(command.kind, command.vm, operations);
        if (interrupted.aborted) return { kind: 'accepted' };
        const idleForMs = at - (idleSince ?? at);
        const shownForMs = at - (shownSince ?? at);
        const verdict = judgeCommand({ command, live, operation, wasBusy, idleForMs, shownForMs });
        if (verdict.kind !== 'waiting') return { ...verdict, operation };
        if (!operation && idleForMs >= missingRecordMs && isJudgedByRecord(command.kind)) {
          return { kind: 'unseen', why: 'no-record', status };
        }
        if (verdict.status !== status) onProgress('running', (status = verdict.status));
        return undefined;
      },
      expire: () => ({ kind: 'unseen', why: 'timeout', status, waitedMs: clock.now() - startedAt }),
    });
  } catch (error) {
    // It was accepted and goes on, whether we can see it or not.
    if (error instanceof ApiError)
      return { kind: 'unseen', why: 'unreadable', status, cause: error };
    throw error;
  }
}

/** Looks for a sign that a request whose answer was lost was carried out after all. */
export function awaitTrace(
  { observer, clock }: ErrandContext,
  { command }: Errand,
  log: OperationLog,
): Promise<boolean> {
  return observer.await({
    kind: 'vm',
    place: { projectId: command.project },
    deadline: clock.now() + lostAnswerMs,
    needsOperations: true,
    judge({ resources, operations }) {
      const live = findVm(resources, command.vm);
      const hasTrace =
        log.find(command.kind, command.vm, operations) !== undefined ||
        (live !== undefined && (isBusy(live) || hasComeTrue(command, live)));
      return hasTrace || undefined;
    },
    expire: () => false,
  });
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
