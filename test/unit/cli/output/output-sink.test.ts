import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openOutputSink } from '../../../../src/cli/output/output-sink.ts';

/** A stream that has room for ten bytes, whose reader takes what is written when it is told to. */
function openStream() {
  let take: ((error?: Error) => void) | undefined;
  const stream = new Writable({
    highWaterMark: 10,
    write: (_chunk, _encoding, done) => {
      take = done;
    },
  });
  const sink = openOutputSink(stream);
  return { sink, stream, take: (error?: Error) => take?.(error) };
}

const failure = (code: string) => Object.assign(new Error(code), { code });
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a standard stream', () => {
  test('is ready at once while there is room', async () => {
    const { sink } = openStream();
    sink.write('short');
    expect(await sink.ready()).toBe(true);
  });

  test('is ready once a slow reader has taken what was written', async () => {
    const { sink, stream, take } = openStream();
    sink.write('longer than ten bytes');
    let isReady: boolean | undefined;
    const ready = sink.ready().then((answer) => {
      isReady = answer;
    });
    await turn();
    expect(isReady).toBeUndefined();
    take();
    await ready;
    expect(isReady).toBe(true);
    expect(stream.listenerCount('drain') + stream.listenerCount('close')).toBe(0);
  });

  test.each([
    ['EPIPE', undefined],
    ['ENOSPC', 'ENOSPC'],
  ])('is no longer ready after %s', async (code, told) => {
    const { sink, take } = openStream();
    sink.write('longer than ten bytes');
    const ready = sink.ready();
    take(failure(code));
    expect(await ready).toBe(false);
    expect(await sink.ready()).toBe(false);
    expect((await sink.flush())?.message).toBe(told);
  });

  test.each([
    [{ isTTY: true, columns: 80, rows: 24 }, 80, 24],
    [{ isTTY: true, columns: 80, rows: 0 }, 80, undefined],
    [{ isTTY: true, columns: 0, rows: 0 }, undefined, undefined],
    [{ columns: 80, rows: 24 }, undefined, undefined],
  ])('has the size of its terminal, where that is known: %j', (size, columns, rows) => {
    const { sink, stream } = openStream();
    Object.assign(stream, size);
    expect([sink.columns, sink.rows]).toEqual([columns, rows]);
  });
});
