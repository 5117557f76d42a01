import type { TextSink } from '../../src/model/runtime.ts';

/** Keeps what is written to it. */
export interface RecordingSink extends TextSink {
  text: string;
}

/** A stream that keeps its text: a terminal of so many columns, or a pipe. `onText` gets each piece once it is kept. */
export function createRecordingSink(
  columns?: number,
  onText: (text: string) => void = () => undefined,
): RecordingSink {
  return {
    ...{ text: '', isTTY: columns !== undefined, columns },
    rows: columns === undefined ? undefined : 24,
    write(text) {
      this.text += text;
      onText(text);
    },
    ready: () => Promise.resolve(true),
  };
}
