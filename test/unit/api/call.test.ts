import { describe, expect, test } from 'vitest';
import type { CallEvent } from '../../../src/api/call.ts';
import { connect, failureOf, fetchFailed, json, problem, token } from './fake-service.ts';

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
      count === 1 ? busy(429, '3') : count === 2 ? busy(503, '2') : json({ commandId: 'c' }, 202),
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
    const { client, seen, clock } = connect(() => busy(503, '40'));
    const begun = clock.now();
    await expect(client.getLimits()).rejects.toMatchObject({ status: 503, attempts: 3 });
    expect(seen).toHaveLength(3);
    expect(clock.now() - begun).toBeLessThan(120_000);
  });
});

describe('the limit', () => {
  test('is shared by reads and writes, and a wait takes no turn', async () => {
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
});

describe('a stop', () => {
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
      fetch: () => {
        stopping.abort();
        return new Promise(() => undefined);
      },
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
      return busy(503, '20');
    });
    await expect(client.send(stop, { signal: stopping.signal })).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
  });
});

describe('what is asked before each change goes out', () => {
  test('comes after the wait for the next attempt, and never before a read', async () => {
    const asked: number[] = [];
    const { client, clock, seen } = connect(
      (_, count) => (count <= 2 ? busy(429, '30') : json({ commandId: 'c' }, 202)),
      { beforeChange: () => asked.push(clock.now() - begun) },
    );
    const begun = clock.now();
    await client.send(stop);
    await client.getLimits();
    expect(asked).toEqual([0, 30_500, 61_000]);
    expect(seen).toHaveLength(4);
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
  const events: CallEvent[] = [];
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
