import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { describeBackend } from './backend-contract.ts';

describeBackend('a directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-backend-'));
  return {
    open: () => Promise.resolve(openLocalBackend(directory)),
    close: () => rm(directory, { recursive: true }),
  };
});
