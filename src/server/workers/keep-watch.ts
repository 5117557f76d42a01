import { setTimeout as sleep } from 'node:timers/promises';

const usualMs = 2_000;

/** Looks again and again, one look after the other. A fault is reported once, until a look succeeds. @returns what ends it */
export function repeatLook(
  look: (stopping: AbortSignal) => Promise<void>,
  warn: (text: string) => void,
  everyMs = usualMs,
): () => Promise<void> {
  const ended = new AbortController();
  const watching = (async () => {
    for (let said = ''; !ended.signal.aborted;) {
      try {
        await look(ended.signal);
        said = '';
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        if (text !== said) warn(text);
        said = text;
      }
      await sleep(everyMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    ended.abort();
    await watching;
  };
}
