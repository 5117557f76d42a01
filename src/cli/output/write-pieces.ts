import type { TextSink } from '../../model/runtime.ts';

/** A text stream that is written piece by piece, with waits while it is full. */
export type TextPieceSink = Pick<TextSink, 'write' | 'ready'>;

/**
 * Writes a long text, each piece once there is room for it: a slow reader is waited for, and where nobody reads any
 * more, the rest is not even made.
 */
export async function writePieces(sink: TextPieceSink, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    sink.write(piece);
    if (!(await sink.ready())) return;
  }
}
