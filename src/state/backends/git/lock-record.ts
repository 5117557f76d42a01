// The text of a lock on its ref: Terraform's keys, and the number of the heartbeat. The ref is never deleted: the record of a
// lock that was released or removed says so, and the next lock counts on from its epoch.
import { InternalError } from '../../../model/errors.ts';
import { createUnknownLockInfo } from '../../lock/lock-file.ts';
import { decodeLockInfo, type LockInfo } from '../../lock/lock-info.ts';
import { writeCommits, type CommitDraft, type GitObjectId } from './commit-writer.ts';
import type { OpenGitRepository } from './git-program.ts';
import type { RemoteBranch } from './remote-branch.ts';

/** End of a lock on a git branch: released by its holder, or removed by `force-unlock`. */
export type GitLockEnd = 'released' | 'removed';

/** Content of a commit of the lock's ref. */
export interface GitLockRecord {
  readonly info: LockInfo;
  /**
   * Number of the heartbeat. It makes each commit of the lock's ref unique, so that the commit that is found on the
   * remote tells which push happened.
   */
  readonly beat: number;
  /** Time of the commit, by the clock of the holder's machine; milliseconds since the Unix epoch. */
  readonly at: number;
  /** End of the lock; undefined while it is held. */
  readonly end?: GitLockEnd;
}

/** Name of the file in the lock's commit. */
const lockRecordName = 'lock.json';

/** Drafts the commit of a lock record, for `writeCommits`. It has no parent, so that the lock's ref gathers no history. */
export function draftLockCommit(record: GitLockRecord): CommitDraft {
  const { info, beat, at, end = 'held' } = record;
  const message = `Hostwright: lock ${info.Epoch ?? 0} ${end}, beat ${beat}\n`;
  return { message, at, path: lockRecordName, text: [Buffer.from(encodeLockRecord(record))] };
}

/** Makes the git commit of a lock's record. Rejects with a BackendError. */
export async function writeLockCommit(
  repository: OpenGitRepository,
  record: GitLockRecord,
): Promise<GitObjectId> {
  const [written] = await writeCommits(repository, [draftLockCommit(record)]);
  if (!written) throw new InternalError('A commit was asked for, and none was made.');
  return written.commit;
}

/** Reads the record in a commit of the lock's ref that was fetched. Rejects with a BackendError. */
export async function readLockRecord(
  remote: RemoteBranch,
  lock: GitObjectId,
): Promise<GitLockRecord> {
  const answer = await remote.repository.git(['cat-file', 'blob', `${lock}:${lockRecordName}`]);
  const text = answer.status === 0 ? answer.stdout.toString('utf8') : '';
  return decodeLockRecord(text, remote.place);
}

/** Writes the record of a lock as text. */
function encodeLockRecord({ info, beat, at, end }: GitLockRecord): string {
  const Beaten = new Date(at).toISOString();
  return `${JSON.stringify({ ...info, Beat: beat, Beaten, ...(end && { End: end }) }, null, 2)}\n`;
}

/** Decodes a record. A text that cannot be decoded still counts as a lock, of an unknown holder. */
function decodeLockRecord(text: string, place: string): GitLockRecord {
  const decoded = decodeLockInfo(text);
  if (!decoded) return { info: createUnknownLockInfo(place, 0), beat: 0, at: 0 };
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
