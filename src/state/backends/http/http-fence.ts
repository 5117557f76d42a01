// A lock that is held on a state server. The protocol knows no lease and no heartbeat: the lock lasts until it is
// released or removed by force. Each write carries its ID, and the server refuses one whose lock is gone.
import { isSetBack, LockLostError, type LockLoss } from '../../lock/fence.ts';
import type { LockInfo } from '../../lock/lock-info.ts';
import type { HeldFence, Holding } from '../../lock/lock-medium.ts';
import type { Sender } from './deliver.ts';
import { HeldDocument, type Keeping } from './held-document.ts';
import type { LockIdentity } from './renew-lock.ts';
import type { StateDocument } from './state-document.ts';
import { unlockPatiently } from './unlock.ts';

/** A lock on a state server, and the copy of the state that is written under it. */
export class HttpFence implements HeldFence {
  readonly epoch: number;
  readonly document: HeldDocument;
  lost: LockLostError | undefined;
  readonly #holding: Holding;
  readonly #identity: LockIdentity;
  readonly #sender: Sender;
  #isReleased = false;

  /** `loaded` is what was there once the lock was taken. */
  constructor(
    holding: Holding,
    loaded: StateDocument | undefined,
    parts: Omit<Keeping, keyof Holding | 'lose'>,
  ) {
    this.epoch = holding.info.Epoch ?? 0;
    this.#identity = parts.identity;
    this.#holding = holding;
    this.#sender = { ...parts, lose: (loss) => this.#lose(loss) };
    this.document = new HeldDocument(loaded, { ...this.#sender, ...holding, warn: parts.warn });
  }

  get info(): LockInfo {
    return this.#identity.info;
  }

  verify(): void {
    if (this.lost) throw this.lost;
    // Not asked of the server: some take a write with an old ID while nobody has the lock.
    if (this.#isReleased) throw new LockLostError({ kind: 'removed' });
  }

  /** There is no lease that could end: what the server has not refused yet may go on, unless the lock is just taken anew. */
  verifyLease(): void | Promise<void> {
    this.verify();
    return this.document.renewal?.then(() => this.verifyLease());
  }

  beat(): Promise<void> {
    return Promise.resolve();
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.document.settle().catch(() => undefined);
    if (this.lost && isSetBack(this.lost.loss)) throw this.lost;
    if (this.lost) return;
    const { server, identity } = this.#sender;
    // Refused where somebody has removed it, and perhaps another run has taken it: it is not ours any more.
    await unlockPatiently(server, identity.text, this.#sender);
  }

  #lose(loss: LockLoss): LockLostError {
    if (this.lost) return this.lost;
    this.lost = new LockLostError(loss);
    this.#holding.onLost(this.lost);
    return this.lost;
  }
}
