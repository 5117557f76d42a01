// The holder of a lock in the words of a state server. Servers keep Terraform's keys; some drop all others, some return those
// of the asking run, and some answer with something else altogether.
import { decodeLockInfo, type LockInfo } from '../../lock/lock-info.ts';
import { cleanServerText } from '../clean-text.ts';

/** Parses the holder of the lock from a text of the server; undefined when it names none. Missing members are `unknown`. */
export function parseLockHolder(text: string | undefined): LockInfo | undefined {
  const info = decodeLockInfo(text ?? '');
  if (!info) return undefined;
  const { ID, Operation, Info, Who, Version, Created, Path, Pid, Host, Realm, Started } = info;
  const { Epoch, Lease, Kept } = info;
  const said = { ID, Operation, Info, Who, Version, Created, Path, Host };
  return {
    ...(Object.fromEntries(
      Object.entries(said).map(([key, word]) => [key, cleanServerText(word)]),
    ) as typeof said),
    Pid,
    ...(Realm !== undefined && { Realm }),
    ...(Started !== undefined && { Started }),
    ...(Epoch !== undefined && { Epoch }),
    ...(Lease !== undefined && { Lease }),
    ...(Kept === true && { Kept }),
  };
}
