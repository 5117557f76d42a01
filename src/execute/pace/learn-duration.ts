import { isRecordedAsOperation } from '../../kinds/operation-types.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { OperationRecordMatcher, OwnRequestTraits } from '../observe/operation-log.ts';
import { makeExactDurationBounds, type CommandDurationBounds } from '../observe/took.ts';
import type { DurationLog } from './durations.ts';

/** Share of a duration from which on two looks lie too far apart to learn it from them. */
const wideShare = 0.1;

/** Records of durations, and the operation records to learn them from. */
interface Logs {
  readonly durations: DurationLog;
  readonly operations: OperationRecordMatcher;
}

/** A command that has ended, with its resource. */
interface Ended {
  readonly command: ResolvedCommand;
  readonly id: string;
  /** Marks that identify its record; undefined when there are none. */
  readonly sending: OwnRequestTraits | undefined;
  /** Bounds of the command's duration, as far as looks at the account tell them. */
  readonly took: CommandDurationBounds;
}

/**
 * Notes how long a command took. Where our looks tell little, the record of the first of each kind is read: without it, what
 * has become quicker than it was would never be noticed. Nobody waits for that.
 */
export function learnCommandDuration(logs: Logs, ended: Ended): void {
  const { durations } = logs;
  const { took, sending } = ended;
  const { kind } = ended.command;
  const isWide = took.mostMs - took.leastMs > took.mostMs * wideShare;
  if (!isWide || !sending || !isRecordedAsOperation(kind) || !durations.claimRecord(kind)) {
    durations.note(kind, took);
    return;
  }
  readRecord(logs, ended, sending).then(
    (told) => durations.note(kind, told ?? took),
    () => durations.note(kind, took),
  );
}

/** Reads the duration from the operation record; undefined where none tells it. */
async function readRecord(
  { operations }: Logs,
  { command, id }: Ended,
  sending: OwnRequestTraits,
): Promise<CommandDurationBounds | undefined> {
  const { projectId } = placeOfCommand(command);
  const records = await operations.listOperations(projectId, { resourceId: id });
  const [record] = operations.find(command.kind, id, records, sending);
  const { createdAt = null, completedAt = null } = record?.operation ?? {};
  return createdAt === null || completedAt === null
    ? undefined
    : makeExactDurationBounds(completedAt - createdAt);
}
