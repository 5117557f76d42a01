// A request that was left without an answer may still arrive. A server that knows no serials would let it write an older
// state over a newer one, as long as the lock it names is held. So the lock is taken anew, under another ID.
import { randomUUID } from 'node:crypto';
import { encodeInfo, type LockInfo } from '../../lock/lock-info.ts';
import type { LockLoss, LockLostError } from '../../lock/fence.ts';
import { untilReached } from '../backend-error.ts';
import { readHolder } from './lock-holder-info.ts';
import type { StateServer } from './state-server.ts';
import { unlockPatiently } from './unlock.ts';

/** A lock that is held, by its ID of the moment. */
export class LockIdentity {
  /** As it was taken. */
  info: LockInfo;
  /** The same, as it was sent. */
  text: string;
  readonly #ids: Set<string>;

  constructor(info: LockInfo, text: string) {
    this.info = info;
    this.text = text;
    this.#ids = new Set([info.ID]);
  }

  /** True for the ID of now, and for each that it had before. */
  had(id: string): boolean {
    return this.#ids.has(id);
  }

  take(info: LockInfo, text: string): void {
    this.info = info;
    this.text = text;
    this.#ids.add(info.ID);
  }
}

/** With what a lock is renewed. */
export interface Renewing {
  readonly server: StateServer;
  readonly clock: Parameters<typeof untilReached>[1]['clock'];
  /** For how long each request is tried; milliseconds. */
  readonly patienceMs: number;
  readonly lose: (loss: LockLoss) => LockLostError;
}

/**
 * Releases the lock and takes it again under a new ID. For a moment nobody has it: nothing may be sent until this has
 * resolved. @throws LockLostError when somebody was faster, had removed it, or it cannot be taken again; BackendError
 */
export async function renewLock(identity: LockIdentity, renewing: Renewing): Promise<void> {
  const { server, lose } = renewing;
  const released = await unlockPatiently(server, identity.text, renewing);
  if (released.kind === 'refused') throw lose(lossBy(released.text));
  const info = { ...identity.info, ID: randomUUID() };
  const text = encodeInfo(info);
  const verdict = await untilReached((attemptMs) => server.lock(text, attemptMs), renewing).catch(
    (cause: unknown) => {
      // Nobody holds it now, as far as this run knows: nothing may go out any more.
      throw lose({ kind: 'unrenewed', cause });
    },
  );
  // Refused to a second request where the first one took it and its answer was lost.
  if (verdict.kind === 'refused' && readHolder(verdict.text)?.ID !== info.ID) {
    throw lose(lossBy(verdict.text));
  }
  identity.take(info, text);
}

function lossBy(refusal: string): LockLoss {
  const by = readHolder(refusal);
  return by ? { kind: 'taken', by } : { kind: 'removed' };
}
