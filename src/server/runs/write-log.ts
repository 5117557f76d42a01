import type { LogStream, RunLog } from '../store/run-log.ts';

/** A run may say so many lines; a stranger's configuration must not fill the database. */
const maxLines = 20_000;
const flushMs = 250;

/** The log of one attempt, written in batches. */
export interface LogWriter {
  readonly say: (stream: LogStream, text: string) => void;
  /** Writes what is left. */
  close(): Promise<void>;
}

/** Opens the log of a run. `onFault` hears of lines that cannot be written, and the run goes on. */
export function openLogWriter(
  log: RunLog,
  runId: string,
  onFault: (error: unknown) => void,
): LogWriter {
  let waiting: { stream: LogStream; text: string }[] = [];
  let count = 0;
  let last: Promise<void> = Promise.resolve();
  const flush = () => {
    const lines = waiting;
    waiting = [];
    last = last.then(() => log.add(runId, lines)).catch(onFault);
    return last;
  };
  const timer = setInterval(() => void flush(), flushMs);
  return {
    say(stream, text) {
      count += 1;
      if (count < maxLines) waiting.push({ stream, text });
      else if (count === maxLines)
        waiting.push({ stream: 'server', text: 'The log ends here: it is too long.' });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
