import { describe, expect, test } from 'vitest';
import { test as property, fc } from '@fast-check/vitest';
import { VirtualClock } from '../../../../src/sandbox/clock/virtual-clock.ts';

describe('a virtual clock', () => {
  test('passes over hours at once', async () => {
    const clock = new VirtualClock(0);
    const woken: string[] = [];
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push(`${name} at ${clock.now()}`);
    };
    const work = Promise.all([
      sleeper('day', 86_400_000),
      sleeper('second', 1_000),
      sleeper('hour', 3_600_000),
    ]);
    await clock.run(work);
    expect(woken).toEqual(['second at 1000', 'hour at 3600000', 'day at 86400000']);
  });

  property.prop([fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 })])(
    'wakes up in the order of time, and at one moment in the order of going to sleep',
    async (naps) => {
      const clock = new VirtualClock(0);
      const woken: number[] = [];
      await clock.run(
        Promise.all(naps.map((ms, index) => clock.sleep(ms).then(() => woken.push(index)))),
      );
      const expected = naps.map((_, index) => index).sort((a, b) => naps[a]! - naps[b]! || a - b);
      expect(woken).toEqual(expected);
    },
  );

  test('gives the reason of a signal to who sleeps, and passes over who is gone', async () => {
    const clock = new VirtualClock(0);
    const stop = new AbortController();
    const nap = clock.sleep(50, stop.signal);
    const ended = expect(nap).rejects.toThrow('enough');
    await clock.run(
      (async () => {
        await clock.sleep(10);
        stop.abort(new Error('enough'));
        await ended;
        await clock.sleep(100);
      })(),
    );
    expect(clock.now()).toBe(110);
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough');
  });

  test('gives up work that time does not end', async () => {
    const clock = new VirtualClock(0);
    const never = new Promise<void>(() => undefined);
    await expect(clock.run(never)).rejects.toMatchObject({ reason: 'stalled' });
  });

  test('gives up work that takes longer than it may, at its limit', async () => {
    const clock = new VirtualClock(0);
    const slow = (async () => {
      for (;;) await clock.sleep(60_000);
    })();
    await expect(clock.run(slow, 3_600_000)).rejects.toMatchObject({ reason: 'limit' });
    expect(clock.now()).toBe(3_600_000);
  });

  test('stands still while work outside of it is held', async () => {
    const clock = new VirtualClock(0);
    const held = clock.hold(async () => {
      for (let turn = 0; turn < 200; turn += 1) await new Promise((go) => setImmediate(go));
      return clock.now();
    });
    const nap = clock.sleep(5);
    expect(await clock.run(Promise.all([held, nap]))).toEqual([0, undefined]);
    expect(clock.now()).toBe(5);
  });

  test('passes on how the work failed', async () => {
    const clock = new VirtualClock(0);
    const failing = clock.sleep(5).then(() => Promise.reject(new Error('no')));
    await expect(clock.run(failing)).rejects.toThrow('no');
  });
});
