import type { CommandName, ResolvedCommand } from '../model/account/command.ts';
import { commandSubjects } from '../model/account/command.ts';
import { getLiveName, getLiveStatus, type LiveResource } from '../model/account/live.ts';
import { lifecycleStatusWords } from '../model/wire/decode-fields.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { findCommandFacts } from './find-facts.ts';
import { isOperationFinished, mayRecordKind } from './operation-types.ts';
import type { ShownResourceOperation } from './traits.ts';
import { kindRegistry } from './registry.ts';
import { compareToldValue, type ToldValueMatch } from './told.ts';

const unfinished = new Set(['queued', 'running', 'inprogress']);

/** Operation under way on a resource, for a kind whose status does not show it. */
export function readUnderwayOperation(live: LiveResource): ShownResourceOperation {
  return kindRegistry[live.kind].traits.lock?.workOf(live) ?? { operation: null, status: null };
}

/** Tells whether the service is making, changing or deleting a resource, or holds it locked for an operation. */
export function isResourceBusy(live: LiveResource): boolean {
  if (hasUnknownStatus(live)) return live.isAtRest !== true;
  const status = getLiveStatus(live);
  if (status !== undefined && status !== 'active' && status !== 'failed') return true;
  // A backup leaves a VM `active` though it is locked: only its operation shows that.
  return unfinished.has((readUnderwayOperation(live).status ?? '').toLowerCase());
}

/**
 * Tells whether a resource has a status that the contract does not define, and no operation that is under way: whether the
 * service is done with it, only the record of an operation says.
 */
export function hasUnknownStatus(live: LiveResource): boolean {
  const status = getLiveStatus(live);
  if (status === undefined || lifecycleStatusWords.some((word) => word === status)) return false;
  return !unfinished.has((readUnderwayOperation(live).status ?? '').toLowerCase());
}

/** A resource on which the service has ended its work: where its status does not tell that, it is marked. */
export function markAtRest<R extends LiveResource>(live: R): R {
  return hasUnknownStatus(live) ? { ...live, isAtRest: true } : live;
}

/**
 * Marks a resource whose status says nothing as at rest, unless the latest operation record on it is still open. Any other
 * resource stays as it is.
 */
export function markAtRestByRecords<R extends LiveResource>(
  live: R,
  operations: readonly LiveOperation[],
): R {
  const latest = findLatestRecord(live, operations);
  const isOpen = latest?.completedAt === null && !isOperationFinished(latest);
  return isOpen ? live : markAtRest(live);
}

/**
 * Tells whether an operation on a resource whose status says nothing may be older than the newest records of its project,
 * `mostRead` of which are read at a time.
 */
export function mayHaveOlderRecord(
  live: LiveResource,
  newest: readonly LiveOperation[],
  mostRead: number,
): boolean {
  return hasUnknownStatus(live) && newest.length >= mostRead && !findLatestRecord(live, newest);
}

/** The newest record of an operation on a resource; the id alone may be that of a resource of another kind, too. */
function findLatestRecord(
  { id, kind }: LiveResource,
  operations: readonly LiveOperation[],
): LiveOperation | undefined {
  return operations.find((one) => one.resourceId === id && mayRecordKind(one, kind));
}

/** Words for the operation on a busy resource, in the service's own terms. */
export function describeBusyResource(live: LiveResource): string {
  const status = getLiveStatus(live) ?? 'busy';
  const work = readUnderwayOperation(live);
  return work.operation === null ? status : `${work.operation} ${work.status ?? status}`;
}

/** Tells whether a command's result never shows on its resource: then only the operation record has it. */
export function isJudgedByRecord(command: CommandName): boolean {
  return findCommandFacts(command).isJudgedByRecord === true;
}

/** Tells whether a command rebuilds its resource, which loses the resource's data. */
export function isRebuildCommand(command: CommandName): boolean {
  return findCommandFacts(command).isRebuild === true;
}

/** Tells whether a command replaces the data of its resource by that of a backup. */
export function isRestoreCommand(command: CommandName): boolean {
  return findCommandFacts(command).isRestore === true;
}

/** The most that the newest backup may be old for a command to make no other, in milliseconds; undefined for all but a due one. */
export function readMaxBackupAgeMs(command: Pick<ResolvedCommand, 'kind'>): number | undefined {
  return 'maxAgeMs' in command ? (command.maxAgeMs as number | undefined) : undefined;
}

/** Tells whether a command makes a backup: before a rebuild loses the disk, or since one is due. */
export function isBackupCommand(command: CommandName): boolean {
  return findCommandFacts(command).procedure?.kind === 'backup';
}

/**
 * Tells whether the live record shows the result of a command; undefined stands for a resource that is gone. The operation
 * may still be under way: see `isResourceBusy`.
 */
export function hasCommandTakenEffect(
  command: ResolvedCommand,
  live: LiveResource | undefined,
): boolean {
  return compareShown(command, live) === 'same';
}

/** As `hasCommandTakenEffect`, and true where the service does not report the requested values: something else has to show the end then. */
export function mayHaveTakenEffect(
  command: ResolvedCommand,
  live: LiveResource | undefined,
): boolean {
  return compareShown(command, live) !== 'other';
}

function compareShown(command: ResolvedCommand, live: LiveResource | undefined): ToldValueMatch {
  const { kind, effect } = commandSubjects[command.kind];
  if (effect === 'delete') return live === undefined ? 'same' : 'other';
  if (live?.kind !== kind) return 'other';
  const shown = findCommandFacts(command.kind).compareShown?.(live, command);
  if (shown) return shown;
  if (effect === 'create') return 'same';
  return 'name' in command ? compareToldValue(getLiveName(live), command.name) : 'other';
}

/** Tells whether a resource's kind has a status that the service does not report. */
export function hasUntoldStatus(live: LiveResource): boolean {
  return 'status' in live && live.status === undefined;
}
