import type { TextSink } from '../model/runtime.ts';

/** Writes one JSON document, indented, with a line end. */
export function printJson(sink: TextSink, value: unknown): void {
  sink.write(`${JSON.stringify(value, null, 2)}\n`);
}
