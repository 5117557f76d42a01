import { beforeEach, describe, expect, test } from 'vitest';
import { ClientRequestBudget } from '../../../../src/api/transport/budget.ts';
import { JumpingClock } from '../fake-service.ts';

/** Starts work that ends when told, and says how much of it runs. */
function createWork() {
  const ends: (() => void)[] = [];
  return {
    start: () => new Promise<void>((end) => ends.push(end)),
    get running() {
      return ends.length;
    },
    finishOne: () => ends.shift()?.(),
  };
}

let closed: AbortSignal;
beforeEach(() => {
  closed = new AbortController().signal;
});
/** Of which there is always some left. */
const sharedBudget = {
  take: () => Promise.resolve(0),
  noteOverload: () => undefined,
  close: () => undefined,
};
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Ways to end a wait. */
interface GivingUp {
  readonly budget: ClientRequestBudget;
  readonly stop: AbortController;
  readonly close: AbortController;
}

describe('the budget of all requests', () => {
  test('lets no more than its limit run at once, in the order of asking', async () => {
    const budget = new ClientRequestBudget({
      closed,
      clock: new JumpingClock(),
      maxConcurrency: 2,
    });
    const work = createWork();
    const all = [1, 2, 3].map(() => budget.run(work.start));
    await tick();
    expect(work.running).toBe(2);
    expect(budget.isHeldBack).toBe(true);
    work.finishOne();
    await tick();
    expect(work.running).toBe(2);
    work.finishOne();
    work.finishOne();
    await Promise.all(all);
  });

  test('holds looks back while anything is limited', () => {
    const limits = { closed, clock: new JumpingClock(), maxConcurrency: 2 };
    const budget = new ClientRequestBudget(limits);
    expect(budget.isHeldBack).toBe(false);
    budget.noteOverload(1_000);
    expect(budget.isHeldBack).toBe(true);
    expect(new ClientRequestBudget({ ...limits, requestsPerSecond: 5 }).isHeldBack).toBe(true);
    expect(new ClientRequestBudget({ ...limits, sharedBudget }).isHeldBack).toBe(true);
  });

  test('starts so many requests in a second and no more', async () => {
    const clock = new JumpingClock();
    const budget = new ClientRequestBudget({
      closed,
      clock,
      maxConcurrency: 10,
      requestsPerSecond: 4,
    });
    const start = clock.now();
    const startedAt: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      await budget.run(() => Promise.resolve(startedAt.push(clock.now() - start)));
    }
    expect(startedAt).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750, 2000]);
  });

  test('is halved once by an overload, holds everybody back, and grows again by successes', async () => {
    const clock = new JumpingClock();
    const budget = new ClientRequestBudget({ closed, clock, maxConcurrency: 8 });
    budget.noteOverload(5_000);
    budget.noteOverload(3_000);
    expect(budget.limit).toBe(4);
    const before = clock.now();
    await budget.run(() => Promise.resolve());
    expect(clock.now() - before).toBe(5_000);
    for (let count = 0; count < 4; count += 1) budget.noteSuccess();
    expect(budget.limit).toBe(5);
    for (let count = 0; count < 100; count += 1) budget.noteSuccess();
    expect(budget.limit).toBe(8);
  });

  test('takes a token of the budget that others share, and waits as long as they have to', async () => {
    const clock = new JumpingClock();
    const start = clock.now();
    const said: unknown[] = [];
    const sharedBudget = {
      take: () => Promise.resolve(Math.max(0, start + 3_000 - clock.now())),
      noteOverload: (...given: unknown[]) => void said.push(given),
      close: () => undefined,
    };
    const budget = new ClientRequestBudget({ closed, clock, maxConcurrency: 2, sharedBudget });
    await expect(
      budget.run(() => Promise.resolve(), { deadline: start + 1_000 }),
    ).rejects.toMatchObject({ forMs: 3_000 });
    await budget.run(() => Promise.resolve());
    expect(clock.now() - start).toBe(3_000);
    budget.noteOverload(2_000, 429);
    expect(said).toEqual([[2_000, 429]]);
  });

  /** The order in which requests start that have all asked while another was under way; those in capitals go first. */
  async function findOrder(budget: ClientRequestBudget, asked: readonly string[]): Promise<string> {
    const order: string[] = [];
    const work = createWork();
    const first = budget.run(work.start);
    const rest = asked.map((name) => {
      const goesFirst = name === name.toUpperCase();
      return budget.run(() => Promise.resolve(order.push(name)), { goesFirst });
    });
    // It may be held back before.
    while (work.running === 0) await tick();
    work.finishOne();
    await Promise.all([first, ...rest]);
    return order.join('');
  }

  test('lets in first what others wait for, by turns with the rest', async () => {
    const budget = new ClientRequestBudget({
      closed,
      clock: new JumpingClock(),
      maxConcurrency: 1,
    });
    expect(await findOrder(budget, ['a', 'b', 'c', 'd', 'X', 'Y'])).toBe('XaYbcd');
  });

  test.each([
    ['by the user', { requestsPerSecond: 1_000 }],
    ['by what other processes share', { sharedBudget }],
  ])('lets nobody in first where requests are limited %s', async (_, limit) => {
    const clock = new JumpingClock();
    const budget = new ClientRequestBudget({ closed, clock, maxConcurrency: 1, ...limit });
    expect(await findOrder(budget, ['a', 'b', 'X'])).toBe('abX');
  });

  test('lets nobody in first after an overload, until it has grown again', async () => {
    const budget = new ClientRequestBudget({
      closed,
      clock: new JumpingClock(),
      maxConcurrency: 2,
    });
    budget.noteOverload(1);
    expect(await findOrder(budget, ['a', 'b', 'X'])).toBe('abX');
    budget.noteSuccess();
    const other = createWork();
    const ends = budget.run(other.start);
    expect(await findOrder(budget, ['a', 'b', 'X'])).toBe('Xab');
    other.finishOne();
    await ends;
  });

  test.each([
    ['its signal', 'told to stop', ({ stop }: GivingUp) => stop.abort(new Error('told to stop'))],
    [
      'the end',
      'the client is closed',
      ({ close }: GivingUp) => close.abort(new Error('the client is closed')),
    ],
    ['its deadline', 'held back', ({ budget }: GivingUp) => budget.noteOverload(60_000)],
  ])('never sends what gave up its wait, by %s', async (_, reason, giveUp) => {
    const [stop, close] = [new AbortController(), new AbortController()];
    const clock = new JumpingClock();
    const budget = new ClientRequestBudget({ closed: close.signal, clock, maxConcurrency: 1 });
    const work = createWork();
    const first = budget.run(work.start);
    const sent: number[] = [];
    const patience = { signal: stop.signal, deadline: clock.now() + 30_000 };
    const waits = [1, 2].map((name) =>
      budget.run(() => Promise.resolve(sent.push(name)), patience),
    );
    await tick();
    giveUp({ budget, stop, close });
    for (const wait of waits) await expect(wait).rejects.toThrow(reason);
    work.finishOne();
    await first;
    await tick();
    expect(sent).toEqual([]);
  });

  test('never falls below one', () => {
    const budget = new ClientRequestBudget({
      closed,
      clock: new JumpingClock(),
      maxConcurrency: 1,
    });
    budget.noteOverload(1);
    expect(budget.limit).toBe(1);
  });
});
