// The texts of a state in a bucket.
import { InternalError } from '../../../model/errors.ts';
import type { FileName, StateFiles } from '../../files/files.ts';
import { BackendError } from '../backend-error.ts';
import type { Bucket } from './bucket.ts';
import type { HeldLog } from './held-log.ts';
import type { LogStart } from './lock-record.ts';
import { readLog, readParts, type LogSnapshot } from './read-log.ts';

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

/** How often a writer may be faster than a reader. */
const attempts = 10;

/** The texts for looking only. */
export class ReadS3Files implements StateFiles {
  readonly #bucket: Bucket;
  readonly #findStart: () => Promise<LogStart | null>;
  /** Of the last `list`: what is read after it comes from the same moment. */
  #snapshot: Promise<LogSnapshot> | undefined;

  constructor(bucket: Bucket, findStart: () => Promise<LogStart | null>) {
    this.#bucket = bucket;
    this.#findStart = findStart;
  }

  pathOf(name: FileName): string {
    return `${this.#bucket.place}: ${name}`;
  }

  async list(): Promise<readonly FileName[]> {
    return [...(await this.#look()).files.keys()];
  }

  async read(name: FileName): Promise<string | undefined> {
    let snapshot = await (this.#snapshot ?? this.#look());
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const parts = snapshot.files.get(name);
      if (!parts) return undefined;
      const text = await readParts(this.#bucket, snapshot, parts);
      if (text !== null) return text;
      // It has been replaced meanwhile.
      snapshot = await this.#look();
    }
    throw this.#giveUp();
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
    const snapshot = this.#take();
    this.#snapshot = snapshot;
    // One that failed is asked for again.
    snapshot.catch(() => {
      if (this.#snapshot === snapshot) this.#snapshot = undefined;
    });
    return snapshot;
  }

  async #take(): Promise<LogSnapshot> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const snapshot = await readLog(this.#bucket, await this.#findStart());
      if (snapshot) return snapshot;
    }
    throw this.#giveUp();
  }

  #giveUp(): BackendError {
    const message = `${this.#bucket.place}: the state changed faster than it could be read.`;
    return new BackendError('unreachable', message);
  }
}

function refuse(): Promise<never> {
  return Promise.reject(new InternalError('The state was opened without its lock.'));
}
