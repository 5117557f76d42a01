// The backup before a rebuild, and the one that is due. The rebuild that follows destroys what it is made of, so nothing short of seeing it in
// the list will do: an operation record may belong to somebody else's backup, and an older backup is not this one. One that
// was made for an earlier attempt at the rebuild is used again: each more may push out what a person has made. One that is due is
// made only where the newest is still too old right before the request: another run, or a person, may have made one.
import type { ServiceClient } from '../../api/client.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { listBackups, type VmPathIds } from '../../api/backups.ts';
import { readRecordsIfTold } from '../../api/operation-records.ts';
import { recordRebuildBackup } from '../../kinds/carry-out.ts';
import { isOverwritingOperation, readOperationOutcome } from '../../kinds/operation-types.ts';
import { readMaxBackupAgeMs } from '../../kinds/outcome.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { findCommandSubjectId, type ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Clock } from '../../model/runtime.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import {
  describeDisplacedBackup,
  findDisplacedBackup,
  findFreshBackup,
  sortBackupsNewestFirst,
  type Backup,
} from '../../model/account/vm-work.ts';
import { isLossOrBackupBeforeLoss, requireUnchanged } from '../context/confirm-unchanged.ts';
import { ChangeFailure, describeFailureCode } from '../context/failure.ts';
import { makeUnreadableAccountFailure } from '../context/open-failures.ts';
import { recordCommandIntent } from './record-command.ts';
import type { ChangeCommandJob, RunContext } from '../context/run-context.ts';
import { runVmOperation, type VmOperationEnd } from './run-vm-operation.ts';

/** Number of looks for the list entry of a finished backup, and the time between two of them. */
const looks = 10;
const lookEveryMs = 1_000;

/** Clock difference tolerated between the servers that list backups and those that write `Date` headers. */
const clockToleranceMs = 2_000;

/**
 * Time during which a backup serves later attempts at its rebuild: after it, too much was written that the backup does not
 * hold.
 */
const servesForMs = 24 * 3_600_000;

/** The VM whose backup list a command adds to. */
function listedAt(command: ResolvedCommand): VmPathIds {
  const { projectId } = placeOfCommand(command);
  return { projectId, vmId: findCommandSubjectId(command) ?? '' };
}

/**
 * Makes a backup of a resource and returns once the list of backups shows it, under an id that the list did not show right
 * before the request; at once where the backup of an earlier attempt is still good.
 * @throws ChangeFailure when it failed or was not seen, or would push out a backup that the plan does not name; ApiError
 * when the service refuses
 */
export async function runBackup(context: RunContext, job: ChangeCommandJob): Promise<void> {
  const { client } = context;
  const { change, command, deadline, report } = job;
  const { address } = change;
  const place = listedAt(command);
  let known: ReadonlySet<string> = new Set();
  let kept: Backup | undefined;
  // A backup that the service has accepted is waited for in spite of an interrupt: see TaskInterruptedError for the commands
  // after it.
  const uninterrupted = { ...context, interrupted: new AbortController().signal };
  const end = await runVmOperation(uninterrupted, {
    address,
    command,
    deadline,
    isWaitedFor: true,
    // Asked for again whenever another operation had to be sat out: that one may have been a backup, too.
    approve: async (live) => {
      if (isLossOrBackupBeforeLoss(command)) requireUnchanged(context, change, command, live);
      const backups = await listBackups(client, place);
      kept = await findKept(context, job, backups, { mustBeProven: true });
      if (kept) return false;
      confirmDisplaced(job, findDisplacedBackup(backups));
      known = new Set(backups.map(({ id }) => id));
      await recordCommandIntent(context, address, command);
      return true;
    },
    onProgress: (_phase, status) => report({ kind: 'running', status: `backup: ${status}` }),
  });
  const mayBeMade = end.kind === 'done' || end.kind === 'unseen';
  const made = kept ?? (mayBeMade ? await findNew(context, job, end, known) : undefined);
  if (!made) throw noBackup(job, end);
  await recordMade(context, job, made);
}

/** Looks for the entry of a backup that has ended: the list may lag behind its record. @throws ApiError */
export async function awaitListedBackup(
  { client, clock }: { readonly client: ServiceClient; readonly clock: Clock },
  place: VmPathIds,
  find: (backups: readonly Backup[]) => Backup | undefined | Promise<Backup | undefined>,
): Promise<Backup | undefined> {
  for (let look = 1; ; look += 1) {
    const found = await find(await listBackups(client, place));
    if (found || look === looks) return found;
    await clock.sleep(lookEveryMs);
  }
}

/** A search for a backup of an earlier attempt. */
interface KeptBackupSearch {
  /** Set where a new backup can be made instead: then it must be known that nothing has overwritten the disk since. */
  readonly mustBeProven: boolean;
}

/**
 * A finished backup of what a resource holds now that was made since it was first asked for: what an earlier attempt at its
 * rebuild has left. @throws ApiError
 */
