import { describe, expect, test } from 'vitest';
import { RunConcurrencySlots } from '../../../../src/execute/pace/places.ts';

/** One who lets go of its place at once, and writes down when it has one again. */
const leave = (places: RunConcurrencySlots, rank: number, seen: string[], name: string) =>
  places
    .leaveFor(rank, () => Promise.resolve())
    .then(() => {
      seen.push(name);
    });

describe('who goes on', () => {
  test('is the one with the longest way first, then the one who came first', async () => {
    const places = new RunConcurrencySlots(1);
    const seen: string[] = [];
    for (let at = 0; at < 4; at += 1) places.take();
    const all = [
      leave(places, 2, seen, 'short'),
      leave(places, 9, seen, 'long'),
      leave(places, 2, seen, 'short too'),
      leave(places, 5, seen, 'middle'),
    ];
    await Promise.resolve();
    await Promise.resolve();
    expect(places.nextRank).toBe(9);
    for (let at = 0; at < 4; at += 1) {
      expect(places.hasRoom).toBe(true);
      places.admit();
      await Promise.resolve();
      places.release();
    }
    await Promise.all(all);
    expect(seen).toEqual(['long', 'middle', 'short', 'short too']);
    expect(places.nextRank).toBeUndefined();
  });

  test('lends its place for its last work, and has it again whatever becomes of that', async () => {
    const places = new RunConcurrencySlots(1);
    places.take();
    let changes = 0;
    places.onChange = () => {
      changes += 1;
    };
    let end: (error: Error) => void = () => undefined;
    const lent = places.lend(() => new Promise<void>((_, fail) => (end = fail)));
    expect([places.hasRoom, changes]).toEqual([true, 1]);
    end(new Error('full'));
    await expect(lent).rejects.toThrow('full');
    expect([places.hasRoom, changes]).toEqual([false, 1]);
  });

  test('has no place while it waits for something else, and is heard of when it wants one', async () => {
    const places = new RunConcurrencySlots(1);
    let changes = 0;
    places.onChange = () => {
      changes += 1;
    };
    places.take();
    let end: () => void = () => undefined;
    const waiting = places.leaveFor(1, () => new Promise<void>((done) => (end = done)));
    expect([places.hasRoom, places.nextRank, changes]).toEqual([true, undefined, 1]);
    end();
    await Promise.resolve();
    await Promise.resolve();
    expect([places.nextRank, changes]).toEqual([1, 2]);
    places.admit();
    await waiting;
    expect(places.hasRoom).toBe(false);
  });

  test('holds a place again where what it waited for fails, be there room or not', async () => {
    const places = new RunConcurrencySlots(1);
    places.take();
    const failing = places.leaveFor(1, () => Promise.reject(new Error('gone')));
    places.take();
    await expect(failing).rejects.toThrow('gone');
    places.release();
    expect(places.hasRoom).toBe(false);
    places.release();
    expect(places.hasRoom).toBe(true);
  });

  test('is nobody where nobody waits', () => {
    const places = new RunConcurrencySlots(2);
    places.admit();
    expect(places.hasRoom).toBe(true);
  });
});
