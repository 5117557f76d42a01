// What a holder sees of its own lock, and what its heartbeat touches.
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LockLostError } from '../../../../src/state/lock/fence.ts';
import { holdDirectoryLock } from '../../../../src/state/lock/hold-lock.ts';
import { takeDirectoryLock } from '../../../../src/state/lock/lock-file.ts';
import type { LockInfo } from '../../../../src/state/lock/lock-info.ts';
import type { OwnLockHandle } from '../../../../src/state/lock/lock-medium.ts';

const wanted: LockInfo = {
  ...{ ID: 'me', Operation: 'apply', Info: '', Who: 'me@here', Version: '0.1.0' },
  ...{
    Created: '2026-01-01T00:00:00.000Z',
    Path: 'state.json',
    Pid: 1,
    Host: 'here',
    Lease: 4_000,
  },
};
const other = { ...wanted, ID: 'other', Who: 'ann@there', Created: '2026-01-01T00:05:00.000Z' };

let folder: string;
let held: OwnLockHandle;
let now: { wall: number; monotonic: number };
let heartbeats: { work: () => void; everyMs: number }[];
const onLost = vi.fn<(error: LockLostError) => void>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-held-'));
  now = { wall: 1_000_000, monotonic: 5_000 };
  heartbeats = [];
  onLost.mockReset();
  const taking = await takeDirectoryLock(folder, wanted, () => false);
  if (taking.kind !== 'taken') throw new Error('held');
  const time = {
    now: () => now.wall,
    monotonic: () => now.monotonic,
    repeat: (work: () => void, everyMs: number) => {
      heartbeats.push({ work, everyMs });
      return () => void heartbeats.pop();
    },
  };
  const holding = await holdDirectoryLock({
    folder,
    info: taking.info,
    time,
    since: { ...now },
    onLost,
  });
  held = holding!.held;
});
afterEach(async () => {
  await held.release();
  await rm(folder, { recursive: true });
});

const at = (name: string) => join(folder, name);
const write = (name: string, info: object) => writeFileSync(at(name), JSON.stringify(info));

function catchLoss(work: () => void): LockLostError {
  try {
    work();
  } catch (error) {
    if (error instanceof LockLostError) return error;
    throw error;
  }
  throw new Error('The lock is still held.');
}

const endings: [string, () => void, object, RegExp][] = [
  [
    'another run has made its mark',
    () => write('lock.me.json', other),
    { kind: 'taken', by: { Who: 'ann@there' } },
    /taken over by ann@there \(apply\)$/,
  ],
  [
    'another run has put itself first, and cleared its mark away',
    () => write('lock.json', other),
    { kind: 'taken', by: { ID: 'other' } },
    /taken over by ann@there \(apply\)$/,
  ],
  [
    'somebody has removed it',
    () => rmSync(at('lock.json')),
    { kind: 'removed' },
    /was removed while this run held it$/,
  ],
  [
    'it says nothing any more',
    () => writeFileSync(at('lock.json'), ''),
    { kind: 'taken', by: { Who: 'unknown' } },
    /taken over by unknown \(unknown\)$/,
  ],
];

describe.each(['verify', 'verifyLease'] as const)('%s', (look) => {
  test('passes while the lock is held', () => {
    for (let count = 0; count < 3; count += 1) void held[look]();
    expect(held.lost).toBeUndefined();
    expect(onLost).not.toHaveBeenCalled();
  });

  test.each(endings)('fails for good once %s', (_name, end, loss, summary) => {
    const before = readFileSync(at('lock.json'));
    end();
    const error = catchLoss(() => void held[look]());
    expect(error.loss).toMatchObject(loss);
    expect(error.diagnostics[0]).toMatchObject({ code: 'lock-lost' });
    expect(error.diagnostics[0]?.summary).toMatch(summary);
    expect(heartbeats).toEqual([]);
    // Whatever happens then: others may have acted on it.
    rmSync(at('lock.me.json'), { force: true });
    writeFileSync(at('lock.json'), before);
    expect(catchLoss(() => void held[look]())).toBe(error);
    expect(held.lost).toBe(error);
    expect(onLost.mock.calls).toEqual([[error]]);
  });
});

