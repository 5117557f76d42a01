import type { CST } from 'yaml';
import type { YamlTriviaLine } from './layout.ts';

/** A comment or an empty line between two values, with its column. */
interface PendingLine {
  readonly text: YamlTriviaLine;
  readonly column: number;
}

/** The tokens between two values, sorted by the value that they belong to. */
export interface YamlTrivia {
  /** Comment before the first line break behind a value. */
  readonly comment: string | undefined;
  /** YAML anchors and tags of a value. */
  readonly props: readonly string[];
  /** Tells whether a line break is among the tokens before a value. */
  readonly hasNewline: boolean;
}

/** Comments and empty lines that were read and are not yet assigned to a value. */
export class PendingTriviaLines {
  readonly #text: string;
  #lines: PendingLine[] = [];
  /** True while the line being read has a value, so that its end makes no empty line. */
  #isOnLine = false;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Reads the tokens between two values; comments on lines of their own become pending. With `isOpen` a value comes
   * before the tokens: a comment on its line is returned.
   */
  read(tokens: readonly CST.SourceToken[], isOpen: boolean): YamlTrivia {
    const props: string[] = [];
    let comment: string | undefined;
    this.#isOnLine ||= isOpen;
    let hasNewline = false;
    for (const { type, source, offset } of tokens) {
      if (type === 'newline') {
        // The lexer gives each line break as its own token; one on a line without a value is an empty line.
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

  /** Notes that the line of the last value has ended. */
  endLine(): void {
    this.#isOnLine = false;
  }

  /** Adds a comment or an empty line; of several empty lines in a row, one is kept. */
  push(text: YamlTriviaLine, column: number): void {
    if (text === '' && this.#lines.at(-1)?.text === '') return;
    this.#lines.push({ text, column });
  }

  /** Adds a comment above all lines that wait to be assigned to a value. */
  pushFirst(text: YamlTriviaLine): void {
    this.#lines.unshift({ text, column: 0 });
  }

  /** Returns the lines that wait to be assigned to a value, and forgets them. */
  take(): readonly YamlTriviaLine[] {
    const lines = this.#lines.map(({ text }) => text);
    this.#lines = [];
    return lines;
  }

  /**
   * Gives the first pending lines that are indented to `column` at least; lines with less belong to the surrounding
   * collection.
   */
  takeIndented(column: number): readonly YamlTriviaLine[] {
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
