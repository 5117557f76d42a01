// A new ID for a held lock. A request that was left without an answer may still arrive, and a server that ignores serials
// would let it replace a newer state by an older one as long as the lock that it names is held. So the lock is taken anew,
// under another ID.
import { randomUUID } from 'node:crypto';
import { encodeLockInfo, type LockInfo } from '../../lock/lock-info.ts';
import type { LockLoss, LockLostError } from '../../lock/fence.ts';
import { retryUntilReached } from '../backend-error.ts';
import { parseLockHolder } from './lock-holder-info.ts';
import type { StateServer } from './state-server.ts';
import { unlockStateWithRetries } from './unlock.ts';

/** Identity of an HTTP lock that this run holds: its ID changes with each renewal. */
export class HttpLockIdentity {
  /** Info of the lock as it was last taken. */
  info: LockInfo;
  /** Text of the lock's info as it was sent to the server. */
  text: string;
  readonly #ids: Set<string>;

  constructor(info: LockInfo, text: string) {
    this.info = info;
    this.text = text;
    this.#ids = new Set([info.ID]);
  }

  /** Tells whether the lock has this ID, or had it before a renewal. */
  had(id: string): boolean {
    return this.#ids.has(id);
  }

  take(info: LockInfo, text: string): void {
    this.info = info;
    this.text = text;
    this.#ids.add(info.ID);
  }
}

/** Server and patience for renewing a lock. */
export interface HttpLockRenewalDependencies {
  readonly server: StateServer;
  readonly clock: Parameters<typeof retryUntilReached>[1]['clock'];
  /** Milliseconds for which each request is tried again. */
  readonly patienceMs: number;
  readonly lose: (loss: LockLoss) => LockLostError;
}

/**
 * Releases the HTTP lock and takes it again under a new ID. For a moment nobody has it: no request may be sent until
 * this has resolved.
 * @throws LockLostError when another run was faster, had removed it, or it cannot be taken again; BackendError
 */
export async function renewLock(
  identity: HttpLockIdentity,
  renewing: HttpLockRenewalDependencies,
): Promise<void> {
  const { server, lose } = renewing;
  const released = await unlockStateWithRetries(server, identity.text, renewing);
  if (released.kind === 'refused') throw lose(lossBy(released.text));
  const info = { ...identity.info, ID: randomUUID() };
  const text = encodeLockInfo(info);
  const verdict = await retryUntilReached(
    (attemptMs) => server.lock(text, attemptMs),
    renewing,
  ).catch((cause: unknown) => {
    // As far as this run knows, nobody holds the lock now: no request may go out any more.
    throw lose({ kind: 'unrenewed', cause });
  });
  // The second request is refused where the first one took the lock and its answer was lost.
  if (verdict.kind === 'refused' && parseLockHolder(verdict.text)?.ID !== info.ID) {
    throw lose(lossBy(verdict.text));
  }
  identity.take(info, text);
}

function lossBy(refusal: string): LockLoss {
  const by = parseLockHolder(refusal);
  return by ? { kind: 'taken', by } : { kind: 'removed' };
}
