import type { TextSink } from '../../model/runtime.ts';

/** A text stream that is written piece by piece, with waits while it is full. */
export type TextPieceSink = Pick<TextSink, 'write' | 'ready'>;

/**
 * Writes a long text part by part, and waits for a slow reader before the next part is made. No further part is made once nobody
 * reads.
 */
export async function writeTextInPieces(
  sink: TextPieceSink,
  pieces: Iterable<string>,
): Promise<void> {
  for (const piece of pieces) {
    sink.write(piece);
    if (!(await sink.ready())) return;
  }
}
