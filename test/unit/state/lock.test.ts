import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DiagnosticError } from '../../../src/model/errors.ts';
import { makeDirectory } from '../../../src/state/files.ts';
import { markProcess } from '../../../src/state/lock-holder.ts';
import { acquireLock, forceUnlock, readLock, type LockOptions } from '../../../src/state/lock.ts';

let directory: string;
let lockPath: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-lock-'));
  lockPath = join(directory, '.hostwright', 'lock.json');
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(directory, { recursive: true });
});

const host = hostname();
const request = {
  operation: 'apply',
  version: '0.1.0',
  process: { pid: process.pid, host, user: 'ann' },
};

/** A clock that only sleeping moves on. */
function createClock(onSleep: (ms: number) => Promise<void> | void = () => undefined) {
  let now = Date.now();
  return {
    now: () => now,
    sleep: async (ms: number, signal?: AbortSignal) => {
      await onSleep(ms);
      signal?.throwIfAborted();
      now += ms;
    },
  };
}

const acquire = (options: Partial<LockOptions> = {}) =>
  acquireLock(directory, request, { clock: createClock(), ...options });

async function acquireFault(options: Partial<LockOptions> = {}) {
  const error: unknown = await acquire(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return (error as DiagnosticError).diagnostics[0]!;
}

/** Leaves a lock behind as another process would. */
async function leaveLock(overrides: object): Promise<void> {
  await makeDirectory(join(directory, '.hostwright'));
  const info = { ID: 'left', Operation: 'destroy', Who: 'bob@far', Created: 'then', Info: '' };
  await writeFile(
    lockPath,
    JSON.stringify({ ...info, ...markProcess(process.pid, host), ...overrides }),
  );
}

describe('a lock', () => {
  test('says who has it, in the words of Terraform, to its owner alone', async () => {
    const lock = await acquire();
    expect(JSON.parse(await readFile(lockPath, 'utf8'))).toEqual(lock.info);
    expect(lock.info).toMatchObject({
      ID: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      Operation: 'apply',
      Info: '',
      Who: `ann@${host}`,
      Version: '0.1.0',
      Created: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      Path: join(directory, '.hostwright', 'state.json'),
      Pid: process.pid,
      Host: host,
    });
    expect((await stat(lockPath)).mode & 0o777).toBe(0o600);
    expect((await readLock(directory))?.info).toEqual(lock.info);
    expect(lock.diagnostics).toEqual([]);
    await lock.release();
    await lock.release();
    expect(await readdir(join(directory, '.hostwright'))).toEqual([]);
    expect(await readLock(directory)).toBeUndefined();
  });

  test('that is held refuses at once, and says how to go on', async () => {
    const lock = await acquire();
    const fault = await acquireFault();
    expect(fault).toMatchObject({
      severity: 'error',
      code: 'state-locked',
      summary: 'The state is locked',
    });
    const { ID, Path, Created } = lock.info;
    expect(fault.detail).toBe(
      [
        'Lock Info:',
        `  ID:        ${ID}`,
        `  Path:      ${Path}`,
        '  Operation: apply',
        `  Who:       ann@${host}`,
        '  Version:   0.1.0',
        `  Created:   ${Created}`,
        '  Info:',
        `Its last heartbeat was 0 s ago. Its process, ${process.pid}, runs on this machine.`,
      ].join('\n'),
    );
    expect(fault.hint).toContain('--lock-timeout');
    expect(fault.hint).toContain(`force-unlock ${ID}`);
    await lock.release();
  });

  test('that is let go in time is waited for', async () => {
    const lock = await acquire();
    const sleeps: number[] = [];
    const onWait = vi.fn();
    const clock = createClock(async (ms) => {
      sleeps.push(ms);
      if (sleeps.length === 2) await lock.release();
    });
    const next = await acquire({ clock, timeoutMs: 60_000, onWait });
    expect(sleeps).toEqual([500, 500]);
    expect(onWait.mock.calls).toEqual([[lock.info]]);
    await next.release();
  });

  test('that is not let go in time refuses then', async () => {
    const lock = await acquire();
    const sleeps: number[] = [];
    const clock = createClock((ms) => void sleeps.push(ms));
    expect(await acquireFault({ clock, timeoutMs: 1_200 })).toMatchObject({ code: 'state-locked' });
    expect(sleeps).toEqual([500, 500, 200]);
    await lock.release();
  });

  test('is not waited for once the wait is interrupted', async () => {
    const lock = await acquire();
    const reason = new Error('interrupted');
    const waiting = acquire({ timeoutMs: 1_000, signal: AbortSignal.abort(reason) });
    await expect(waiting).rejects.toBe(reason);
    await lock.release();
  });

  test('that cannot be made says why', async () => {
    await writeFile(join(directory, '.hostwright'), '');
    expect(await acquireFault()).toMatchObject({ code: 'lock-failed' });
  });
});

describe('a lock left behind', () => {
  test('by a pid that was given out again is taken over', async () => {
    await leaveLock({ Started: '1' });
    const lock = await acquire();
    expect(lock.diagnostics).toMatchObject([
      {
        severity: 'note',
        code: 'lock-taken-over',
        detail: expect.stringContaining('destroy by bob@far') as string,
      },
    ]);
    // Its next heartbeat would have been due later than now.
    expect(lock.takenOverFrom).toBeLessThanOrEqual(Date.now());
    expect(lock.takenOverFrom).toBeGreaterThan(Date.now() - 60_000);
    await lock.release();
    const free = await acquire();
    expect(free.takenOverFrom).toBeUndefined();
    await free.release();
  });

  test.each([
    ['5 s', 5_000],
    ['10 min', 600_000],
    ['3 h', 10_800_000],
  ])('by another host is not, and its silence of %s is told', async (age, ageMs) => {
    await leaveLock({ Host: 'far' });
    const clock = createClock();
    const later = { ...clock, now: () => clock.now() + ageMs };
    const { detail } = await acquireFault({ clock: later });
    expect(detail).toContain(`Its last heartbeat was ${age} ago.`);
    expect(detail).toContain('cannot be seen from this machine');
  });
});

describe('forceUnlock', () => {
  test('removes the lock with the id, and its holder is told', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const onLost = vi.fn();
    const lock = await acquire({ onLost });
    expect(await forceUnlock(directory, lock.info.ID)).toEqual(lock.info);
    const next = await acquire();
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce());
    await lock.release();
    expect((await readLock(directory))?.info.ID).toBe(next.info.ID);
    await next.release();
  });

  test('a holder that was not told yet leaves the lock of the next one alone', async () => {
    const lock = await acquire();
    await forceUnlock(directory, lock.info.ID);
    await leaveLock({ ID: 'next' });
    await lock.release();
    expect((await readLock(directory))?.info.ID).toBe('next');
  });

  test('refuses another id', async () => {
    await leaveLock({});
    await expect(forceUnlock(directory, 'other')).rejects.toMatchObject({
      diagnostics: [
        { code: 'lock-id-mismatch', detail: expect.stringContaining('ID left') as string },
      ],
    });
    expect(await readLock(directory)).toBeDefined();
  });

  test('says when there is none', async () => {
    await expect(forceUnlock(directory, 'any')).rejects.toMatchObject({
      diagnostics: [{ code: 'not-locked' }],
    });
  });
});
