// The lock of a state in a bucket: one object that says who holds it. Each write of it names what it replaces, so of two
// who want the lock one finds that it came too late.
import { OwnLock } from '../../lock/own-lock.ts';
import type { HeldLock, LockInfo, Taking } from '../../lock/lock-info.ts';
import type { Holding, IsGone, LockMedium } from '../../lock/lock-medium.ts';
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

  async hold(holding: Holding) {
    const found = await readRecord(this.#bucket);
    if (!found?.record.isHeld || found.record.info.ID !== holding.info.ID) return undefined;
    const { epoch, fencedEpoch, start } = found.record;
    // After this, no earlier holder can write, and what it wrote is there to be read.
    for (let former = fencedEpoch + 1; former < epoch; former += 1) {
      await closeEpoch(this.#bucket, former, holding.info.ID, start);
    }
    const keeping = {
      bucket: this.#bucket,
      record: new HeldRecord(this.#bucket, found),
      bounds: { start, closedEpoch: epoch - 1, lastEpoch: epoch - 1 },
    };
    const held = new OwnLock(holding, (own) => new HeldLog({ ...keeping, held: own }));
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
}
