import { exchangeByFetch } from '../../../../src/api/transport/exchange-by-fetch.ts';
import { describe, expect, test } from 'vitest';
import type { RequestAttemptEvent } from '../../../../src/api/transport/attempt.ts';
import {
  connect,
  failureOf,
  JumpingClock,
  fetchFailed,
  json,
  problem,
  token,
} from '../fake-service.ts';

const stop = { kind: 'stopVm', project: 'p', vm: 'v' } as const;
const busy = (status: number, seconds: string) =>
  json({ title: 'Busy' }, status, { 'retry-after': seconds });

describe('a request is sent again', () => {
  test('a read, until it is answered', async () => {
    const { client, seen, clock } = connect((_, count) =>
      count < 4 ? fetchFailed('ECONNRESET') : json({ id: 'v', name: 'web' }),
    );
    expect(await client.get('vm', { projectId: 'p' }, 'v')).toMatchObject({ name: 'web' });
    expect(seen).toHaveLength(4);
    expect(clock.slept).toEqual([250, 500, 1000]);
  });

  test('a change that was put off, after the time asked for', async () => {
    const { client, seen, clock } = connect((_, count) =>
      count === 1 ? busy(429, '3') : count === 2 ? busy(429, '2') : json({ commandId: 'c' }, 202),
    );
    expect(await client.send(stop)).toEqual({ kind: 'accepted' });
    expect(seen).toHaveLength(3);
    expect(clock.slept).toEqual([3500, 2500]);
  });

  test('not a change whose answer was lost', async () => {
    const { client, seen } = connect(() => fetchFailed('ECONNRESET'));
    await expect(client.send(stop)).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(seen).toHaveLength(1);
  });

  test('only so often where nothing ever answered', async () => {
    const { client, seen } = connect(() => fetchFailed('ECONNREFUSED'));
    await expect(client.getLimits()).rejects.toMatchObject({ attempts: 3 });
    expect(seen).toHaveLength(3);
  });

  test('patiently once the service has answered', async () => {
    const { client, seen } = connect((_, count) =>
      count === 1 ? json({}) : fetchFailed('ECONNREFUSED'),
    );
    await client.getLimits();
    await expect(client.getLimits()).rejects.toMatchObject({ attempts: 10 });
    expect(seen).toHaveLength(11);
  });

  test('no longer than the deadline', async () => {
    const { client, seen, clock } = connect(() => busy(503, '100'));
    const begun = clock.now();
    await expect(client.getLimits()).rejects.toMatchObject({ status: 503, attempts: 6 });
    expect(seen).toHaveLength(6);
    expect(clock.now() - begun).toBeLessThan(600_000);
  });
});

describe('a service that answers nothing', () => {
  const hang = () => new Promise<Response>(() => undefined);

  test('is waited for 60 s with a change, which is sent once', async () => {
    const { client, seen, clock } = connect(hang);
    const begun = clock.now();
    await expect(client.send(stop)).rejects.toMatchObject({ lost: 'timeout' });
    expect([clock.now() - begun, seen.length]).toEqual([60_000, 1]);
  });

  test('is waited for 10 s with a read', async () => {
    const { client, clock, seen } = connect((_, count) => (count === 1 ? hang() : json({})));
    const begun = clock.now();
    await client.getLimits();
    expect([clock.now() - begun, seen.length]).toEqual([10_250, 2]);
  });
});

describe('a change that is answered a failure of the service', () => {
  test.each([500, 501, 502, 503, 504, 505, 599])('%i: is not sent again', async (status) => {
    const { client, seen } = connect(() => busy(status, '3'));
    await expect(client.send(stop)).rejects.toMatchObject({
      lost: 'server-error',
      answered: { status, retryAfterMs: 3_000 },
    });
    expect(seen).toHaveLength(1);
  });

  test('whatever it is: also one that deletes, renames or sets', async () => {
    const { client, seen } = connect(() => busy(503, '3'));
    const place = { project: 'p', network: 'n' } as const;
    for (const command of [
      { kind: 'deleteNetwork', ...place },
      { kind: 'renameNetwork', ...place, name: 'lan' },
      { kind: 'updateAccountLocale', account: 'account', locale: 'de' },
    ] as const) {
      await expect(client.send(command)).rejects.toMatchObject({ code: 'outcome-unknown' });
    }
    expect(seen.map(({ method }) => method)).toEqual(['DELETE', 'PATCH', 'PUT']);
  });

  test('holds everybody back for as long as the service asks', async () => {
    const { client, clock } = connect((_, count) => (count === 1 ? busy(503, '30') : json({})));
    const begun = clock.now();
    await failureOf(client.send(stop));
    expect(clock.now() - begun).toBe(0);
    await client.getLimits();
    expect(clock.now() - begun).toBe(30_000);
  });
});

