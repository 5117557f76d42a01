// A lock that is a record: it says who holds it, and is replaced only by whoever names the record that was found. So of two
// who want the lock one finds that it came too late. What keeps the record, and how it compares, is a LockRegister.
import type { HeldLock, LockInfo, Taking } from './lock-info.ts';
import type { IsGone } from './lock-medium.ts';

/** The record of a lock as it was found, with all that is needed to replace it. */
export interface FoundLock {
  /** Undefined when nobody holds it. */
  readonly holder: HeldLock | undefined;
}

/** The place of the record of a lock, for whoever takes it. Operations reject with its error. */
export interface PassedLock<F extends FoundLock> {
  find(): Promise<F>;
  /**
   * Gives the lock that was found to another holder. Resolves with it, its epoch higher than all before; undefined where the
   * record is another by now.
   */
  pass(found: F, to: LockInfo): Promise<LockInfo | undefined>;
}

/** The same, for whoever removes it. */
export interface LockRegister<F extends FoundLock> extends PassedLock<F> {
  /** Takes the lock that was found from its holder. False where the record is another by now. */
  end(found: F): Promise<boolean>;
}

/** Takes the lock unless a holder has it that is not gone. */
export async function takeRecord<F extends FoundLock>(
  register: PassedLock<F>,
  wanted: LockInfo,
  isGone: IsGone,
): Promise<Taking> {
  let from: HeldLock | undefined;
  for (;;) {
    const found = await register.find();
    const { holder } = found;
    // The answer to an attempt was lost, and it had come to pass.
    if (holder?.info.ID === wanted.ID) return { kind: 'taken', info: holder.info, from };
    if (holder && !isGone(holder)) return { kind: 'held', by: holder };
    from = holder;
    const info = await register.pass(found, wanted);
    if (info) return { kind: 'taken', info, from };
  }
}

/** Removes the lock of the holder with this id, whatever signs of life that gives meanwhile. */
export async function clearRecord<F extends FoundLock>(
  register: LockRegister<F>,
  id: string,
): Promise<void> {
  for (;;) {
    const found = await register.find();
    if (found.holder?.info.ID !== id || (await register.end(found))) return;
  }
}
