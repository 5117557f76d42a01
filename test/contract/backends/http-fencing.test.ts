// Who may write to a state server: locks that are removed and passed on, requests that are late, answers that are lost.
import { spawnSync } from 'node:child_process';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import { LockLostError } from '../../../src/state/lock/fence.ts';
import {
  acquireLock,
  findLockHolderAfterWait,
  forceUnlock,
  takePersonalLock,
  releasePersonalLock,
} from '../../../src/state/lock/lock.ts';
import { openHttpSetup, type HttpSetup } from '../../support/backends/http-setup.ts';
import type { DoubleOptions } from '../../support/backends/http-state-double.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';

let setup: HttpSetup;
const start = async (options: DoubleOptions = {}) => (setup = await openHttpSetup(options));
afterEach(() => setup.close());

const flavours = ['terraform', 'gitlab', 'gitea'] as const;
const lost = { kind: 'answer-lost' } as const;

const firstOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown as DiagnosticError,
  );
  return error?.diagnostics[0];
};
const lossOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof LockLostError ? error.loss : error;
};
/** Removes a lock by force, as a person does. */
const remove = (id: string) => forceUnlock(setup.openBackend().lock, id);
/** A process that has ended. */
const endedPid = () => spawnSync('true').pid;
const promiseOf = () => {
  let open = (): void => undefined;
  const until = new Promise<void>((done) => (open = done));
  return { until, open: () => open() };
};
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await pause(1);
};