describe('a service that asks to wait for a day', () => {
  const day = '86400';

  test('is asked again after two minutes', async () => {
    const { client, clock, seen } = connect((_, count) =>
      count === 1 ? busy(429, day) : json({ commandId: 'c' }, 202),
    );
    const begun = clock.now();
    await client.send(stop);
    expect(clock.now() - begun).toBe(120_500);
    expect(seen).toHaveLength(2);
  });

  test('freezes no other service', async () => {
    const slow = connect(() => busy(429, day));
    const quick = connect(() => json({}));
    const lost = failureOf(slow.client.getLimits());
    const begun = quick.clock.now();
    await quick.client.getLimits();
    expect(quick.clock.now() - begun).toBe(0);
    await lost;
  });

  test('is told of, with what it asked', async () => {
    const events: RequestAttemptEvent[] = [];
    const { client } = connect(
      (_, count) => (count === 1 ? busy(503, day) : count === 2 ? busy(503, '7') : json({})),
      { onRequest: (event) => events.push(event) },
    );
    await failureOf(client.send(stop));
    await client.getLimits();
    expect(events.map(({ holdMs }) => holdMs)).toEqual([120_000, 7_000, null]);
  });

  test('does not keep a change beyond its deadline', async () => {
    const { client, clock, seen } = connect(() => busy(503, day));
    const begun = clock.now();
    await failureOf(client.send(stop));
    const late = await failureOf(client.send(stop, { deadline: begun + 90_000 }));
    expect(late).toMatchObject({ code: 'not-sent', heldForMs: 120_000 });
    expect(clock.now() - begun).toBeLessThanOrEqual(90_000);
    expect(seen).toHaveLength(1);
  });

  test('does not keep what is to be read for a change alone: its time and its interrupt count', async () => {
    const { client, clock, seen } = connect((_, count) =>
      count === 1 ? busy(503, day) : json({}),
    );
    const begun = clock.now();
    const stopping = new AbortController();
    const options = { signal: stopping.signal, isLeftToEnd: true };
    await client.awaitHold(stop, options);
    expect(clock.now() - begun).toBe(0);
    await failureOf(client.send(stop));
    const late = await failureOf(client.awaitHold(stop, { ...options, deadline: begun + 90_000 }));
    expect(late).toMatchObject({ code: 'not-sent', why: 'deadline', operation: 'stopVm' });
    setImmediate(() => stopping.abort());
    const stopped = await failureOf(client.awaitHold(stop, options));
    expect(stopped).toMatchObject({ code: 'not-sent', why: 'interrupted' });
    expect(clock.now() - begun).toBe(0);
    await client.awaitHold(stop, {});
    expect(clock.now() - begun).toBe(120_000);
    expect(seen).toHaveLength(1);
  });

  test('does not keep one that waits for its turn, nor one that it refused itself', async () => {
    const { client, clock, seen } = connect(
      async () => {
        await new Promise((done) => setImmediate(done));
        return busy(429, day);
      },
      { maxConcurrency: 1 },
    );
    const begun = clock.now();
    const deadline = begun + 90_000;
    const [first, second] = await Promise.all([
      failureOf(client.send(stop, { deadline })),
      failureOf(client.send(stop, { deadline })),
    ]);
    expect(first).toMatchObject({ status: 429, attempts: 1 });
    expect(second).toMatchObject({ code: 'not-sent' });
    expect(clock.now() - begun).toBeLessThanOrEqual(90_000);
    expect(seen).toHaveLength(1);
  });

  test('does not keep an interrupt waiting: what was not sent is stopped at once', async () => {
    const stopping = new AbortController();
    const reason = new Error('enough');
    const { client, clock, seen } = connect(() => busy(429, day), { maxConcurrency: 1 });
    const begun = clock.now();
    const options = { signal: stopping.signal, isLeftToEnd: true };
    const all = [1, 2, 3].map(() => failureOf(client.send(stop, options)));
    setImmediate(() => stopping.abort(reason));
    expect(await Promise.all(all)).toMatchObject([1, 2, 3].map(() => ({ why: 'interrupted' })));
    expect(clock.now() - begun).toBe(0);
    expect(seen.length).toBeLessThan(3);
  });
});

test('the limit is shared by reads and writes, and a wait takes no turn', async () => {
  let running = 0;
  let most = 0;
  const { client, seen } = connect(
    async ({ method }, count) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setImmediate(done));
      running -= 1;
      if (count === 1) return busy(503, '20');
      return method === 'GET' ? json([]) : json({ commandId: 'c' }, 202);
    },
    { maxConcurrency: 3 },
  );
  const reads = Array.from({ length: 6 }, (_, index) =>
    client.list('sshKey', { projectId: `p${index}` }),
  );
  const writes = Array.from({ length: 6 }, () => client.send(stop));
  await Promise.all([...reads, ...writes]);
  expect(most).toBe(3);
  // The one that was put off came back; what the service said of its load held the others back too.
  expect(seen).toHaveLength(13);
  expect(seen.filter(({ path }) => path === '/projects/p0/ssh-keys')).toHaveLength(2);
});

