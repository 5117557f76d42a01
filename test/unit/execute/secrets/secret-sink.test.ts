import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  makeSecretSinks,
  removeAllSecretFileRemains,
} from '../../../../src/execute/secrets/secret-sink.ts';
import { nameTemporaryFile } from '../../../../src/state/files/replace-file.ts';
import type { PendingCreate, State } from '../../../../src/model/state/state.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostwright-sink-'));
});
afterEach(() => rm(directory, { recursive: true }));

const refuse = () => Promise.reject(new Error('no command is to be run'));
const means = { execute: refuse, env: {} };
const attributes = { writeTo: { file: 'ci.token' } };
const ours = { managed: { attributes }, isOpen: false };

describe('the file of a token', () => {
  it('holds the value, for its owner alone, and nothing is left beside it', async () => {
    await writeFile(join(directory, 'ci.token'), 'old', { mode: 0o644 });
    const sink = await makeSecretSinks(means, directory)(attributes, ours);
    await sink.keep('s3cret');
    expect(await readdir(directory)).toEqual(['ci.token']);
    expect(await readFile(join(directory, 'ci.token'), 'utf8')).toBe('s3cret\n');
    expect((await stat(join(directory, 'ci.token'))).mode & 0o777).toBe(0o600);
  });

  it('is as it was when no token came of it', async () => {
    await writeFile(join(directory, 'ci.token'), 'old');
    const sink = await makeSecretSinks(means, directory)(attributes, ours);
    await sink.abandon();
    expect(await readdir(directory)).toEqual(['ci.token']);
    expect(await readFile(join(directory, 'ci.token'), 'utf8')).toBe('old');
  });

  it('loses what a killed run left beside it, and nothing else', async () => {
    const other = nameTemporaryFile(join(directory, 'other.token'));
    const left = nameTemporaryFile(join(directory, 'ci.token'));
    for (const path of [
      join(directory, 'ci.token'),
      join(directory, 'ci.token.new'),
      left,
      other,
    ]) {
      await writeFile(path, 'anything');
    }
    const address = 'tokens.ci';
    const command = { kind: 'createToken', name: 'ci', scopes: [], expiresAt: null } as const;
    const pending: PendingCreate = {
      ...{ address, knownIds: [], at: 0, configured: [] },
      command: { ...command, expiresIn: null },
    };
    const state: State = {
      ...{ lineage: 'l', serial: 1, service: null },
      pending: new Map([[address, pending]]),
      resources: new Map([
        [
          address,
          { address, kind: 'accessToken', id: 't', projectId: '', attributes, configured: [] },
        ],
      ]),
    };
    await removeAllSecretFileRemains({ ...state, pending: new Map() }, [], directory);
    expect(await readdir(directory)).toHaveLength(4);
    await removeAllSecretFileRemains(state, [], directory);
    expect((await readdir(directory)).sort()).toEqual([
      basename(other),
      'ci.token',
      'ci.token.new',
    ]);
  });
});

describe('the command of a token', () => {
  const attributes = { writeTo: { command: 'vault put' } };
  const nothing = { managed: undefined, isOpen: false };

  it('gets the value on its standard input, and nothing that is meant for Hostwright', async () => {
    const got: unknown[] = [];
    const execute = (...given: unknown[]) => Promise.resolve(got.push(given) ? '' : '');
    const env = { PATH: '/bin', HOSTWRIGHT_TOKEN: 'x', hostwright_var_a: 'y', VAULT: 'z' };
    const sinks = makeSecretSinks({ execute, env, allowsCommands: true }, directory);
    await (await sinks(attributes, nothing)).keep('s3cret');
    expect(got).toEqual([['vault put', { input: 's3cret\n', env: { PATH: '/bin', VAULT: 'z' } }]]);
    expect(await readdir(directory)).toEqual([]);
  });

  it('is not run unless that is allowed', async () => {
    await expect(makeSecretSinks(means, directory)(attributes, nothing)).rejects.toMatchObject({
      diagnostics: [{ code: 'command-not-allowed' }],
    });
  });
});
