import { maskLines, type Mask } from '../../model/text/mask-texts.ts';
import type { LogStream, RunLog, SaidLine } from '../store/run-log.ts';

/** A run may say so many lines; a stranger's configuration must not fill the database. */
const maxLines = 20_000;
const flushMs = 250;

/** Lines that come without a pause are masked as one text, so that no secret hides across them; but for so many at once. */
const mostTogether = 2_000;

/** The log of one attempt, written in batches. */
export interface LogWriter {
  readonly say: (stream: LogStream, text: string) => void;
  /** Masks whatever is said from now on. */
  readonly hide: (mask: Mask) => void;
  /** Writes what is left. */
  close(): Promise<void>;
}

/** Opens the log of a run. `onFault` hears of lines that cannot be written, and the run goes on. */
export function openLogWriter(
  log: Pick<RunLog, 'add'>,
  runId: string,
  onFault: (error: unknown) => void,
): LogWriter {
  let waiting: SaidLine[] = [];
  let count = 0;
  let seen = 0;
  let mask: Mask = (text) => text;
  let last: Promise<void> = Promise.resolve();
  const flush = () => {
    const lines = maskByStream(waiting, mask);
    waiting = [];
    last = last.then(() => log.add(runId, lines)).catch(onFault);
    return last;
  };
  // What is still being said waits for its end.
  const flushUnlessBusy = () => {
    const isBusy = count > seen && waiting.length < mostTogether;
    seen = count;
    if (!isBusy && waiting.length > 0) void flush();
  };
  const timer = setInterval(flushUnlessBusy, flushMs);
  return {
    say(stream, text) {
      count += 1;
      if (count < maxLines) waiting.push({ stream, text });
      else if (count === maxLines)
        waiting.push({ stream: 'server', text: 'The log ends here: it is too long.' });
    },
    hide(given) {
      mask = given;
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** The lines of each stream are one text, whatever others say in between. */
function maskByStream(lines: readonly SaidLine[], mask: Mask): readonly SaidLine[] {
  const masked = new Map<LogStream, Iterator<string>>();
  for (const stream of new Set(lines.map((line) => line.stream))) {
    const own = lines.filter((line) => line.stream === stream);
    masked.set(
      stream,
      maskLines(
        own.map(({ text }) => text),
        mask,
      )[Symbol.iterator](),
    );
  }
  return lines.map(({ stream }) => {
    const next = masked.get(stream)?.next();
    return { stream, text: next?.done === false ? next.value : '' };
  });
}
