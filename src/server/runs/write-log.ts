import { groupBy } from '../../model/group-by.ts';
import { maskSecretsInLines, type SecretMask } from '../../model/text/mask-texts.ts';
import type { RunLogStream, RunLogStore, NewRunLogLine } from '../store/run-log.ts';

/** A run may say so many lines; a stranger's configuration must not fill the database. */
const maxLines = 20_000;
const flushMs = 250;

/** Lines of so many flushes are masked as one text, so that no secret hides across them. None is written later than that. */
const flushesTogether = 4;

/** Writes the log of one attempt to the database, in batches. */
export interface RunLogWriter {
  readonly say: (stream: RunLogStream, text: string) => void;
  /** Masks secrets in all lines from now on. */
  readonly hide: (mask: SecretMask) => void;
  /** Writes the lines that are not written yet. */
  close(): Promise<void>;
}

/** Opens the writer of a run's log. `onFault` is called for lines that cannot be written; the run goes on. */
export function openRunLogWriter(
  log: Pick<RunLogStore, 'add'>,
  runId: string,
  onFault: (error: unknown) => void,
): RunLogWriter {
  let waiting: NewRunLogLine[] = [];
  let count = 0;
  /** The total number of log lines at each of the latest flushes. */
  let counts: readonly number[] = [];
  let mask: SecretMask = (text) => text;
  let last: Promise<void> = Promise.resolve();
  /** Writes all but the newest of these lines, which are masked once more with those that follow. */
  const flush = (kept: number) => {
    const lines = maskByStream(waiting, mask);
    const ready = lines.slice(0, Math.max(lines.length - kept, 0));
    waiting = lines.slice(ready.length);
    if (ready.length > 0) last = last.then(() => log.add(runId, ready)).catch(onFault);
    return last;
  };
  const timer = setInterval(() => {
    const isQuiet = counts.at(-1) === count;
    const kept = isQuiet ? 0 : count - (counts[0] ?? 0);
    counts = [...counts, count].slice(-flushesTogether);
    if (waiting.length > 0) void flush(kept);
  }, flushMs);
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
      await flush(0);
    },
  };
}

/** The lines of each stream are one text, whatever others say in between. */
function maskByStream(lines: readonly NewRunLogLine[], mask: SecretMask): NewRunLogLine[] {
  const masked = [...groupBy(lines, ({ stream }) => stream)].map(([stream, own]) => {
    const texts = own.map(({ text }) => text);
    return [stream, maskSecretsInLines(texts, mask).values()] as const;
  });
  const byStream = new Map(masked);
  return lines.map(({ stream }) => ({ stream, text: byStream.get(stream)?.next().value ?? '' }));
}
