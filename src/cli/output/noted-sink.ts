import type { TextSink } from '../../model/runtime.ts';

/** A stream that knows whether anything was written to it: a result that was shown is followed by no other document. */
export class WriteNotingSink implements TextSink {
  hasWritten = false;
  readonly #sink: TextSink;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  write(text: string): void {
    this.hasWritten ||= text !== '';
    this.#sink.write(text);
  }

  ready(): Promise<boolean> {
    return this.#sink.ready();
  }

  get isTTY(): boolean {
    return this.#sink.isTTY;
  }

  get columns(): number | undefined {
    return this.#sink.columns;
  }

  get rows(): number | undefined {
    return this.#sink.rows;
  }
}
