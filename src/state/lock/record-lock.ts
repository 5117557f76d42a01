// A lock that is a record with its holder, and that is replaced only by a run that names the record that it found. So of two
// runs that want the lock one finds that it came too late. The medium keeps the record, and compares.
import type { ObservedLock, LockInfo, LockAttempt } from './lock-info.ts';
import type { IsLockHolderGone } from './lock-medium.ts';

/** Record of a lock as it was found, with the data that are needed to replace it. */
export interface FoundLockRecord {
  /** Holder of the lock; undefined when nobody holds it. */
  readonly holder: ObservedLock | undefined;
}

/** Record of a lock that a run can take over. Operations reject with the error of the medium. */
export interface TakeableLockRecord<F extends FoundLockRecord> {
  find(): Promise<F>;
  /**
   * Gives the found lock to another holder. Resolves with its info, its epoch higher than all before; undefined where the
   * record has changed meanwhile.
   */
  pass(found: F, to: LockInfo): Promise<LockInfo | undefined>;
}

/** Record of a lock that a run can take over or remove. */
export interface RemovableLockRecord<F extends FoundLockRecord> extends TakeableLockRecord<F> {
  /** Takes the found lock from its holder. False where the record has changed meanwhile. */
  end(found: F): Promise<boolean>;
}

/** Takes the lock unless its holder may still be alive. */
export async function takeLockRecord<F extends FoundLockRecord>(
  register: TakeableLockRecord<F>,
  wanted: LockInfo,
  isGone: IsLockHolderGone,
): Promise<LockAttempt> {
  let from: ObservedLock | undefined;
  for (;;) {
    const found = await register.find();
    const { holder } = found;
    // The record is already ours: an earlier attempt to take the lock was carried out, and its answer was lost.
    if (holder?.info.ID === wanted.ID) return { kind: 'taken', info: holder.info, from };
    if (holder && !isGone(holder)) return { kind: 'held', by: holder };
    from = holder;
    const info = await register.pass(found, wanted);
    if (info) return { kind: 'taken', info, from };
  }
}

/** Removes the lock of the holder with this id, whatever heartbeats it sends meanwhile. */
export async function clearLockRecord<F extends FoundLockRecord>(
  register: RemovableLockRecord<F>,
  id: string,
): Promise<void> {
  for (;;) {
    const found = await register.find();
    if (found.holder?.info.ID !== id || (await register.end(found))) return;
  }
}
