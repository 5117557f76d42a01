import type { TextSink } from '../../model/runtime.ts';
import { measureTerminalWidth } from '../../render/format/measure.ts';

/**
 * Marks of a synchronized update: a terminal that knows them paints the text between them at once, so that no frame is seen
 * half.
 */
const frame = { begin: '\u001b[?2026h', end: '\u001b[?2026l' };
const cursor = { hide: '\u001b[?25l', show: '\u001b[?25h' };

/** The last lines of a terminal, which are redrawn in place to show progress. The cursor is hidden while there are any. */
export class LiveTerminalRegion {
  readonly #sink: TextSink;
  #drawn: readonly string[] = [];

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Writes lines above the region and redraws the region; writes nothing where nothing has changed. */
  draw(above: readonly string[], lines: readonly string[]): void {
    const isSame =
      lines.length === this.#drawn.length &&
      lines.every((line, index) => line === this.#drawn[index]);
    if (above.length === 0 && isSame) return;
    const text = [...above, ...lines].map((line) => `${line}\n`).join('');
    const isShown = this.#drawn.length > 0;
    const change = lines.length > 0 === isShown ? '' : isShown ? cursor.show : cursor.hide;
    // The frame is written in one piece: a terminal that paints in between would flicker.
    this.#sink.write(frame.begin + change + this.#erase() + text + frame.end);
    this.#drawn = lines;
  }

  #erase(): string {
    const { columns = Infinity, rows = Infinity } = this.#sink;
    // A terminal that became narrower has broken the lines that were drawn for a wider one.
    const height = this.#drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(measureTerminalWidth(line) / columns)),
      0,
    );
    return height === 0 ? '' : `\u001b[${Math.min(height, rows - 1)}A\r\u001b[J`;
  }
}
