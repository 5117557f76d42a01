// What a state server says of a lock's holder. Servers keep Terraform's keys; some drop all others, some echo those of
// whoever asks, and some answer with something else altogether.
import { decodeInfo, type LockInfo } from '../../lock/lock-info.ts';
import { cleanText } from '../clean-text.ts';

/** The holder that a text names; undefined when it names none. What is missing is `unknown`. */
export function readHolder(text: string | undefined): LockInfo | undefined {
  const info = decodeInfo(text ?? '');
  if (!info) return undefined;
  const { ID, Operation, Info, Who, Version, Created, Path, Pid, Host, Realm, Started } = info;
  const { Epoch, Lease, Kept } = info;
  const said = { ID, Operation, Info, Who, Version, Created, Path, Host };
  return {
    ...(Object.fromEntries(
      Object.entries(said).map(([key, word]) => [key, cleanText(word)]),
    ) as typeof said),
    Pid,
    ...(Realm !== undefined && { Realm }),
    ...(Started !== undefined && { Started }),
    ...(Epoch !== undefined && { Epoch }),
    ...(Lease !== undefined && { Lease }),
    ...(Kept === true && { Kept }),
  };
}
