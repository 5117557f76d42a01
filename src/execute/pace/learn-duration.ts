import { ApiError } from '../../api/errors/errors.ts';
import { isRecorded } from '../../kinds/operation-types.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';
import type { CommandContext } from '../command/command-context.ts';
import type { Sending } from '../observe/operation-log.ts';
import { exactly, type Took } from '../observe/took.ts';

/** What was known between two looks no closer than this share of it. */
const wideShare = 0.1;

/** What has ended, on which resource. */
interface Ended {
  readonly command: ResolvedCommand;
  readonly id: string;
  /** What tells its record from others; undefined when there is none. */
  readonly sending: Sending | undefined;
  /** As far as our looks tell. */
  readonly took: Took;
}

/**
 * Notes how long a command took. Where our looks tell little, the record of the first of each kind is read: without it, what
 * has become quicker than it was would never be noticed.
 */
export async function learnDuration(
  { durations, operations }: CommandContext,
  { command, id, sending, took }: Ended,
): Promise<void> {
  const { kind } = command;
  const isWide = took.mostMs - took.leastMs > took.mostMs * wideShare;
  if (!isWide || !sending || !isRecorded(kind) || !durations.claimRecord(kind)) {
    durations.note(kind, took);
    return;
  }
  try {
    const { projectId } = placeOfCommand(command);
    const records = await operations.list(projectId, { resourceId: id });
    const [record] = operations.find(kind, id, records, sending);
    const { createdAt = null, completedAt = null } = record?.operation ?? {};
    const isTold = createdAt !== null && completedAt !== null;
    durations.note(kind, isTold ? exactly(completedAt - createdAt) : took);
  } catch (error) {
    // What was waited for has ended all the same.
    if (!(error instanceof ApiError)) throw error;
    durations.note(kind, took);
  }
}
