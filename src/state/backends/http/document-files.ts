// The texts of a state as the store sees them: each is a part of the one document that the server keeps.
import { InternalError } from '../../../model/errors.ts';
import type { Clock } from '../../../model/runtime.ts';
import { fileNames, type FileName, type StateFiles } from '../../files/files.ts';
import type { HttpFence } from './http-fence.ts';
import { readPatiently } from './read-document.ts';
import type { StateDocument } from './state-document.ts';
import type { StateServer } from './state-server.ts';

/** The texts as they are on the server: for looking only. */
export function openReadFiles(server: StateServer, clock: Clock): StateFiles {
  return new ReadFiles(server, clock);
}

/** The texts under a lock. What was read when it was taken is what is there: nobody else writes. */
export function openHeldFiles(server: StateServer, fence: HttpFence): StateFiles {
  return new HeldFiles(server, fence);
}

class ReadFiles implements StateFiles {
  readonly #server: StateServer;
  readonly #clock: Clock;
  /** The document of the last `list`: what is read after it comes from the same moment. */
  #document: Promise<StateDocument | undefined> | undefined;

  constructor(server: StateServer, clock: Clock) {
    this.#server = server;
    this.#clock = clock;
  }

  pathOf(name: FileName): string {
    return pathIn(this.#server, name);
  }

  async list(): Promise<readonly FileName[]> {
    return [...((await this.#fetch())?.files.keys() ?? [])];
  }

  async read(name: FileName): Promise<string | undefined> {
    return (await (this.#document ?? this.#fetch()))?.files.get(name);
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

  #fetch(): Promise<StateDocument | undefined> {
    const document = readPatiently(this.#server, this.#clock);
    this.#document = document;
    // What could not be read is asked for again.
    document.catch(() => {
      if (this.#document === document) this.#document = undefined;
    });
    return document;
  }
}

class HeldFiles implements StateFiles {
  readonly #server: StateServer;
  readonly #fence: HttpFence;

  constructor(server: StateServer, fence: HttpFence) {
    this.#server = server;
    this.#fence = fence;
  }

  pathOf(name: FileName): string {
    return pathIn(this.#server, name);
  }

  list(): Promise<readonly FileName[]> {
    return Promise.resolve([...this.#fence.document.files.keys()]);
  }

  read(name: FileName): Promise<string | undefined> {
    return Promise.resolve(this.#fence.document.files.get(name));
  }

  async replace(name: FileName, text: string): Promise<void> {
    this.#fence.verify();
    // It would double what each write sends; servers that keep versions have it anyway.
    if (name === fileNames.backup) return;
    await this.#fence.document.change((files) => files.set(name, text));
  }

  async append(name: FileName, text: string): Promise<void> {
    this.#fence.verify();
    await this.#fence.document.change((files) => {
      const before = files.get(name);
      if (before === undefined) throw new InternalError(`There is no ${name} to append to.`);
      files.set(name, before + text);
    });
  }

  async remove(name: FileName): Promise<void> {
    this.#fence.verify();
    await this.#fence.document.change((files) => files.delete(name));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function pathIn({ endpoint }: StateServer, name: FileName): string {
  return `${endpoint.place} (${name})`;
}

function refuse(): Promise<never> {
  return Promise.reject(new InternalError('A state on a server is written under its lock only.'));
}
