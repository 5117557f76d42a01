import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  isProcessInSight,
  isProcessGone,
  identifyProcess,
} from '../../../../src/state/lock/lock-holder.ts';

const host = 'here';
const mine = identifyProcess(process.pid, host);
const isLinux = existsSync('/proc/self/stat');

describe('whether a process is gone', () => {
  test('this one is not, however long it was silent', () =>
    expect(isProcessGone(mine, host)).toBe(false));

  test.runIf(isLinux)('one that is seen from here is in sight, whatever its host is called', () => {
    const ended = { ...mine, Pid: 2 ** 22 + 1 };
    expect(isProcessInSight({ ...ended, Host: 'a1b2c3d4' }, host)).toBe(true);
    expect(isProcessGone({ ...ended, Host: 'a1b2c3d4' }, host)).toBe(true);
  });

  test('one that ended is', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const mark = identifyProcess(child.pid!, host);
    await once(child, 'exit');
    expect(isProcessGone(mark, host)).toBe(true);
  });

  test('without a time of its start, the pid alone counts', () => {
    const mark = { ...mine };
    delete (mark as { Started?: string }).Started;
    expect(isProcessGone(mark, host)).toBe(false);
  });

  test('one that never was has no time of its start', () => {
    expect(identifyProcess(2 ** 22 + 1, host)).not.toHaveProperty('Started');
    expect(isProcessGone(identifyProcess(2 ** 22 + 1, host), host)).toBe(true);
  });

  test.runIf(isLinux)('one whose pid was given out again is', () => {
    expect(isProcessGone({ ...mine, Started: '1' }, host)).toBe(true);
  });

  test.runIf(isLinux)('one of another boot or container is out of sight: nobody knows', () => {
    const other = { ...mine, Realm: 'other', Pid: 2 ** 22 + 1 };
    expect(isProcessInSight(other, host)).toBe(false);
    expect(isProcessGone(other, host)).toBe(false);
  });

  test.runIf(isLinux)('one that ended and was not buried is', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const mark = identifyProcess(Number(line.toString()), host);
    await expect.poll(() => isProcessGone(mark, host)).toBe(true);
    parent.kill('SIGKILL');
  });
});