describe.each(flavours)('a write under %s', (flavour) => {
  test('whose answer is lost has landed, and is not made twice', async () => {
    const { double, lock, readAll } = await start({ flavour });
    const run = await lock();
    double.meet('POST', lost, lost);
    await run.files.replace(run.journal, 'a\n');
    await run.files.append(run.journal, 'b\n');
    expect([...double.versions.keys()]).toEqual([1, 2]);
    expect(await readAll()).toEqual({ [run.journal]: 'a\nb\n' });
  });

  test('that never came is made again', async () => {
    const { double, lock, readAll } = await start({ flavour });
    const run = await lock();
    double.meet('POST', { kind: 'request-lost' }, { kind: 'answered', status: 502 });
    await run.files.replace(run.journal, 'a\n');
    expect([...double.versions.keys()]).toEqual([1]);
    expect(await readAll()).toEqual({ [run.journal]: 'a\n' });
  });

  test('whose first request comes in just before the second is made once', async () => {
    const { double, lock, readAll } = await start({ flavour });
    const run = await lock();
    const late = promiseOf();
    double.meet('POST', { kind: 'late', until: late.until });
    let posts = 0;
    double.onRequest = ({ method, isLock }) => {
      // Between the look and the second request.
      if (method === 'POST' && !isLock && (posts += 1) === 2) late.open();
    };
    double.meet('POST', { kind: 'delayed', until: late.until.then(() => pause(20)) });
    await run.files.replace(run.journal, 'a\n');
    await run.files.append(run.journal, 'b\n');
    expect([...double.versions.keys()]).toEqual([1, 2]);
    expect(await readAll()).toEqual({ [run.journal]: 'a\nb\n' });
  });

  test('that was under way when its lock passed on is refused', async () => {
    const { double, lock, readAll } = await start({ flavour });
    const old = await lock();
    await old.files.replace('state.json', 'before');
    const held = promiseOf();
    double.meet('POST', { kind: 'delayed', until: held.until });
    const writing = lossOf(old.files.replace('state.json', 'late'));
    await until(() => double.heard.filter(({ isLock }) => !isLock).length === 3);
    await remove(old.lock.info.ID);
    const next = await lock();
    held.open();
    expect(await writing).toMatchObject({ kind: 'taken' });
    expect(await readAll()).toEqual({ 'state.json': 'before' });
    await next.files.replace('state.json', 'after');
    await expect(old.files.replace('state.json', 'late')).rejects.toBeInstanceOf(LockLostError);
    expect(await readAll()).toEqual({ 'state.json': 'after' });
  });

  test('whose answer is lost while its lock passes on is known to the successor', async () => {
    const { double, lock, readAll } = await start({ flavour });
    const old = await lock();
    await old.files.replace(old.journal, 'a\n');
    const held = promiseOf();
    double.meet('POST', lost);
    double.meet('GET', { kind: 'delayed', until: held.until });
    const writing = lossOf(old.files.append(old.journal, 'b\n'));
    await until(() => double.heard.at(-1)?.method === 'GET');
    await remove(old.lock.info.ID);
    const next = await lock();
    expect(await next.files.read(old.journal)).toBe('a\nb\n');
    await next.files.replace(old.journal, 'a\nb\nc\n');
    held.open();
    expect(await writing).toMatchObject({ kind: 'taken', by: { Who: 'anna@here' } });
    expect(await readAll()).toEqual({ [old.journal]: 'a\nb\nc\n' });
  });

  test('that is not confirmed is found by who comes next, or made again by who is still there', async () => {
    const { double, lock } = await start({ flavour });
    const old = await lock();
    double.meet('POST', lost);
    double.meet('GET', { kind: 'answered', status: 503 });
    await old.files.replace(old.journal, 'a\n');
    await old.files.append(old.journal, 'b\n');
    await old.lock.release();
    const next = await lock();
    expect(await next.files.read(old.journal)).toBe('a\nb\n');
    expect(next.lock.fence.epoch).toBe(old.lock.fence.epoch + 1);
  });

  test('after its lock was released is not even sent', async () => {
    const { lock, takeMethods } = await start({ flavour });
    const run = await lock();
    await run.files.replace(run.journal, 'a\n');
    await run.lock.release();
    takeMethods();
    await expect(run.files.append(run.journal, 'b\n')).rejects.toBeInstanceOf(LockLostError);
    expect(takeMethods()).toEqual([]);
    await run.lock.release();
  });

  test('of a lock that passed on and is free again is refused', async () => {
    const { lock, readAll } = await start({ flavour });
    const old = await lock();
    await old.files.replace('state.json', 'before');
    await remove(old.lock.info.ID);
    const next = await lock();
    await next.files.replace('state.json', 'after');
    await next.lock.release();
    await expect(old.files.replace('state.json', 'late')).rejects.toBeInstanceOf(LockLostError);
    expect(await readAll()).toEqual({ 'state.json': 'after' });
  });
});

