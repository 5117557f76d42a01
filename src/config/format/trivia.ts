import type { CST } from 'yaml';
import type { Line } from './layout.ts';

/** A line between two values, and how far it is indented. */
interface PendingLine {
  readonly text: Line;
  readonly column: number;
}

/** What stands between two values, sorted by whom it belongs to. */
export interface Trivia {
  /** The comment before the first line end. */
  readonly comment: string | undefined;
  /** Anchors and tags. */
  readonly props: readonly string[];
  /** True when there is a line end. */
  readonly hasNewline: boolean;
}

/** Comments and empty lines that have been read and belong to nothing yet. */
export class PendingLines {
  readonly #text: string;
  #lines: PendingLine[] = [];
  /** True where something stands on the line already. */
  #isOnLine = false;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Reads what stands between two values. With `isOpen` it is behind one: a comment on the same line is given back. Those
   * on lines of their own are pending.
   */
  read(tokens: readonly CST.SourceToken[], isOpen: boolean): Trivia {
    const props: string[] = [];
    let comment: string | undefined;
    this.#isOnLine ||= isOpen;
    let hasNewline = false;
    for (const { type, source, offset } of tokens) {
      if (type === 'newline') {
        // The lexer gives every line end a token of its own.
        if (!this.#isOnLine) this.push('', 0);
        this.#isOnLine = false;
        hasNewline = true;
      } else if (type === 'comment') {
        if (isOpen && comment === undefined && !hasNewline) comment = source.trimEnd();
        else this.push(source.trimEnd(), this.#columnOf(offset));
        this.#isOnLine = true;
      } else if (type === 'anchor' || type === 'tag') {
        props.push(source);
        this.#isOnLine = true;
      }
    }
    return { comment, props, hasNewline };
  }

  /** Says that what was read ended with its line. */
  endLine(): void {
    this.#isOnLine = false;
  }

  /** Adds a line; of empty ones in a row there is one. */
  push(text: Line, column: number): void {
    if (text === '' && this.#lines.at(-1)?.text === '') return;
    this.#lines.push({ text, column });
  }

  /** Adds a comment above them. */
  pushFirst(text: Line): void {
    this.#lines.unshift({ text, column: 0 });
  }

  /** All of them. */
  take(): readonly Line[] {
    const lines = this.#lines.map(({ text }) => text);
    this.#lines = [];
    return lines;
  }

  /** Those at the beginning that are indented so far at least; what is indented less belongs to what surrounds it. */
  takeIndented(column: number): readonly Line[] {
    let end = 0;
    for (const [index, line] of this.#lines.entries()) {
      if (line.text === '') continue;
      if (line.column < column) break;
      end = index + 1;
    }
    return this.#lines.splice(0, end).map(({ text }) => text);
  }

  #columnOf(offset: number): number {
    return offset - (this.#text.lastIndexOf('\n', offset - 1) + 1);
  }
}
