// The text of a lock on its ref: Terraform's keys, and how often its holder gave a sign of life. The ref is never
// deleted: a lock that was released or removed still says so, and its epoch is what the next one counts from.
import { InternalError } from '../../../model/errors.ts';
import { createUnknownInfo } from '../../lock/lock-file.ts';
import { decodeInfo, type LockInfo } from '../../lock/lock-info.ts';
import { writeCommits, type CommitDraft, type ObjectId } from './commit-writer.ts';
import type { Repository } from './git-program.ts';
import type { RemoteBranch } from './remote-branch.ts';

/** How a lock has ended: by its holder, or by `force-unlock`. */
export type LockEnd = 'released' | 'removed';

/** What a commit of the lock's ref says. */
export interface LockRecord {
  readonly info: LockInfo;
  /** Rises with each commit of one holder: no two commits of the ref are alike, so each tells what was pushed. */
  readonly beat: number;
  /** When the commit was made, by the clock of the holder's machine; milliseconds since the Unix epoch. */
  readonly at: number;
  /** Undefined while it is held. */
  readonly end?: LockEnd;
}

/** The name of the lock's text in its commit. */
const lockRecordName = 'lock.json';

/** The commit of a record, for `writeCommits`. It follows none: the ref of the lock has no history that would grow. */
export function draftLockCommit(record: LockRecord): CommitDraft {
  const { info, beat, at, end = 'held' } = record;
  const message = `Hostwright: lock ${info.Epoch ?? 0} ${end}, beat ${beat}\n`;
  return { message, at, path: lockRecordName, text: [Buffer.from(encodeLockRecord(record))] };
}

/** Makes the commit of a record. Rejects with a BackendError. */
export async function writeLockCommit(
  repository: Repository,
  record: LockRecord,
): Promise<ObjectId> {
  const [written] = await writeCommits(repository, [draftLockCommit(record)]);
  if (!written) throw new InternalError('A commit was asked for, and none was made.');
  return written.commit;
}

/** What a commit of the lock's ref says that is here. Rejects with a BackendError. */
export async function readLockRecord(remote: RemoteBranch, lock: ObjectId): Promise<LockRecord> {
  const answer = await remote.repository.git(['cat-file', 'blob', `${lock}:${lockRecordName}`]);
  const text = answer.status === 0 ? answer.stdout.toString('utf8') : '';
  return decodeLockRecord(text, remote.place);
}

/** The text of a record. */
function encodeLockRecord({ info, beat, at, end }: LockRecord): string {
  const Beaten = new Date(at).toISOString();
  return `${JSON.stringify({ ...info, Beat: beat, Beaten, ...(end && { End: end }) }, null, 2)}\n`;
}

/** Takes a text apart. One that is no lock's is a lock nonetheless, of an unknown holder. */
function decodeLockRecord(text: string, place: string): LockRecord {
  const decoded = decodeInfo(text);
  if (!decoded) return { info: createUnknownInfo(place, 0), beat: 0, at: 0 };
  const { Beat, Beaten, End, ...info } = decoded as LockInfo & {
    readonly [Key in 'Beat' | 'Beaten' | 'End']?: unknown;
  };
  const at = typeof Beaten === 'string' ? Date.parse(Beaten) : 0;
  return {
    info,
    beat: typeof Beat === 'number' ? Beat : 0,
    at: Number.isFinite(at) ? at : 0,
    ...((End === 'released' || End === 'removed') && { end: End }),
  };
}
