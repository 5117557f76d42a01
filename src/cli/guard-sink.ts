import type { TextSink } from '../model/runtime.ts';
import { escapeOutput } from '../render/escape.ts';

/** What we write ourselves: the sequences of `Style`, and those of `LiveRegion`. */
const ourSequences = /(\u001b\[(?:1|22|3[1-69]|90)m|\u001b\[\d+A\r\u001b\[J)/;

/**
 * A stream that nothing gets through to that a terminal would obey, or a CI system would take for a command: the last
 * gate of all text, whoever forgot to escape it.
 * @param isPlain true where we write no sequences either
 */
export function guardSink(sink: TextSink, isPlain: boolean): TextSink {
  const escape = (text: string) =>
    isPlain
      ? escapeOutput(text)
      : text
          .split(ourSequences)
          .map((part, index) => (index % 2 === 1 ? part : escapeOutput(part)))
          .join('');
  return {
    write: (text) => sink.write(escape(text)),
    get isTTY() {
      return sink.isTTY;
    },
    get columns() {
      return sink.columns;
    },
    get rows() {
      return sink.rows;
    },
  };
}
