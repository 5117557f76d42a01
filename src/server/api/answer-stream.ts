// An answer that comes bit by bit. Whoever asked may lose what they may see while it comes, and may ask for many at once.
import { ApiProblemError } from '../errors/problem.ts';

/** Limits how many event streams, such as followed logs, each caller has open at once. */
export interface EventStreamLimiter {
  /**
   * Opens a stream of the pieces, which ends once `isAllowed` denies the caller the next one.
   * @throws ApiProblemError 429 at once, where the same caller has too many streams open
   */
  admit(
    callerId: string,
    pieces: AsyncIterable<string>,
    isAllowed: () => Promise<boolean>,
  ): ReadableStream<Uint8Array>;
}

/** More than a person has pages open; each asks the database several times a second. */
const mostAtOnce = 50;

/** Makes the limiter of the event streams that this process sends. */
export function openEventStreamLimiter(): EventStreamLimiter {
  const counts = new Map<string, number>();
  return {
    admit(callerId, pieces, isAllowed) {
      const count = counts.get(callerId) ?? 0;
      if (count >= mostAtOnce)
        throw new ApiProblemError(
          429,
          `You follow ${mostAtOnce} logs already`,
          'Close some of them, and try again.',
        );
      counts.set(callerId, count + 1);
      const release = () => {
        const left = (counts.get(callerId) ?? 1) - 1;
        if (left > 0) counts.set(callerId, left);
        else counts.delete(callerId);
      };
      const stream = ReadableStream.from(whileAllowed(pieces, isAllowed, release));
      return stream.pipeThrough(new TextEncoderStream());
    },
  };
}

async function* whileAllowed(
  pieces: AsyncIterable<string>,
  isAllowed: () => Promise<boolean>,
  release: () => void,
): AsyncGenerator<string> {
  try {
    for await (const piece of pieces) {
      if (!(await isAllowed())) return;
      yield piece;
    }
  } finally {
    release();
  }
}
