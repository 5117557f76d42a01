// A push whose answer is lost, or is a refusal, is not judged by what git says: the remote is asked where its refs are.
// Each commit of the lock is like no other, so the remote has exactly the pushed one, or the push did not happen.
import type { Clock } from '../../../model/runtime.ts';
import { BackendError, untilReached } from '../backend-error.ts';
import type { RefMoves, RemoteBranch, RemoteRefs } from './remote-branch.ts';

/**
 * Pushes until it is known what became of it. Undefined when the push happened; else the refs, the lock's being
 * neither where the push began nor where it was to end. The same commits are pushed again when nothing has changed: should
 * an earlier attempt still be under way, one of the two happens. Rejects with a BackendError when the push was refused,
 * or when nobody answers for `patienceMs`; then it may happen later.
 */
export async function settlePush(
  remote: RemoteBranch,
  moves: RefMoves,
  { clock, patienceMs }: { readonly clock: Clock; readonly patienceMs: number },
): Promise<RemoteRefs | undefined> {
  // Half of it, so that one attempt that hangs does not take it all.
  const timeoutMs = patienceMs / 2;
  return untilReached(
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
