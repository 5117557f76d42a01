import type { TextSink } from '../../model/runtime.ts';
import { escapeOutput } from '../../render/format/escape.ts';

const escape = '\u001b';
/** Escape sequences that we write ourselves: those of `Style`, and those of `LiveRegion`. */
const ourSequences = new RegExp(
  String.raw`(${escape}\[(?:1|22|3[1-69]|90)m|${escape}\[\d+A\r${escape}\[J|${escape}\[\?(?:25|2026)[hl])`,
);

/**
 * A stream that nothing gets through to that a terminal would obey, or a CI system would take for a command: the last
 * gate of all text, whoever forgot to escape it.
 * @param isPlain true where we write no sequences either
 */
export function guardSink(sink: TextSink, isPlain: boolean): TextSink {
  const clean = (text: string) =>
    isPlain
      ? escapeOutput(text)
      : text
          .split(ourSequences)
          .map((part, index) => (index % 2 === 1 ? part : escapeOutput(part)))
          .join('');
  return {
    write: (text) => sink.write(clean(text)),
    ready: () => sink.ready(),
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
