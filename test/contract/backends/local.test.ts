import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallDirectory } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';
import { LockLostError } from '../../../src/state/lock/fence.ts';
import { acquireLock } from '../../../src/state/lock/lock.ts';
import { openQuickClock } from '../../support/backends/quick-clock.ts';

describeBackend('a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-backend-'));
  return {
    open: () => Promise.resolve(openLocalBackend(directory)),
    close: () => rm(directory, { recursive: true }),
  };
});

describeDeletedLock('a directory', openSmallDirectory);

describeSlowMedium('a directory', openSmallDirectory, false);

test('the lock is removed by hand while somebody was about to take it over: the next run has it alone', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-backend-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const lock = async (host: string) => {
    const request = { operation: 'apply', version: '0', process: { pid: 1, host, user: 'me' } };
    const { lock: medium } = openLocalBackend(directory);
    const taken = await acquireLock(medium, request, { clock: openQuickClock() });
    onTestFinished(() => taken.release());
    return taken;
  };
  const old = await lock('one');
  const path = join(directory, '.hostwright', 'lock.json');
  const link = join(directory, '.hostwright', `lock.${old.info.ID}.json`);
  const text = await readFile(path, 'utf8');
  await writeFile(link, text.replace(old.info.ID, 'overtaker').replace(/"Epoch": 1/, '"Epoch": 2'));
  await rm(path);
  const next = await lock('two');
  expect(() => old.fence.verify()).toThrow(LockLostError);
  const files = openLocalBackend(directory).openFiles(next.fence);
  await files.replace('state.json', 'one');
  next.fence.verify();
  await rm(link);
  expect(next.fence.lost).toBeUndefined();
});
