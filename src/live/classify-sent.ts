import {
  isRecordedAsOperation,
  matchRecordWithCommand,
  readOperationOutcome,
} from '../kinds/operation-types.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import {
  hasCommandTakenEffect,
  isResourceBusy,
  isJudgedByRecord,
  isRebuildCommand,
  isRestoreCommand,
  readUnderwayOperation,
} from '../kinds/outcome.ts';
import { commandSubjects, type ResolvedCommand } from '../model/account/command.ts';
import {
  indexById,
  getLiveStatus,
  type LiveResource,
  type LiveSnapshot,
} from '../model/account/live.ts';
import type { SentCommand, SentCommands, SentCommandOutcome, State } from '../model/state/state.ts';

/** Largest difference between the clocks of the servers that write records and `Date` headers. */
const clockToleranceMs = 2_000;

/**
 * Outcomes of commands that earlier runs sent and saw no end of, by live id, as far as the account shows one: work under way,
 * or failed. For all others their resource shows if they have come about. `operations` are the newest records of the projects
 * concerned, the newest first.
 */
export function classifySentCommands(
  sent: SentCommands,
  live: LiveSnapshot,
  operations: readonly LiveOperation[],
  managed: State['resources'] = new Map(),
): ReadonlyMap<string, SentCommandOutcome> {
  const byId = indexById(live.resources);
  const sentOutcomes = new Map<string, SentCommandOutcome>();
  for (const [id, one] of sent) {
    const resource = byId.get(id);
    const record = findRecord(one, id, operations);
    const sentOutcome = resource && classify(one, resource, record, isAwaited(one, managed));
    if (sentOutcome) sentOutcomes.set(id, sentOutcome);
  }
  return sentOutcomes;
}

/**
 * Tells whether the record of a command decides, however late it shows: a rebuild that can be taken back, since the next backup
 * would be of what it has left, and a restore, since a second one would lose what was written meanwhile.
 */
function isAwaited(
  { address, command, acceptedAt }: SentCommand,
  managed: State['resources'],
): boolean {
  if (!managed.get(address)?.wayBack) return false;
  return (
    isRestoreCommand(command.kind) || (isRebuildCommand(command.kind) && acceptedAt !== undefined)
  );
}

function classify(
  { command }: SentCommand,
  live: LiveResource,
  record: LiveOperation | undefined,
  isAwaited: boolean,
): SentCommandOutcome | undefined {
  const outcome = record && readOperationOutcome(record);
  if (outcome === 'failed') return 'failed';
  if (isResourceBusy(live)) {
    const isOver = outcome === 'succeeded';
    return !isOver && isWorkOf(command, live) ? 'underway' : undefined;
  }
  // A list may lag behind the record, and a record behind the list.
  const isShown = !isJudgedByRecord(command.kind) && hasCommandTakenEffect(command, live);
  if (outcome === 'succeeded') return 'done';
  if (isAwaited && !isShown) return 'underway';
  return outcome === 'unfinished' && !isShown ? 'underway' : undefined;
}

/** Tells whether the work that keeps a resource busy may be the command's, as far as the resource's status tells. */
function isWorkOf({ kind }: ResolvedCommand, live: LiveResource): boolean {
  if (!isRecordedAsOperation(kind)) return false;
  const { operation: type } = readUnderwayOperation(live);
  if (type !== null) return matchRecordWithCommand({ type }, kind) !== 'no';
  const { effect } = commandSubjects[kind];
  const status = getLiveStatus(live);
  switch (status) {
    case 'creating':
      return effect === 'create';
    case 'updating':
      return effect === 'update';
    case 'deleting':
      return effect === 'delete';
    default:
      return true;
  }
}

/** The newest record that may be the command's: none that is older than its request. */
function findRecord(
  { command, serviceAt }: SentCommand,
  id: string,
  operations: readonly LiveOperation[],
): LiveOperation | undefined {
  if (!isRecordedAsOperation(command.kind) || serviceAt === undefined) return undefined;
  const later = operations.filter(
    ({ resourceId, createdAt }) =>
      resourceId === id && createdAt !== null && createdAt >= serviceAt - clockToleranceMs,
  );
  const named = later.find((one) => matchRecordWithCommand(one, command.kind) === 'yes');
  return named ?? later.find((one) => matchRecordWithCommand(one, command.kind) === 'maybe');
}