describe('a stop', () => {
  test('leaves a change that is under way to end, where it is asked to', async () => {
    const stopping = new AbortController();
    const { client, seen } = connect(async () => {
      stopping.abort();
      await new Promise((done) => setImmediate(done));
      return json({ commandId: 'c' }, 202);
    });
    const options = { signal: stopping.signal, isLeftToEnd: true };
    expect(await client.send(stop, options)).toEqual({ kind: 'accepted' });
    await expect(client.send(stop, options)).rejects.toMatchObject({ why: 'interrupted' });
    expect(seen).toHaveLength(1);
  });

  test('before it is sent sends nothing', async () => {
    const { client, seen } = connect(() => json({}));
    const reason = new Error('enough');
    await expect(client.send(stop, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(seen).toEqual([]);
  });

  test('of a read gives its reason', async () => {
    const stopping = new AbortController();
    const reason = new Error('enough');
    const { client } = connect(() => {
      stopping.abort(reason);
      return new Promise(() => undefined);
    });
    await expect(client.getLimits({ signal: stopping.signal })).rejects.toBe(reason);
  });

  test('while it is being sent is heeded, though the network does not', async () => {
    const stopping = new AbortController();
    const { client } = connect(() => json({}), {
      exchange: exchangeByFetch(() => {
        stopping.abort();
        return new Promise(() => undefined);
      }, new JumpingClock()),
    });
    await expect(client.send(stop, { signal: stopping.signal })).rejects.toMatchObject({
      lost: 'aborted',
    });
  });

  test('of a change under way leaves it open', async () => {
    const stopping = new AbortController();
    const { client } = connect(() => {
      stopping.abort();
      return new Promise(() => undefined);
    });
    await expect(client.send(stop, { signal: stopping.signal })).rejects.toMatchObject({
      code: 'outcome-unknown',
      lost: 'aborted',
    });
  });

  test('ends the wait for the next attempt', async () => {
    const stopping = new AbortController();
    const reason = new Error('enough');
    const { client, seen } = connect(() => {
      setImmediate(() => stopping.abort(reason));
      return busy(429, '20');
    });
    await expect(client.send(stop, { signal: stopping.signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });
});

describe('what is asked before each change goes out', () => {
  test('comes after the wait for the next attempt, and never before a read', async () => {
    const asked: number[] = [];
    const { client, clock, seen } = connect(
      (_, count) => (count <= 2 ? busy(429, '30') : json({}, 202)),
      { beforeChange: () => void asked.push(clock.now() - begun) },
    );
    const begun = clock.now();
    await client.send(stop);
    await client.getLimits();
    expect(asked).toEqual([0, 30_500, 61_000]);
    expect(seen).toHaveLength(4);
  });

  test('is waited for where a server has to be asked', async () => {
    const order: string[] = [];
    const { client } = connect(
      () => {
        order.push('sent');
        return json({}, 202);
      },
      {
        beforeChange: async () => {
          await new Promise((done) => setImmediate(done));
          order.push('asked');
        },
      },
    );
    await client.send(stop);
    expect(order).toEqual(['asked', 'sent']);
  });

  test('stops the change with its own error, and no turn is lost', async () => {
    const gone = new Error('the lock is lost');
    let isHeld = true;
    const { client, seen } = connect(() => busy(429, '30'), {
      maxConcurrency: 1,
      beforeChange: () => {
        if (!isHeld) throw gone;
        isHeld = false;
      },
    });
    await expect(client.send(stop)).rejects.toBe(gone);
    expect(seen).toHaveLength(1);
    await expect(client.send(stop)).rejects.toBe(gone);
    expect(seen).toHaveLength(1);
  });
});

test('every attempt is told of, without token or body', async () => {
  const events: RequestAttemptEvent[] = [];
  const { client } = connect(
    (_, count) =>
      count === 1
        ? fetchFailed('ECONNREFUSED')
        : count === 2
          ? problem(409, { detail: `locked ${token}` })
          : json({}),
    { onRequest: (event) => events.push(event) },
  );
  await failureOf(client.send(stop));
  await client.getLimits();
  expect(events).toMatchObject([
    { operation: 'stopVm', attempt: 1, status: null, retryAfterMs: 250 },
    { operation: 'stopVm', attempt: 2, status: 409, retryAfterMs: null },
    { operation: 'getLimits', method: 'GET', attempt: 1, status: 200, failure: null },
  ]);
  expect(JSON.stringify(events)).not.toContain(token);
});

describe('a client that is closed', () => {
  test('sends nothing more, and waits for no attempt', async () => {
    const { client, seen, clock } = connect(() => {
      client.close();
      return fetchFailed('ECONNRESET');
    });
    await expect(client.getLimits()).rejects.toThrow('the client is closed');
    await expect(client.send(stop)).rejects.toThrow('the client is closed');
    expect(seen).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test('gives up who waits for a turn', async () => {
    const { client, seen } = connect(() => new Promise(() => undefined), { maxConcurrency: 1 });
    void client.getLimits().catch(() => undefined);
    const second = client.getLimits();
    client.close();
    await expect(second).rejects.toThrow('the client is closed');
    expect(seen.length).toBeLessThan(2);
  });

  test('gives up who is held back', async () => {
    const { client, seen } = connect(() => busy(429, '3600'));
    const held = client.getLimits();
    await new Promise((done) => setImmediate(done));
    client.close();
    await expect(held).rejects.toThrow('the client is closed');
    expect(seen).toHaveLength(1);
  });
});
