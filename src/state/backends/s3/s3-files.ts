// The texts of a state in a bucket.
import { InternalError } from '../../../model/errors.ts';
import type { FileName, StateFiles } from '../../files/files.ts';
import type { Bucket } from './bucket.ts';
import type { HeldLog } from './held-log.ts';
import { untilWhole } from './missing-object.ts';
import { readLog, readParts, type LogBounds, type LogSnapshot } from './read-log.ts';

/** The texts under a lock. */
export class HeldS3Files implements StateFiles {
  readonly #place: string;
  readonly #log: HeldLog;

  constructor(place: string, log: HeldLog) {
    this.#place = place;
    this.#log = log;
  }

  pathOf(name: FileName): string {
    return `${this.#place}: ${name}`;
  }

  list(): Promise<readonly FileName[]> {
    return this.#log.list();
  }

  read(name: FileName): Promise<string | undefined> {
    return this.#log.read(name);
  }

  replace(name: FileName, text: string): Promise<void> {
    return this.#log.replace(name, text);
  }

  append(name: FileName, text: string): Promise<void> {
    return this.#log.append(name, text);
  }

  remove(name: FileName): Promise<void> {
    return this.#log.remove(name);
  }

  close(): Promise<void> {
    return this.#log.settle();
  }
}

/** The texts for looking only. */
export class ReadS3Files implements StateFiles {
  readonly #bucket: Bucket;
  readonly #findBounds: () => Promise<LogBounds>;
  /** Of the last `list`: what is read after it comes from the same moment. */
  #snapshot: Promise<LogSnapshot> | undefined;

  constructor(bucket: Bucket, findBounds: () => Promise<LogBounds>) {
    this.#bucket = bucket;
    this.#findBounds = findBounds;
  }

  pathOf(name: FileName): string {
    return `${this.#bucket.place}: ${name}`;
  }

  async list(): Promise<readonly FileName[]> {
    const snapshot = await untilWhole(this.#bucket, () => this.#look());
    return [...snapshot.files.keys()];
  }

  async read(name: FileName): Promise<string | undefined> {
    return untilWhole(this.#bucket, async () => {
      const looking = this.#snapshot ?? this.#look();
      const snapshot = await looking;
      const parts = snapshot.files.get(name);
      if (!parts) return undefined;
      try {
        return await readParts(this.#bucket, snapshot, parts);
      } catch (error) {
        // It may have been replaced meanwhile.
        this.#forget(looking);
        throw error;
      }
    });
  }

  replace(): Promise<void> {
    return refuse();
  }

  append(): Promise<void> {
    return refuse();
  }

  remove(): Promise<void> {
    return refuse();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #look(): Promise<LogSnapshot> {
    const snapshot = this.#findBounds().then((bounds) => readLog(this.#bucket, bounds));
    this.#snapshot = snapshot;
    // One that failed is asked for again.
    snapshot.catch(() => this.#forget(snapshot));
    return snapshot;
  }

  #forget(snapshot: Promise<LogSnapshot>): void {
    if (this.#snapshot === snapshot) this.#snapshot = undefined;
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new InternalError('The state was opened without its lock.'));
}
