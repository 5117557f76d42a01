import type { TextSink } from '../../model/runtime.ts';
import { formatPrintableJson } from '../../render/format/escape.ts';

/** Writes one JSON document, indented, with a line end. */
export function printJson(sink: TextSink, value: unknown): void {
  sink.write(`${formatPrintableJson(value, 2)}\n`);
}