describe('a write', () => {
  test('that comes in late is refused: the lock has another ID by then', async () => {
    const { double, lock, readAll } = await start();
    const run = await lock();
    const { ID } = run.lock.info;
    const late = promiseOf();
    double.meet('POST', { kind: 'late', until: late.until });
    await run.files.replace(run.journal, 'a\n');
    await run.files.append(run.journal, 'b\n');
    expect(run.lock.info.ID).not.toBe(ID);
    expect(double.lock?.['ID']).toBe(run.lock.info.ID);
    late.open();
    await pause(50);
    // As a process that was killed now would leave it.
    expect(await readAll()).toEqual({ [run.journal]: 'a\nb\n' });
    await run.lock.release();
    expect(double.lock).toBeUndefined();
  });

  test('that comes in late before the lock has another ID is followed by the newest state', async () => {
    const { double, lock, readAll } = await start();
    const run = await lock();
    const late = promiseOf();
    double.meet('POST', { kind: 'request-lost' }, { kind: 'late', until: late.until });
    await run.files.replace(run.journal, 'a\n');
    double.onRequest = ({ method }) => {
      if (method === 'UNLOCK') double.put([...double.versions.values()][0]);
    };
    double.meet('POST', { kind: 'answer-lost' });
    await run.files.append(run.journal, 'b\n');
    late.open();
    expect(await readAll()).toEqual({ [run.journal]: 'a\nb\n' });
  });

  test('without an answer lets nothing be sent until the lock is held again', async () => {
    const { double, lock } = await start();
    const run = await lock();
    const held = promiseOf();
    double.meet('POST', lost);
    double.meet('LOCK', { kind: 'delayed', until: held.until });
    const writing = run.files.replace(run.journal, 'a\n');
    await until(() => double.heard.at(-1)?.method === 'LOCK');
    let isAllowed = false;
    const asking = Promise.resolve(run.lock.fence.verifyLease()).then(() => (isAllowed = true));
    await pause(5);
    expect(isAllowed).toBe(false);
    held.open();
    await Promise.all([writing, asking]);
    expect(run.lock.fence.verifyLease()).toBeUndefined();
  });

  test('without an answer ends the run where somebody else takes the lock meanwhile', async () => {
    const { double, lock, readAll } = await start();
    const run = await lock();
    double.meet('POST', lost);
    double.meet('UNLOCK', lost);
    let next: Promise<unknown> | undefined;
    double.onRequest = ({ method }) => {
      if (method === 'UNLOCK') next ??= lock(undefined, { host: 'elsewhere', timeoutMs: 60_000 });
    };
    const loss = await lossOf(run.files.replace(run.journal, 'a\n'));
    expect(loss).toMatchObject({ kind: 'taken', by: { Who: 'anna@elsewhere' } });
    await next;
    expect(await readAll()).toEqual({ [run.journal]: 'a\n' });
    await expect(run.files.append(run.journal, 'b\n')).rejects.toBeInstanceOf(LockLostError);
  });

  test('without an answer ends the run where the lock cannot be taken again', async () => {
    const { double, lock, openBackend } = await start();
    const run = await lock(openBackend({ clock: openQuickClock() }));
    double.meet('POST', lost);
    const busy = { kind: 'answered', status: 503 } as const;
    double.meet('LOCK', ...Array.from({ length: 500 }, () => busy));
    const writing = lossOf(run.files.replace(run.journal, 'a\n'));
    expect(await writing).toMatchObject({ kind: 'unrenewed' });
    expect(() => run.lock.fence.verifyLease()).toThrow(LockLostError);
  });

  test('of old is undone at the end where a server looks at no ID', async () => {
    const { double, lock, readAll } = await start();
    const run = await lock();
    double.meet('POST', lost);
    await run.files.replace(run.journal, 'a\n');
    await run.files.append(run.journal, 'b\n');
    double.put([...double.versions.values()][0]);
    await run.lock.release();
    expect(await readAll()).toEqual({ [run.journal]: 'a\nb\n' });
  });

  test('that GitLab fails to keep while the lock is held is made again', async () => {
    const { double, lock, takeMethods, readAll } = await start({ flavour: 'gitlab' });
    const run = await lock();
    takeMethods();
    double.meet('POST', { kind: 'answered', status: 500 });
    await run.files.replace('state.json', 'x');
    // The second is that of the lock, which GitLab refuses to its holder too.
    expect(takeMethods()).toEqual(['POST', 'GET', 'POST', 'POST']);
    expect(await readAll()).toEqual({ 'state.json': 'x' });
  });

  test('that GitLab refuses with 500 has lost its lock, which stays free', async () => {
    const { double, lock, readAll } = await start({ flavour: 'gitlab' });
    const lostErrors: LockLostError[] = [];
    const run = await lock(undefined, { onLost: (error) => lostErrors.push(error) });
    await remove(run.lock.info.ID);
    expect(await lossOf(run.files.replace('state.json', 'x'))).toEqual({ kind: 'removed' });
    expect(lostErrors).toHaveLength(1);
    expect(double.lock).toBeUndefined();
    expect(await readAll()).toEqual({});
  });

  test('to a server that takes any while nobody has the lock: seen by the successor, or not made', async () => {
    const { lock, readAll, double } = await start({ isLax: true });
    const at = { now: 0 };
    const time = { now: () => at.now, monotonic: () => 0, repeat: () => () => undefined };
    const old = await lock(undefined, { time });
    await old.files.replace('state.json', 'before');
    await remove(old.lock.info.ID);
    await old.files.replace('state.json', 'between');
    const next = await lock();
    expect(await next.files.read('state.json')).toBe('between');
    await next.files.replace('state.json', 'after');
    await next.lock.release();
    // It comes back after longer than its lease, and looks first.
    at.now += 61_000;
    expect(await lossOf(old.files.replace('state.json', 'late'))).toMatchObject({ kind: 'taken' });
    expect(await readAll()).toEqual({ 'state.json': 'after' });
    expect(double.versions.size).toBe(3);
  });

  test('finds that the state was deleted meanwhile', async () => {
    const { lock, double } = await start();
    const run = await lock();
    await run.files.replace('state.json', 'x');
    double.meet('POST', { kind: 'request-lost' });
    double.put(undefined);
    expect(await lossOf(run.files.replace('state.json', 'y'))).toEqual({
      kind: 'set-back',
      confirmed: 'serial 1 of epoch 1',
      found: 'no state at all',
      epoch: 0,
    });
  });
});

