import type { TextSink } from '../../model/runtime.ts';

/** A standard stream, and whether all of it could be written. */
export interface OutputSink extends TextSink {
  /** Resolves when everything is written, or cannot be: then with the reason, unless nobody was there to read. */
  flush(): Promise<Error | undefined>;
}

const gone: ReadonlySet<string | undefined> = new Set([
  'EPIPE',
  'EIO',
  'ENOTCONN',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
]);

/** A sink that never fails: what runs goes on without it. */
export function openSink(stream: NodeJS.WriteStream): OutputSink {
  // A reader that went away (`| head`) or a terminal that was closed is no error of ours: there is just nobody to
  // write to any more. A full disk is one, and waits for the end to be told: no change may stop half-way for it.
  let fault: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!gone.has(error.code)) fault ??= error;
  });
  return {
    write: (text) => void stream.write(text),
    async flush() {
      await new Promise<void>((resolve) => {
        stream.write('', () => resolve());
      });
      return fault;
    },
    get isTTY() {
      return stream.isTTY;
    },
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
  };
}
