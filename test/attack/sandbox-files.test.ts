// What the sandbox keeps on a disk that other users share.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { claimSandboxServingLock } from '../../src/sandbox/server/serving-lock.ts';

const now = () => Date.UTC(2026, 10, 22);
/** As most users have it: what is made may be read by everybody. */
const commonMask = 0o022;

let folder: string;
let data: string;
let mask: number;
let opened: Sandbox[] = [];

beforeEach(() => {
  mask = process.umask(commonMask);
  folder = mkdtempSync(join(tmpdir(), 'hostwright-private-'));
  data = join(folder, 'data');
});
afterEach(() => {
  process.umask(mask);
  for (const sandbox of opened) sandbox.close();
  opened = [];
  rmSync(folder, { recursive: true, force: true });
});

const dataFile = () => join(data, 'sandbox.sqlite');
async function open(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const sandbox = await openSandbox({ dataFile: dataFile(), now, ...options });
  opened.push(sandbox);
  return sandbox;
}

const ask = (sandbox: Sandbox, path: string, init: RequestInit = {}): Promise<Response> => {
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' };
  return sandbox.fetch(new Request(`http://sandbox/v1${path}`, { ...init, headers }));
};

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const modes = (): Record<string, string> =>
  Object.fromEntries(readdirSync(data).map((name) => [name, modeOf(join(data, name))]));

describe('attack q: another user who looks for the token', () => {
  it('finds the folder at mode 0700 and each file in it at 0600, also while it is used', async () => {
    const lock = claimSandboxServingLock(dataFile(), 1);
    const sandbox = await open();
    await ask(sandbox, '/projects', { method: 'POST', body: '{"name":"shop"}' });
    expect(modeOf(data)).toBe('700');
    expect(modes()).toEqual({
      'sandbox.sqlite': '600',
      'sandbox.sqlite-wal': '600',
      'sandbox.sqlite-shm': '600',
      'sandbox.sqlite.lock': '600',
    });
    lock.release();
  });

  it('finds nothing left open by a version that did not mind', async () => {
    (await open()).close();
    opened = [];
    claimSandboxServingLock(dataFile(), 1).release();
    for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
    writeFileSync(`${dataFile()}-journal`, '', { mode: 0o644 });
    chmodSync(data, 0o755);
    const lock = claimSandboxServingLock(dataFile(), 1);
    await open();
    expect(modeOf(data)).toBe('700');
    expect(new Set(Object.values(modes()))).toEqual(new Set(['600']));
    lock.release();
  });

  it('finds no value of a token in any file', async () => {
    const sandbox = await open({ token: 'given-by-its-owner' });
    const body = JSON.stringify({ name: 'ci', scopes: ['read'] });
    const created = await ask(sandbox, '/tokens', { method: 'POST', body });
    const { value } = (await created.json()) as { value: string };
    const second = await open();
    await ask(second, '/projects');
    for (const name of readdirSync(data)) {
      const text = readFileSync(join(data, name), 'latin1');
      for (const secret of ['given-by-its-owner', value, second.token]) {
        expect(text.includes(secret), name).toBe(false);
      }
    }
  });

  it('cannot work out a token from the seed', async () => {
    const values: string[] = [];
    for (const name of ['one', 'other']) {
      const sandbox = await open({ dataFile: join(data, name, 'sandbox.sqlite'), seed: 1 });
      const body = JSON.stringify({ name: 'ci', scopes: ['read'] });
      const created = await ask(sandbox, '/tokens', { method: 'POST', body });
      expect(created.status).toBe(201);
      values.push(sandbox.token, ((await created.json()) as { value: string }).value);
    }
    expect(new Set(values).size).toBe(4);
    expect(values.every((value) => /^hw_[0-9a-f]{40}$/.test(value))).toBe(true);
  });
});

describe('attack q: another user who was there first', () => {
  const refusal = async (): Promise<string> => {
    const error: unknown = await open().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const { diagnostics } = error as { diagnostics: readonly Record<string, string>[] };
    const [{ code, summary, detail, hint } = {}] = diagnostics;
    expect([code, hint]).toEqual(['sandbox-data', expect.stringMatching(/^(Give|Remove) /)]);
    return `${summary}. ${detail}`;
  };

  // Only the super-user can give a directory away.
  it.runIf(process.getuid?.() === 0)('owns the folder: it is refused', async () => {
    mkdirSync(data);
    chownSync(data, 65_534, 65_534);
    expect(await refusal()).toContain('belongs to another user');
    expect(readdirSync(data)).toEqual([]);
    // A link of ours to it makes it no better.
    const other = join(folder, 'link');
    symlinkSync(data, other);
    data = other;
    expect(await refusal()).toContain('belongs to another user');
  });

  it.each(['', '-wal', '-shm', '-journal'])('has put a link at sandbox.sqlite%s', async (end) => {
    mkdirSync(data, { mode: 0o700 });
    const precious = join(folder, 'precious');
    writeFileSync(precious, 'precious', { mode: 0o644 });
    symlinkSync(precious, dataFile() + end);
    expect(await refusal()).toContain('not a regular file');
    expect(readFileSync(precious, 'utf8')).toBe('precious');
    expect(modeOf(precious)).toBe('644');
  });

  it('has put a link that leads nowhere, or one in place of the lock', async () => {
    mkdirSync(data, { mode: 0o700 });
    symlinkSync(join(folder, 'made-for-you'), `${dataFile()}.lock`);
    expect(() => claimSandboxServingLock(dataFile(), 1)).toThrow('The sandbox cannot use');
    rmSync(dataFile(), { force: true });
    symlinkSync(join(folder, 'made-for-you'), dataFile());
    expect(await refusal()).toContain('not a regular file');
    expect(existsSync(join(folder, 'made-for-you'))).toBe(false);
  });

  it('has put a pipe: nothing hangs on it', async () => {
    mkdirSync(data, { mode: 0o700 });
    execFileSync('mkfifo', [dataFile()]);
    expect(await refusal()).toContain('not a regular file');
  });
});

describe('attack q: a folder that is not the sandbox alone', () => {
  it('is left as it is when others may read it, and told', async () => {
    mkdirSync(data, { mode: 0o755 });
    writeFileSync(join(data, 'main.yaml'), 'version: 1');
    await expect(open()).rejects.toThrow('The sandbox cannot use its data file');
    expect([modeOf(data), readdirSync(data)]).toEqual(['755', ['main.yaml']]);
    chmodSync(data, 0o700);
    await open();
  });

  it('may be a link of ours, which then leads to the real place', async () => {
    mkdirSync(join(folder, 'real'), { mode: 0o755 });
    symlinkSync(join(folder, 'real'), data);
    const sandbox = await open();
    expect((await ask(sandbox, '/projects')).status).toBe(200);
    expect(modeOf(join(folder, 'real'))).toBe('700');
  });
});

it('attack q: a second process that serves the same folder is refused before it has changed anything', async () => {
  const lock = claimSandboxServingLock(dataFile(), 4711);
  expect(() => claimSandboxServingLock(dataFile(), 4712)).toThrow('in use by another process');
  lock.release();
  claimSandboxServingLock(dataFile(), 4712).release();
  // The engine of a plan shares the file with whoever serves it: both have a token that works.
  const [one, other] = [await open({ token: 'served' }), await open()];
  for (const sandbox of [one, other]) expect((await ask(sandbox, '/projects')).status).toBe(200);
});
