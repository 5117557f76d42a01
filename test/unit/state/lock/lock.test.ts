import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DiagnosticError } from '../../../../src/model/errors.ts';
import { makeStateDirectory } from '../../../../src/state/files/files.ts';
import { identifyProcess } from '../../../../src/state/lock/lock-holder.ts';
import {
  acquireLock,
  findLockHolderAfterWait,
  forceUnlock,
  readStateLockHolder,
  type LockOptions,
} from '../../../../src/state/lock/lock.ts';
import { openLocalBackend } from '../../../../src/state/backends/local.ts';

let directory: string;
let lockPath: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-lock-'));
  lockPath = join(directory, '.hostwright', 'lock.json');
});
afterEach(() => rm(directory, { recursive: true }));

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
  acquireLock(openLocalBackend(directory).lock, request, { clock: createClock(), ...options });

async function acquireFault(options: Partial<LockOptions> = {}) {
  const error: unknown = await acquire(options).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return (error as DiagnosticError).diagnostics[0]!;
}

/** Leaves a lock behind as another process would. */
async function leaveLock(overrides: object): Promise<void> {
  await makeStateDirectory(join(directory, '.hostwright'));
  const info = { ID: 'left', Operation: 'destroy', Who: 'bob@far', Created: 'then', Info: '' };
  await writeFile(
    lockPath,
    JSON.stringify({ ...info, ...identifyProcess(process.pid, host), ...overrides }),
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
    expect((await readStateLockHolder(openLocalBackend(directory).lock))?.info).toEqual(lock.info);
    expect(lock.diagnostics).toEqual([]);
    await lock.release();
    await lock.release();
    expect(await readdir(join(directory, '.hostwright'))).toEqual([]);
    expect(await readStateLockHolder(openLocalBackend(directory).lock)).toBeUndefined();
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

  test('that a person keeps is taken over by nobody, though its process has exited', async () => {
    await leaveLock({ Started: '1', Kept: true });
    expect(await acquireFault({ timeoutMs: 600_000 })).toMatchObject({ code: 'state-locked' });
    expect((await readStateLockHolder(openLocalBackend(directory).lock))?.info.ID).toBe('left');
  });

  test('that a run keeps through a server is not a lock of a person', async () => {
    await leaveLock({ Kept: true, Operation: 'state lock' });
    expect((await acquireFault()).hint).toContain('hostwright state unlock');
    await leaveLock({ Kept: true, Operation: 'apply', Host: 'far', Realm: 'far' });
    const { hint, detail } = await acquireFault();
    expect(hint).toContain('hostwright force-unlock left');
    expect(detail).toContain('The lock never expires by itself.');
  });

  test('that is released in time is waited for', async () => {
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

  test('that is not released in time refuses then', async () => {
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

/** A lock that another process left, whose last heartbeat was so long ago by the clock of the file server. */
async function leaveSilentLock(silentMs: number, overrides: object = {}): Promise<void> {
  await leaveLock({ Realm: 'another boot, another namespace', ...overrides });
  const at = new Date(Date.now() - silentMs);
  await utimes(lockPath, at, at);
}

/** A clock that notes how long it was slept on. */
function createNotingClock(onSleep: (sleptMs: number) => Promise<void> | void = () => undefined) {
  const slept = { ms: 0 };
  const clock = createClock(async (ms) => {
    slept.ms += ms;
    await onSleep(slept.ms);
  });
  return { clock, slept };
}

describe('the lock of a process in sight', () => {
  test('that has exited is taken over at once', async () => {
    await leaveLock({ Started: '1' });
    const { clock, slept } = createNotingClock();
    const lock = await acquire({ clock });
    expect(slept.ms).toBe(0);
    expect(lock.diagnostics).toMatchObject([
      {
        severity: 'note',
        code: 'lock-taken-over',
        summary: 'Took over the lock of a process that has exited',
        detail: expect.stringContaining('destroy by bob@far') as string,
      },
    ]);
    await lock.release();
    const free = await acquire();
    expect(free.silentForMs).toBeUndefined();
    await free.release();
  });

  test('says for how long it had sent nothing: a heartbeat less than it was silent', async () => {
    await leaveLock({ Started: '1', Lease: 20_000 });
    const at = new Date(Date.now() - 100_000);
    await utimes(lockPath, at, at);
    const lock = await acquire();
    expect(lock.silentForMs).toBeGreaterThan(94_000);
    expect(lock.silentForMs).toBeLessThan(Date.now() - at.getTime());
    await lock.release();
  });

  test('that was given out again, under whatever host name, is taken over at once', async () => {
    await leaveLock({ Started: '1', Host: 'a1b2c3d4' });
    const lock = await acquire();
    expect(lock.diagnostics).toHaveLength(1);
    await lock.release();
  });

  test('that is stopped is taken over once it was seen to be silent for its lease', async () => {
    await leaveSilentLock(7_200_000, { ...identifyProcess(process.pid, host), Lease: 60_000 });
    const { clock, slept } = createNotingClock();
    const lock = await acquire({ clock });
    expect(slept.ms).toBeGreaterThan(60_000);
    expect(lock.diagnostics[0]?.code).toBe('lock-taken-over');
    await lock.release();
  });
});

describe('the lock of a process out of sight: another machine, another container', () => {
  test('with a fresh heartbeat refuses at once', async () => {
    await leaveSilentLock(5_000, { Lease: 60_000 });
    const { clock, slept } = createNotingClock();
    const fault = await acquireFault({ clock });
    expect(fault.detail).toMatch(/Its last heartbeat was [5-9] s ago\./);
    expect(fault.detail).toContain('longer than its lease of 60 s');
    expect(slept.ms).toBe(0);
  });

  test.each([-7_200_000, -60_000, 60_000, 7_200_000])(
    'is fresh by the clock of the file server, though ours is %i ms apart',
    async (apartMs) => {
      await leaveSilentLock(5_000);
      const { clock, slept } = createNotingClock();
      const apart = { ...clock, now: () => clock.now() + apartMs };
      expect((await acquireFault({ clock: apart })).code).toBe('state-locked');
      expect(slept.ms).toBe(0);
    },
  );

  test('is taken over once its heartbeat was seen to stand still for longer than its lease', async () => {
    await leaveSilentLock(3_600_000, { Lease: 4_000, Host: 'a1b2c3d4', Epoch: 7 });
    const { clock, slept } = createNotingClock();
    const lock = await acquire({ clock });
    expect(slept.ms).toBe(4_500);
    expect(lock.info.Epoch).toBe(8);
    expect(lock.silentForMs).toBeGreaterThan(3_598_000);
    expect(lock.diagnostics).toMatchObject([
      { summary: 'Took over the lock of a run that was silent for longer than its lease' },
    ]);
    await lock.release();
  });

  test('of a version that knew no leases: after 60 s', async () => {
    await leaveSilentLock(3_600_000);
    const { clock, slept } = createNotingClock();
    await (await acquire({ clock })).release();
    expect(slept.ms).toBe(60_500);
  });

  test('that comes back while it is watched refuses', async () => {
    await leaveSilentLock(3_600_000, { Lease: 4_000 });
    const { clock, slept } = createNotingClock(async (sleptMs) => {
      if (sleptMs === 3_000) await utimes(lockPath, new Date(), new Date());
    });
    expect((await acquireFault({ clock })).code).toBe('state-locked');
    expect(slept.ms).toBe(3_000);
  });

  test('is watched anew after each heartbeat that is seen', async () => {
    await leaveSilentLock(0, { Lease: 4_000 });
    const { clock, slept } = createNotingClock(async (sleptMs) => {
      if (sleptMs % 3_000 === 0 && sleptMs <= 30_000) {
        await utimes(lockPath, new Date(sleptMs), new Date(sleptMs));
      }
    });
    const lock = await acquire({ clock, timeoutMs: 60_000 });
    expect(slept.ms).toBe(34_500);
    await lock.release();
  });
});

describe('the epoch of a lock', () => {
  const take = async () => {
    const lock = await acquire();
    await lock.release();
    return lock.info.Epoch;
  };

  test('is 1 where there was none', async () => expect(await take()).toBe(1));

  test.each([
    ['a journal', 'journal.7.jsonl', '', 8],
    ['a snapshot', 'state.json', '{\n  "formatVersion": 2,\n  "epoch": 12,\n', 13],
    ['a snapshot of the old format', 'state.json', '{\n  "formatVersion": 1,\n', 1],
    ['a snapshot of one line', 'state.json', '{"formatVersion":2,"epoch":3,"journal":"x"', 4],
  ])('is higher than that of %s', async (_name, file, text, epoch) => {
    await makeStateDirectory(join(directory, '.hostwright'));
    await writeFile(join(directory, '.hostwright', file), text);
    expect(await take()).toBe(epoch);
  });
});

describe('a look at who holds the lock, which takes and writes nothing', () => {
  const look = (options: Partial<LockOptions> & { isThorough: boolean }) =>
    findLockHolderAfterWait(openLocalBackend(directory).lock, host, {
      clock: createClock(),
      ...options,
    });

  test('nobody, and nothing is made', async () => {
    expect(await look({ isThorough: true })).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
  });

  test('a run that lives, at once', async () => {
    const lock = await acquire();
    expect((await look({ isThorough: true }))?.by.info).toEqual(lock.info);
    await lock.release();
  });

  test('nobody where a run in sight has exited; its lock stays', async () => {
    await leaveLock({ Started: '1' });
    expect(await look({ isThorough: true })).toBeUndefined();
    expect((await readStateLockHolder(openLocalBackend(directory).lock))?.info.ID).toBe('left');
  });

  test.each([
    [true, 60_500],
    [false, 0],
  ])(
    'nobody where one out of sight is silent; thoroughly (%s) after %i ms',
    async (isThorough, ms) => {
      await leaveSilentLock(3_600_000);
      const { clock, slept } = createNotingClock();
      expect(await look({ clock, isThorough })).toBeUndefined();
      expect(slept.ms).toBe(ms);
      expect((await readStateLockHolder(openLocalBackend(directory).lock))?.info.ID).toBe('left');
    },
  );

  test('a run whose end is waited for', async () => {
    const lock = await acquire();
    const { clock, slept } = createNotingClock(async (sleptMs) => {
      if (sleptMs === 2_000) await lock.release();
    });
    expect(await look({ clock, isThorough: true, timeoutMs: 60_000 })).toBeUndefined();
    expect(slept.ms).toBe(2_000);
  });
});

describe('forceUnlock', () => {
  test('removes the lock with the id, and its holder is told by its next heartbeat', async () => {
    const onLost = vi.fn();
    let beat: () => void = () => undefined;
    const repeat = (work: () => void) => {
      beat = work;
      return () => undefined;
    };
    const lock = await acquire({ onLost, time: { repeat } });
    expect(await forceUnlock(openLocalBackend(directory).lock, lock.info.ID)).toEqual(lock.info);
    expect(() => lock.fence.verify()).toThrow('was removed while this run held it');
    const next = await acquire();
    beat();
    expect(onLost).toHaveBeenCalledOnce();
    await lock.release();
    expect((await readStateLockHolder(openLocalBackend(directory).lock))?.info.ID).toBe(
      next.info.ID,
    );
    await next.release();
  });

  test('a holder that was not told yet leaves the lock of the next one alone', async () => {
    const lock = await acquire();
    await forceUnlock(openLocalBackend(directory).lock, lock.info.ID);
    await leaveLock({ ID: 'next' });
    await lock.release();
    expect((await readStateLockHolder(openLocalBackend(directory).lock))?.info.ID).toBe('next');
  });

  test('refuses another id', async () => {
    await leaveLock({});
    await expect(forceUnlock(openLocalBackend(directory).lock, 'other')).rejects.toMatchObject({
      diagnostics: [
        { code: 'lock-id-mismatch', detail: expect.stringContaining('ID left') as string },
      ],
    });
    expect(await readStateLockHolder(openLocalBackend(directory).lock)).toBeDefined();
  });

  test('says when there is none', async () => {
    await expect(forceUnlock(openLocalBackend(directory).lock, 'any')).rejects.toMatchObject({
      diagnostics: [{ code: 'not-locked' }],
    });
  });
});
