import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isProcessGone, markProcess } from '../../../src/state/lock-holder.ts';

const host = 'here';
const mine = markProcess(process.pid, host);
const isLinux = existsSync('/proc/self/stat');

describe('whether a process is gone', () => {
  test('this one is not, however long it was silent', () => {
    expect(isProcessGone(mine, host, 1e9)).toBe(false);
  });

  test('one of another host never is', () => {
    expect(isProcessGone({ ...mine, Host: 'far', Pid: 2 ** 22 + 1 }, host, 1e9)).toBe(false);
  });

  test('one that ended is', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const mark = markProcess(child.pid!, host);
    await once(child, 'exit');
    expect(isProcessGone(mark, host, 0)).toBe(true);
  });

  test('without a time of its start, the pid alone counts', () => {
    const mark = { ...mine };
    delete (mark as { Started?: string }).Started;
    expect(isProcessGone(mark, host, 0)).toBe(false);
  });

  test('one that never was has no time of its start', () => {
    expect(markProcess(2 ** 22 + 1, host)).not.toHaveProperty('Started');
    expect(isProcessGone(markProcess(2 ** 22 + 1, host), host, 0)).toBe(true);
  });

  test.runIf(isLinux)('one whose pid was given out again is', () => {
    expect(isProcessGone({ ...mine, Started: '1' }, host, 0)).toBe(true);
  });

  test.runIf(isLinux)('one of another boot or container is when its heartbeat has stopped', () => {
    const other = { ...mine, Realm: 'other' };
    expect(isProcessGone(other, host, 60_000)).toBe(false);
    expect(isProcessGone(other, host, 60_001)).toBe(true);
  });

  test.runIf(isLinux)('one that ended and was not buried is', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const mark = markProcess(Number(line.toString()), host);
    await expect.poll(() => isProcessGone(mark, host, 0)).toBe(true);
    parent.kill('SIGKILL');
  });
});