describe.each(flavours)('the lock of %s', (flavour) => {
  test('is shown to those who are refused it, without heartbeats', async () => {
    const { lock, openBackend } = await start({ flavour });
    const run = await lock(undefined, { host: 'elsewhere' });
    const diagnostic = await firstOf(lock());
    expect(diagnostic?.code).toBe('state-locked');
    expect(diagnostic?.hint).toContain(run.lock.info.ID);
    expect(diagnostic?.detail).not.toContain('heartbeat');
    const { lock: medium } = openBackend();
    const clock = openQuickClock();
    expect(
      await findLockHolderAfterWait(medium, 'here', { clock, isThorough: true }),
    ).toBeUndefined();
  });

  test('does not expire, however long it is waited for', async () => {
    const { lock } = await start({ flavour });
    const run = await lock();
    await run.files.replace(run.journal, 'a\n');
    expect((await firstOf(lock(undefined, { timeoutMs: 90_000 })))?.code).toBe('state-locked');
    await run.files.append(run.journal, 'b\n');
    await run.lock.release();
  });

  test('is waited for until it is released', async () => {
    const { lock } = await start({ flavour });
    const run = await lock();
    const waiting = lock(undefined, {
      timeoutMs: 3_600_000,
      onWait: () => void run.lock.release(),
    });
    expect((await waiting).lock.diagnostics).toEqual([]);
  });

  test('passes on at once from a process of this machine that has ended', async () => {
    const { lock } = await start({ flavour });
    const old = await lock(undefined, { pid: endedPid(), host: hostname() });
    await old.files.replace(old.journal, 'a\n');
    const next = await lock(undefined, { host: hostname() });
    expect(next.lock.diagnostics).toMatchObject([
      { code: 'lock-taken-over', summary: 'Took over the lock of a process that has exited' },
    ]);
    expect(next.lock.silentForMs).toBe(0);
    expect(next.lock.fence.epoch).toBe(old.lock.fence.epoch + 1);
    await expect(old.files.append(old.journal, 'late\n')).rejects.toBeInstanceOf(LockLostError);
  });

  test('goes to one of several who see that its process has ended', async () => {
    const { lock } = await start({ flavour });
    const old = await lock(undefined, { pid: endedPid(), host: hostname() });
    await old.files.replace(old.journal, 'a\n');
    const ended = await Promise.allSettled(
      Array.from({ length: 5 }, () => lock(undefined, { host: hostname() })),
    );
    const taken = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(taken).toHaveLength(1);
    await taken[0]?.files.replace('state.json', 'x');
  });

  test('is taken, and given back, though the answers are lost', async () => {
    const { double, lock } = await start({ flavour });
    const [taking, leaving] = flavour === 'terraform' ? ['LOCK', 'UNLOCK'] : ['POST', 'DELETE'];
    double.meet(taking, lost);
    const run = await lock();
    expect(double.lock?.['ID']).toBe(run.lock.info.ID);
    double.meet(leaving, lost);
    await run.lock.release();
    expect(double.lock).toBeUndefined();
    const next = await lock();
    double.meet(leaving, lost);
    await remove(next.lock.info.ID);
    expect(double.lock).toBeUndefined();
  });

  test('that cannot be released as it is set up is told', async () => {
    const { double, lock, warnings } = await start({ flavour });
    const [, leaving] = flavour === 'terraform' ? ['LOCK', 'UNLOCK'] : ['POST', 'DELETE'];
    const run = await lock();
    double.meet(leaving, { kind: 'answered', status: 405, text: 'no such method' });
    await run.lock.release();
    expect(warnings).toMatchObject([
      { code: 'lock-not-released', detail: expect.stringContaining('405 (no such') as string },
    ]);
  });

  test('is given back where the state cannot be read', async () => {
    const { double, lock } = await start({ flavour });
    double.meet('GET', { kind: 'answered', status: 403 });
    expect((await firstOf(lock()))?.code).toBe('lock-failed');
    expect(double.lock).toBeUndefined();
  });

  test('is kept by a person until somebody removes it by its ID', async () => {
    const { double, lock, openBackend } = await start({ flavour });
    const { lock: medium } = openBackend();
    const who = { pid: endedPid(), host: hostname(), user: 'anna' };
    const request = { operation: 'state lock', version: '1', process: who };
    const { ID } = await takePersonalLock(medium, request, { clock: openQuickClock() });
    expect((await firstOf(lock(undefined, { host: hostname() })))?.code).toBe('state-locked');
    expect((await firstOf(releasePersonalLock(medium)))?.code).toBe('holder-unknown');
    expect(await forceUnlock(medium, ID)).toEqual({ ID });
    expect(double.lock).toBeUndefined();
  });
});

