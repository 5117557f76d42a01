// The pipe of a run to its worker: one JSON object a line, both ways. Loaded for such a run alone.
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';

/** The stream between a run's process and the server's worker. */
export type WorkerPipe = Duplex & Pick<Socket, 'ref' | 'unref'>;

/** This process's connection to the server's worker: JSON messages, one a line, over a pipe. */
export class WorkerConnection {
  readonly #pipe: WorkerPipe;
  readonly #heard: ((said: object) => void)[] = [];
  #held = 0;

  constructor(pipe: WorkerPipe) {
    this.#pipe = pipe;
    const lines = createInterface({ input: pipe, crlfDelay: Infinity });
    lines.on('line', (line) => {
      const said = JSON.parse(line) as object;
      for (const hear of this.#heard) hear(said);
    });
    // Errors of the line reader are those of the pipe, which has a listener of its own.
    lines.on('error', () => undefined);
    // Listening to the worker does not keep the process alive; only a question without an answer does.
    pipe.unref();
  }

  /** Calls the listener with every message from the worker. */
  hear(listener: (said: object) => void): void {
    this.#heard.push(listener);
  }

  /** Calls the listener once when the connection to the worker has ended. */
  onGone(listener: () => void): void {
    this.#pipe.once('error', listener);
  }

  /** Sends a message. A worker that is gone gets none: the broken pipe ends this process. */
  say(message: object): void {
    if (this.#pipe.writable) this.#pipe.write(`${JSON.stringify(message)}\n`);
  }

  /** Keeps the process alive until the worker has answered. */
  async hold<T>(answer: Promise<T>): Promise<T> {
    this.#held += 1;
    this.#pipe.ref();
    try {
      return await answer;
    } finally {
      this.#held -= 1;
      if (this.#held === 0) this.#pipe.unref();
    }
  }
}
