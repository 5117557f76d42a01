// The end of a push whose answer was lost or was a refusal: not the answer decides, the remote is asked for its refs. Each
// commit of the lock is unique, so the remote has exactly the pushed one, or the push did not happen.
import type { Clock } from '../../../model/runtime.ts';
import { BackendError, retryUntilReached } from '../backend-error.ts';
import type { GitRefMoves, RemoteBranch, GitRemoteRefs } from './remote-branch.ts';

/**
 * Repeats a push until its outcome is known. Resolves with undefined when the push happened; otherwise with the refs of
 * the remote, where the lock has neither the old nor the new commit of the push. The same commits are pushed again as
 * long as nothing has changed: if an earlier attempt is still under way, only one of them takes effect. Rejects with a
 * BackendError when the push was refused, or when nobody answers for `patienceMs`; then the push may happen later.
 */
export async function pushUntilSettled(
  remote: RemoteBranch,
  moves: GitRefMoves,
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: number },
): Promise<GitRemoteRefs | undefined> {
  // Half of the patience, so that one attempt that hangs does not use it all up.
  const timeoutMs = patienceMs / 2;
  return retryUntilReached(
    async () => {
      const failure = await remote.push(moves, timeoutMs);
      if (!failure) return undefined;
      const refs = await remote.look();
      if (refs.lock === moves.lock.to) return undefined;
      if (refs.lock !== moves.lock.from) return refs;
      const { branch } = moves;
      if (branch && refs.tip !== branch.from && refs.tip !== branch.to) {
        throw new BackendError(
          'broken',
          `Somebody pushed to ${remote.place} or deleted it without the lock; only Hostwright may write to that branch.`,
        );
      }
      throw failure;
    },
    { clock, patienceMs },
  );
}
