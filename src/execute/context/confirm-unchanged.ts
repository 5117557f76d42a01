import { isBackupCommand, isRebuildCommand, readMaxBackupAgeMs } from '../../kinds/outcome.ts';
import { findChangesSincePlan, hasReviewedAttributes } from '../../kinds/unseen-changes.ts';
import { readBackupsByVm } from '../../api/backups.ts';
import type { ResourceAddress } from '../../model/address.ts';
import {
  commandSubjects,
  findCommandSubjectId,
  type ResolvedCommand,
} from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { Change } from '../../model/plan/plan.ts';
import { isEqual } from '../../model/value.ts';
import { ChangeFailure } from './failure.ts';
import { readLiveAttributesAsPlanned } from './managed.ts';
import type { RunContext } from './run-context.ts';

/**
 * Tells whether a command loses what cannot be had back, the resource or what it holds; also for the backup before such a
 * command, which may push out the oldest one. A backup that is due does not count: it is made of whatever the resource is by now.
 */
export function isLossOrBackupBeforeLoss(command: ResolvedCommand): boolean {
  const { kind } = command;
  if (readMaxBackupAgeMs(command) !== undefined) return false;
  return (
    commandSubjects[kind].effect === 'delete' || isRebuildCommand(kind) || isBackupCommand(kind)
  );
}

/**
 * Compares a resource with what the plan said it would be. What was busy when it was planned may come to an end that
 * nobody could foresee then.
 * @throws ChangeFailure `changed-since-plan`
 */
export function confirmResourceAsPlanned(
  context: RunContext,
  change: Change,
  live: LiveResource,
): void {
  const { address, after, configured, sensitive } = change;
  const attributes = readLiveAttributesAsPlanned(context, change, live);
  const changes = configured
    .filter((name) => after?.[name] !== undefined && name in attributes)
    .filter((name) => !isEqual(after?.[name] ?? null, attributes[name] ?? null))
    .map((name) =>
      sensitive.includes(name)
        ? `${name} is another`
        : `${name} is ${JSON.stringify(attributes[name] ?? null)}`,
    );
  if (changes.length === 0) return;
  throw new ChangeFailure({
    severity: 'error',
    code: 'changed-since-plan',
    summary: 'Another client changed it after it was planned',
    detail: `It was busy when the plan was made. Found afterwards: ${changes.join('; ')}.`,
    hint: 'Plan again, and review the new plan.',
    address,
  });
}

/**
 * Reads a resource once more right before a command destroys it, and compares it with what the plan was made on: what
 * was approved is destroyed, and nothing else.
 * @returns the resource as it is, or as it was planned where nothing shows it
 * @throws ChangeFailure `changed-since-plan` when somebody changed it meanwhile; ApiError when it cannot be read
 */
export async function confirmUnchangedBeforeDestroy(
  context: RunContext,
  change: Change,
  command: ResolvedCommand,
): Promise<LiveResource | undefined> {
  const { kind, effect } = commandSubjects[command.kind];
  const id = findCommandSubjectId(command) ?? '';
  const planned = context.planned.liveById.get(id);
  if (planned && !hasReviewedAttributes(kind)) return planned;
  const fresh = await context.batchedRead.read(kind, placeOfCommand(command), id);
  // A single answer that it is not there may be wrong: whether there is anything to delete, its delete says.
  if (!fresh && effect === 'delete') return planned;
  requireUnchanged(context, change, command, fresh);
  await requireNoNewBackup(context, change, command);
  return fresh;
}

/**
 * Refuses a destruction that would delete more backups than the plan counted, since those were never approved.
 * @throws as `confirmUnchangedBeforeDestroy` does
 */
async function requireNoNewBackup(
  { client }: RunContext,
  { address, lostBackups, displacedBackup }: Change,
  command: ResolvedCommand,
): Promise<void> {
  // A displaced backup is confirmed before the backup that displaces it.
  if (typeof lostBackups !== 'number' || displacedBackup !== undefined) return;
  const vmId = findCommandSubjectId(command) ?? '';
  const { projectId } = placeOfCommand(command);
  const listed = (await readBackupsByVm(client, [{ projectId, vmId }])).get(vmId) ?? [];
  if (listed.length <= lostBackups) return;
  throw explainChanges(address, command, [
    `it has ${counted(listed.length)}, and the plan counted ${lostBackups}`,
  ]);
}

function counted(backups: number): string {
  return backups === 1 ? '1 backup' : `${backups} backups`;
}

/**
 * Compares what a command destroys, as it was just read, with what the plan was made on.
 * @throws as `confirmUnchangedBeforeDestroy` does
 */
export function requireUnchanged(
  { planned: { liveById, live }, history: { carriedOut } }: RunContext,
  { address, sensitive }: Change,
  command: ResolvedCommand,
  fresh: LiveResource | undefined,
): void {
  const id = findCommandSubjectId(command) ?? '';
  const planned = liveById.get(id);
  const changes =
    fresh && planned
      ? findChangesSincePlan(planned, fresh, carriedOut.get(id) ?? [], live.catalog, sensitive)
      : ['it is gone'];
  if (changes.length > 0) throw explainChanges(address, command, changes);
}

function explainChanges(
  address: ResourceAddress,
  { kind }: ResolvedCommand,
  changes: readonly string[],
): ChangeFailure {
  const { effect } = commandSubjects[kind];
  return new ChangeFailure({
    severity: 'error',
    code: 'changed-since-plan',
    summary: 'Somebody changed it since the plan was made, so nothing was destroyed',
    detail: `Found right before it was to be ${effect === 'delete' ? 'deleted' : 'rebuilt'}: ${changes.join('; ')}.`,
    hint: 'Plan again, and review the new plan.',
    address,
  });
}
