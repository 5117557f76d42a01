import type { TextSink } from '../../model/runtime.ts';
import { measureWidth } from '../../render/format/measure.ts';

/**
 * The last lines of a terminal, drawn over again in place. It uses no mode of the terminal that would have to be taken
 * back, such as a hidden cursor: whatever ends the process, the terminal is as it was.
 */
export class LiveRegion {
  readonly #sink: TextSink;
  #drawn: readonly string[] = [];

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Writes lines above the region, and the region anew; nothing where nothing is new. */
  draw(above: readonly string[], lines: readonly string[]): void {
    const isSame =
      lines.length === this.#drawn.length &&
      lines.every((line, index) => line === this.#drawn[index]);
    if (above.length === 0 && isSame) return;
    const text = [...above, ...lines].map((line) => `${line}\n`).join('');
    // One write: a terminal that paints in between would flicker.
    this.#sink.write(this.#erase() + text);
    this.#drawn = lines;
  }

  #erase(): string {
    const { columns = Infinity, rows = Infinity } = this.#sink;
    // A terminal that became narrower has broken the lines that were drawn for a wider one.
    const height = this.#drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(measureWidth(line) / columns)),
      0,
    );
    return height === 0 ? '' : `\u001b[${Math.min(height, rows - 1)}A\r\u001b[J`;
  }
}
