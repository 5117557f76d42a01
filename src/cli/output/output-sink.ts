import { setImmediate } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import type { TextSink } from '../../model/runtime.ts';

/** A standard stream of the process; on a terminal, it has a size in columns and rows. */
export type OutputStream = Writable &
  Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows'>>;

/** A standard stream that remembers whether all text could be written to it. */
export interface OutputSink extends TextSink {
  /** Resolves once everything is written, or cannot be: then with the error. A reader that has gone away counts as no error. */
  flush(): Promise<Error | undefined>;
}

const gone: ReadonlySet<string | undefined> = new Set([
  'EPIPE',
  'EIO',
  'ENOTCONN',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
]);

/** Waits until the stream takes more text, or is closed. */
async function waitForRoom(stream: OutputStream): Promise<void> {
  const events = ['drain', 'error', 'close'];
  await new Promise<void>((resolve) => {
    const end = () => {
      for (const event of events) stream.off(event, end);
      resolve();
    };
    for (const event of events) stream.on(event, end);
  });
}

/** A sink for text that never throws, so that an apply goes on when its output is closed. */
export function openOutputSink(stream: OutputStream): OutputSink {
  // A reader that went away (`| head`) or a terminal that was closed is no error: there is just nobody to
  // write to any more. A full disk is one, and waits for the end to be told: no change may stop half-way for it.
  let fault: Error | undefined;
  let isLost = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isLost = true;
    if (!gone.has(error.code)) fault ??= error;
  });
  // A terminal of unset size reports 0 columns and rows, which means unknown.
  const sizeOf = (size = 0) => (stream.isTTY && size > 0 ? size : undefined);
  return {
    write: (text) => void stream.write(text),
    async ready() {
      if (stream.writableNeedDrain) await waitForRoom(stream);
      // A write to a file ends at once, and leaves no turn for anything else, not even for the news that it failed.
      else await setImmediate();
      return !isLost && !stream.destroyed;
    },
    async flush() {
      await new Promise<void>((resolve) => {
        stream.write('', () => resolve());
      });
      return fault;
    },
    get isTTY() {
      return stream.isTTY === true;
    },
    get columns() {
      return sizeOf(stream.columns);
    },
    get rows() {
      return sizeOf(stream.rows);
    },
  };
}