describe('a heartbeat', () => {
  const age = () => utimesSync(at('lock.json'), 100, 100);
  const heartbeatOf = (name: string) => statSync(at(name)).mtimeMs;

  test('comes four times in a lease, and changes nothing but the time', async () => {
    expect(heartbeats.map(({ everyMs }) => everyMs)).toEqual([1_000]);
    const before = readFileSync(at('lock.json'), 'utf8');
    age();
    await held.beat();
    expect(heartbeatOf('lock.json')).toBeGreaterThan(100_000);
    expect(readFileSync(at('lock.json'), 'utf8')).toBe(before);
  });

  test('never touches the lock of a successor', async () => {
    renameSync(at('lock.json'), at('replaced.json'));
    write('lock.json', other);
    age();
    await expect(held.beat()).rejects.toBeInstanceOf(LockLostError);
    expect(heartbeatOf('lock.json')).toBe(100_000);
    await held.beat();
    await held.release();
    expect(JSON.parse(readFileSync(at('lock.json'), 'utf8'))).toMatchObject({ ID: 'other' });
  });
});

describe('before a request goes out', () => {
  const suspensions: [string, () => void][] = [
    ['the machine was suspended, and the monotonic clock with it', () => (now.wall += 4_000)],
    [
      'the clock was set back while the process was stopped',
      () => {
        now.wall -= 7_200_000;
        now.monotonic += 4_000;
      },
    ],
    [
      'the process was stopped',
      () => {
        now.wall += 90_000;
        now.monotonic += 90_000;
      },
    ],
  ];

  test.each(suspensions)('a lease that is over is renewed first: %s', async (_name, suspend) => {
    utimesSync(at('lock.json'), 100, 100);
    await held.verifyLease();
    expect(statSync(at('lock.json')).mtimeMs).toBe(100_000);
    suspend();
    await held.verifyLease();
    expect(statSync(at('lock.json')).mtimeMs).toBeGreaterThan(100_000);
  });

  test.each(suspensions)('and is lost where another has taken it: %s', (_name, suspend) => {
    suspend();
    write('lock.me.json', other);
    expect(catchLoss(() => void held.verifyLease()).loss.kind).toBe('taken');
  });

  /** The file server gives up what is open. */
  const failSync = async () => {
    const probe = await open(at('lock.json'));
    const handles = Object.getPrototypeOf(probe) as typeof probe;
    await probe.close();
    const failing = vi.spyOn(handles, 'datasync').mockRejectedValue(new Error('EIO: gone'));
    onTestFinished(() => failing.mockRestore());
    return failing;
  };

  test('a lease that cannot be renewed keeps it back, and no more: the lock is still held', async () => {
    const failing = await failSync();
    now.monotonic += 4_000;
    const error = await Promise.resolve(held.verifyLease()).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(LockLostError);
    const { loss, diagnostics } = error as LockLostError;
    expect(loss.kind).toBe('unrenewed');
    expect(diagnostics[0]?.detail).toContain('Its lease is over, and its heartbeat failed');
    expect(held.lost).toBeUndefined();
    expect(onLost).not.toHaveBeenCalled();
    held.verify();
    failing.mockRestore();
    await held.verifyLease();
  });

  test('and is lost where another takes it while it cannot be renewed', async () => {
    await failSync();
    now.monotonic += 4_000;
    const renewing = Promise.resolve(held.verifyLease());
    write('lock.me.json', other);
    await expect(renewing).rejects.toMatchObject({ loss: { kind: 'taken' } });
    expect(onLost).toHaveBeenCalledTimes(1);
  });
});
