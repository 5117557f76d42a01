// The lock of a state in a bucket: one object that says who holds it. Each write of it names what it replaces, so of two
// who want the lock one finds that it came too late.
import { InternalError } from '../../../model/errors.ts';
import type { LockLoss } from '../../lock/fence.ts';
import { LeasedFence } from '../../lock/leased-fence.ts';
import type { HeldLock, LockInfo, Taking } from '../../lock/lock-info.ts';
import type { Holding, IsGone, LockMedium } from '../../lock/lock-medium.ts';
import { readPatienceMs } from '../backend-error.ts';
import type { Bucket } from './bucket.ts';
import { closeEpoch } from './close-epoch.ts';
import { HeldLog } from './held-log.ts';
import { createRefusedError, HeldRecord, readRecord } from './held-record.ts';
import { describeHolder, encodeRecord, type LockRecord } from './lock-record.ts';
import { lockName } from './object-names.ts';
import { probeConditions } from './probe-conditions.ts';
import type { LogBounds } from './read-log.ts';
import { findPast, type Past } from './find-past.ts';

/** The lock of a state. `server` tells the server from all others. */
export class S3Lock implements LockMedium {
  readonly place: string;
  readonly statePath: string;
  readonly #bucket: Bucket;
  readonly #server: string;
  readonly #logs = new WeakMap<LeasedFence, HeldLog>();

  constructor(bucket: Bucket, server: string) {
    this.#bucket = bucket;
    this.#server = server;
    this.place = bucket.place;
    this.statePath = bucket.place;
  }

  async read(): Promise<HeldLock | undefined> {
    return describeHolder(await readRecord(this.#bucket));
  }

  async take(wanted: LockInfo, isGone: IsGone): Promise<Taking> {
    let from: HeldLock | undefined;
    let refused: string | undefined;
    for (;;) {
      const found = await readRecord(this.#bucket);
      if (found && found.etag === refused) throw createRefusedError(this.#bucket);
      const holder = describeHolder(found);
      // The answer to an attempt was lost, and it had come to pass.
      if (holder?.info.ID === wanted.ID) return { kind: 'taken', info: holder.info, from };
      if (holder && !isGone(holder)) return { kind: 'held', by: holder };
      if (found?.record.probed !== this.#server) await probeConditions(this.#bucket);
      from = holder;
      const past = await findPast(this.#bucket, found?.record);
      const record = this.#succeed(found?.record, past, wanted);
      const condition = found ? { etag: found.etag } : 'absent';
      const written = await this.#bucket.put(lockName, encodeRecord(record), condition);
      if (written !== undefined) return { kind: 'taken', info: record.info, from };
      refused = found?.etag;
    }
  }

  async hold(holding: Holding): Promise<{ held: LeasedFence; takenAt: number } | undefined> {
    const found = await readRecord(this.#bucket);
    if (!found?.record.isHeld || found.record.info.ID !== holding.info.ID) return undefined;
    const { epoch, fencedEpoch, start } = found.record;
    // After this, no earlier holder can write, and what it wrote is there to be read.
    for (let former = fencedEpoch + 1; former < epoch; former += 1) {
      await closeEpoch(this.#bucket, former, holding.info.ID, start);
    }
    const record = new HeldRecord(this.#bucket, found);
    const held: LeasedFence = new LeasedFence(holding, {
      // The next heartbeat is the next attempt.
      renew: () => record.write(describeLog(epoch - 1, log), 0),
      release: async () => {
        const loss = await this.#release(epoch, record, log);
        if (loss?.kind === 'set-back') throw held.lose(loss);
      },
    });
    const log: HeldLog = new HeldLog({
      bucket: this.#bucket,
      fence: held,
      bounds: { start, closedEpoch: epoch - 1, lastEpoch: epoch - 1 },
      findStart: () => record.record.start,
      findLoss: () => record.findLoss(),
    });
    this.#logs.set(held, log);
    return { held, takenAt: found.writtenAt };
  }

  readTime(): Promise<number> {
    return this.#bucket.readTime(lockName);
  }

  async clear(id: string): Promise<void> {
    let refused: string | undefined;
    for (;;) {
      const found = await readRecord(this.#bucket);
      if (!found?.record.isHeld || found.record.info.ID !== id) return;
      if (found.etag === refused) throw createRefusedError(this.#bucket);
      const record = { ...found.record, isHeld: false, beat: found.record.beat + 1 };
      const { etag } = found;
      refused = etag;
      if ((await this.#bucket.put(lockName, encodeRecord(record), { etag })) === undefined)
        continue;
      // Its holder finds out at its next write, and not only when somebody else takes the lock.
      await closeEpoch(this.#bucket, record.epoch, id, record.start);
      return;
    }
  }

  /** The bounds of the log, without reading it. */
  async findBounds(): Promise<LogBounds> {
    const {
      start = null,
      fencedEpoch = -1,
      epoch = -1,
    } = (await readRecord(this.#bucket))?.record ?? {};
    return { start, closedEpoch: fencedEpoch, lastEpoch: epoch };
  }

  /** The log that is written under a lock of this medium. */
  logOf(fence: LeasedFence): HeldLog {
    const log = this.#logs.get(fence);
    if (!log) throw new InternalError('The fence was given by the lock of another backend.');
    return log;
  }

  #succeed(
    former: LockRecord | undefined,
    { lastEpoch, fencedEpoch, start }: Past,
    wanted: LockInfo,
  ): LockRecord {
    const epoch = lastEpoch + 1;
    return {
      format: 1,
      epoch,
      beat: (former?.beat ?? 0) + 1,
      isHeld: true,
      info: { ...wanted, Epoch: epoch },
      probed: this.#server,
      fencedEpoch,
      start,
    };
  }

  async #release(epoch: number, record: HeldRecord, log: HeldLog): Promise<LockLoss | undefined> {
    await log.settle();
    const loss = await record.findLoss();
    if (loss) return loss;
    await closeEpoch(this.#bucket, epoch, record.record.info.ID, log.start ?? null);
    // One that somebody else has by now is not ours to release.
    return record.write({ ...describeLog(epoch, log), isHeld: false }, readPatienceMs);
  }
}

/** What the record says of the log. */
function describeLog(fencedEpoch: number, { start }: HeldLog): Partial<LockRecord> {
  return {
    fencedEpoch,
    ...(start && { start: { epoch: start.epoch, generation: start.generation } }),
  };
}