export async function findReusableRebuildBackup(
  client: Pick<ServiceClient, 'listOperations'>,
  { id, projectId, rebuildBackup }: ManagedResource,
  backups: readonly Backup[],
  now: number,
  { mustBeProven }: KeptBackupSearch,
): Promise<Backup | undefined> {
  if (!rebuildBackup || now - rebuildBackup.at >= servesForMs) return undefined;
  const since = (rebuildBackup.serviceAt ?? Number.POSITIVE_INFINITY) - clockToleranceMs;
  const kept = sortBackupsNewestFirst(backups).find(
    (one) => one.status === 'active' && (one.id === rebuildBackup.id || isMadeSince(one, since)),
  );
  if (!kept) return undefined;
  const madeAt = kept.createdAt ?? since;
  // A restore, or a rebuild by somebody else, puts something in its place that the backup does not hold.
  const operations = await readRecordsIfTold(client, projectId, { resourceId: id });
  if (!operations) return mustBeProven ? undefined : kept;
  const isOverwritten = operations.some(
    (one) =>
      isOverwritingOperation(one) &&
      readOperationOutcome(one) !== 'failed' &&
      isMadeSince(one, madeAt),
  );
  return isOverwritten ? undefined : kept;
}

function isMadeSince({ createdAt }: { readonly createdAt: number | null }, at: number): boolean {
  return createdAt !== null && createdAt >= at;
}

function findKept(
  { client, clock, store }: RunContext,
  { change: { address }, command }: ChangeCommandJob,
  backups: readonly Backup[],
  search: KeptBackupSearch,
): Backup | Promise<Backup | undefined> | undefined {
  const maxAgeMs = readMaxBackupAgeMs(command);
  if (maxAgeMs !== undefined) return findFreshBackup(backups, maxAgeMs, clock.now());
  const managed = store.state.resources.get(address);
  if (!managed || managed.id !== findCommandSubjectId(command)) return undefined;
  return findReusableRebuildBackup(client, managed, backups, clock.now(), search);
}

/** Tells whether the backup that an earlier run requested shows in the list of backups, after waiting for it. @throws ApiError */
export async function isRequestedBackupListed(
  context: RunContext,
  job: ChangeCommandJob,
): Promise<boolean> {
  const find = (backups: readonly Backup[]) =>
    findKept(context, job, backups, { mustBeProven: false });
  return (await awaitListedBackup(context, listedAt(job.command), find)) !== undefined;
}

/**
 * The backup that was made before a rebuild, for this attempt or an earlier one. @throws ChangeFailure where the list has none;
 * ApiError
 */
export async function requireRebuildBackup(
  context: RunContext,
  job: ChangeCommandJob,
): Promise<Backup> {
  const found = await findKept(
    context,
    job,
    await listBackups(context.client, listedAt(job.command)),
    { mustBeProven: false },
  );
  if (!found) throw noBackup(job, { kind: 'done', operation: undefined });
  return found;
}

/** Refuses a backup that would push out another one than the plan's approval names. @throws ChangeFailure `changed-since-plan` */
function confirmDisplaced(
  { change: { address, displacedBackup }, command }: ChangeCommandJob,
  displaced: Backup | undefined,
): void {
  if (!displaced || displaced.id === displacedBackup) return;
  throw new ChangeFailure({
    severity: 'error',
    code: 'changed-since-plan',
    summary: `The backup ${isLossOrBackupBeforeLoss(command) ? 'before the rebuild' : 'that is due'} would delete one that the plan does not name`,
    detail: `Nothing was sent. ${describeDisplacedBackup(displaced)}`,
    hint: 'Plan again, and review the new plan.',
    address,
  });
}

/** The state knows from here on which backup further attempts at the rebuild use. */
async function recordMade(
  { store }: RunContext,
  { change: { address }, command }: ChangeCommandJob,
  { id: backupId }: Backup,
): Promise<void> {
  const id = findCommandSubjectId(command) ?? '';
  const sent = store.state.sent?.get(id);
  const managed = store.state.resources.get(address);
  if (!sent || managed?.id !== id) return;
  await store.record({ kind: 'ended', id, resource: recordRebuildBackup(managed, sent, backupId) });
}

async function findNew(
  context: RunContext,
  { change, command }: ChangeCommandJob,
  end: VmOperationEnd,
  known: ReadonlySet<string>,
): Promise<Backup | undefined> {
  try {
    return await awaitListedBackup(context, listedAt(command), (backups) =>
      backups.find(({ id, status }) => !known.has(id) && status === 'active'),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isAccepted = !(end.kind === 'unseen' && end.why === 'no-answer');
    throw makeUnreadableAccountFailure(change.address, command.kind, error, isAccepted);
  }
}

function noBackup(
  { change: { address, kind }, command }: ChangeCommandJob,
  end: VmOperationEnd,
): ChangeFailure {
  const { label } = kindRegistry[kind];
  const isDue = readMaxBackupAgeMs(command) !== undefined;
  const diagnostic: Diagnostic = {
    severity: 'error',
    code: 'backup-failed',
    summary: `${end.kind === 'unseen' ? 'No backup was seen' : 'There is no backup'}, ${isDue ? 'and one is due' : `so the ${label} was not rebuilt`}: ${sayWhy(label, end)}`,
    ...(end.kind === 'failed' && { detail: describeFailureCode(end.failureCode) }),
    hint: isDue
      ? 'Apply again: the backup is still due.'
      : 'Apply again, or remove backupFirst to rebuild it without a backup.',
    address,
  };
  return new ChangeFailure(diagnostic, { isUnknown: end.kind === 'unseen' });
}

function sayWhy(label: string, end: VmOperationEnd): string {
  switch (end.kind) {
    case 'failed':
      return `the service failed to make it${end.failureCode === null ? '' : ` (${end.failureCode})`}`;
    case 'gone':
      return `the service has no such ${label} any more`;
    case 'locked':
      return `other work on the ${label} did not end in time`;
    default:
      return 'it was requested, and is not in the list of backups';
  }
}
