import { expect, test } from 'vitest';
import { WriteTrackingStream } from '../../../../src/cli/program.ts';
import { createRecordingSink } from '../../../support/recording-sink.ts';

test('a stream knows whether a result was written to it, and passes everything on', async () => {
  const recorded = createRecordingSink(80);
  const sink = new WriteTrackingStream(recorded);
  sink.write('');
  expect(sink.hasWritten).toBe(false);
  sink.write('a result\n');
  sink.write('');
  expect(sink.hasWritten).toBe(true);
  expect(recorded.text).toBe('a result\n');
  expect([sink.isTTY, sink.columns, sink.rows, await sink.ready()]).toEqual([true, 80, 24, true]);
});
