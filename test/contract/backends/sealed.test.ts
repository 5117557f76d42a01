import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalBackend } from '../../../src/state/backends/local.ts';
import { EncryptionKeyring } from '../../../src/state/encryption/keyring.ts';
import { encryptStateBackend } from '../../../src/state/encryption/sealed-files.ts';
import { describeBackend } from './backend-contract.ts';

const passphrase = () => Promise.resolve('correct horse battery');
// To make a key takes a third of a second.
const keyring = new EncryptionKeyring({ current: passphrase, previous: () => undefined });

describeBackend('an encrypted directory', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-sealed-'));
  return {
    open: () => Promise.resolve(encryptStateBackend(openLocalBackend(directory), { keyring })),
    close: () => rm(directory, { recursive: true }),
  };
});
