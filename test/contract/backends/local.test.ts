import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { describeBackend } from './backend-contract.ts';
import { openSmallDirectory } from '../../support/backends/places-in-small.ts';
import { describeDeletedLock } from './courses/deleted-lock.ts';
import { describeSlowMedium } from './courses/slow-medium.ts';

describeBackend('a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-backend-'));
  return {
    open: () => Promise.resolve(openLocalBackend(directory)),
    close: () => rm(directory, { recursive: true }),
  };
});

describeDeletedLock('a directory', openSmallDirectory);

describeSlowMedium('a directory', openSmallDirectory, false);
