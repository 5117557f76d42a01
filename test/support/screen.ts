import type { TextSink } from '../../src/model/runtime.ts';
import { colorChange, erasure, modeChange } from './terminal-output.mjs';

/**
 * A terminal that breaks lines that are longer than it is wide, also when it is made narrower. It knows what is drawn
 * with: line ends, colours, and "up so many lines and clear from here".
 */
export class Screen implements TextSink {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** Whole lines, as they were before they were broken. */
  readonly lines: string[] = [];
  /** The modes that are other than they were. */
  readonly modes = new Set<string>();
  /** How often it was written to. */
  writes = 0;

  constructor(columns = 80, rows = 24) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): void {
    this.writes += 1;
    const [first = '', ...redrawn] = text.split(erasure);
    this.#print(first);
    for (let index = 0; index < redrawn.length; index += 2) {
      this.#clear(Number(redrawn[index]));
      this.#print(redrawn[index + 1] ?? '');
    }
  }

  ready(): Promise<boolean> {
    return Promise.resolve(true);
  }

  #print(text: string): void {
    for (const [, mode = '', change] of text.matchAll(modeChange)) {
      // The cursor is shown at first, and frames are not drawn at once.
      if ((change === 'h') === (mode === '25')) this.modes.delete(mode);
      else this.modes.add(mode);
    }
    const plain = text.replaceAll(colorChange, '').replaceAll(modeChange, '');
    if (plain.includes('\u001b')) {
      throw new Error(`unknown to this terminal: ${JSON.stringify(plain)}`);
    }
    if (plain !== '') this.lines.push(...plain.replace(/\n$/, '').split('\n'));
  }

  #clear(rows: number): void {
    let left = rows;
    while (left > 0) left -= Math.max(1, Math.ceil((this.lines.pop()?.length ?? 1) / this.columns));
    if (left < 0) throw new Error('half a line was cleared');
  }
}