describe('a server that does not say who has the lock', () => {
  test('is taken at its word', async () => {
    const { lock } = await start({ isMute: true });
    const run = await lock();
    const { detail } = (await firstOf(lock())) ?? {};
    expect(detail).toContain('the server does not say who holds it');
    await remove(run.lock.info.ID);
    expect(await lossOf(run.files.replace('state.json', 'x'))).toEqual({ kind: 'removed' });
  });

  test('has perhaps given it to a run whose first answer was lost', async () => {
    const { double, lock } = await start({ isMute: true });
    double.meet('LOCK', lost);
    const diagnostic = await firstOf(lock());
    expect(diagnostic?.detail).toContain('perhaps this run');
    expect(diagnostic?.hint).toContain(String(double.lock?.['ID']));
  });
});

test('words of a server do not reach a terminal as they are', async () => {
  const { double, lock } = await start();
  const text = JSON.stringify({ ID: 'abc', Who: 'eve\u001b[2J\r\nat', Operation: 7 });
  double.meet('LOCK', { kind: 'answered', status: 423, text });
  const { detail } = (await firstOf(lock())) ?? {};
  expect(detail).toContain('eve [2J at');
  expect(detail).not.toContain('\u001b');
});

test('a wait for the lock ends when it is aborted', async () => {
  const { lock, openBackend } = await start();
  await lock();
  const abort = new AbortController();
  const clock = {
    now: Date.now,
    sleep: (_ms: number, signal?: AbortSignal) => {
      abort.abort(new Error('enough'));
      signal?.throwIfAborted();
      return Promise.resolve();
    },
  };
  const process = { pid: 1, host: 'here', user: 'anna' };
  const request = { operation: 'apply', version: '1', process };
  const options = { clock, timeoutMs: 1_000, signal: abort.signal };
  await expect((async () => acquireLock(openBackend().lock, request, options))()).rejects.toThrow(
    'enough',
  );
});
