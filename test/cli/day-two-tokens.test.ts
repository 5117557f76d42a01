// Where the value of a new token goes: to one place, whole, and nowhere else.
import { rmSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listAccessTokens } from '../../src/commands/account/access-tokens.ts';
import { DayTwoWorld, type RunOptions } from '../support/day-two.ts';
import { expectFailure, expectWords } from '../support/expect-words.ts';

let world: DayTwoWorld;
beforeEach(async () => {
  world = await DayTwoWorld.open();
});
afterEach(() => world.close());

const create = (more: readonly string[], options?: RunOptions) =>
  world.run(['tokens', 'create', 'ci', '--scopes', 'compute,network', ...more], options);
const inDirectory = (name: string) => join(world.directory, name);
const names = async () => (await listAccessTokens(world.client)).map(({ name }) => name);

test('a file of mode 0600, and nothing on the streams', async () => {
  const made = await create(['--out', 'ci.token', '--expires', '2027-01-31']);
  expect(made.code).toBe(0);
  const value = await readFile(inDirectory('ci.token'), 'utf8');
  expect(value).toMatch(/^hw_\w+\n$/);
  expect((await stat(inDirectory('ci.token'))).mode & 0o777).toBe(0o600);
  expect(made.stdout + made.stderr).not.toContain(value.trim());
  expect(made.stdout).toContain('expires 2027-01-31 23:59:59 UTC');

  const used = await world.run(['operations'], { env: { HOSTWRIGHT_TOKEN: value.trim() } });
  expect(used.code).toBe(0);
});

test('JSON names the file, or holds the value', async () => {
  const filed = await create(['--out', 'a.token', '--json']);
  expect(filed.json).toMatchObject({ format_version: '1.0', file: 'a.token' });
  expect(filed.json).not.toHaveProperty('value');
  const shown = await create(['--json']);
  expect(shown.json).toMatchObject({ value: expect.stringMatching(/^hw_/) as never });
  expect(shown.json).not.toHaveProperty('file');
});

test.each([
  ['list', ['tokens', 'list']],
  ['create', ['tokens', 'create', 'ci', '--scopes', 'read']],
  ['rename', ['tokens', 'rename', 'first', 'ci']],
])('%s says that several have one name', async (name, argv) => {
  expect((await create([])).stderr).not.toContain('shared-name');
  expect((await world.run(['tokens', 'list'])).stderr).toBe('');
  if (name === 'list') await create([]);
  const { code, stderr } = await world.run(argv);
  expect(code).toBe(0);
  expectWords(stderr, '2 access tokens are called ci [shared-name]', 'a name of its own');
});

test('a file that is there is left alone, and no token is made', async () => {
  await writeFile(inDirectory('ci.token'), 'mine');
  const refused = await create(['--out', 'ci.token']);
  expect(refused).toMatchObject({ code: 1, stdout: '', writes: [] });
  expectWords(refused.stderr, '[file-exists]', '--force');
  expect(await readFile(inDirectory('ci.token'), 'utf8')).toBe('mine');
  expect(await names()).toEqual(['first']);
});

test('--force replaces it whole: its mode does not live on', async () => {
  await writeFile(inDirectory('ci.token'), 'mine');
  await chmod(inDirectory('ci.token'), 0o644);
  expect((await create(['--out', 'ci.token', '--force'])).code).toBe(0);
  expect(await readFile(inDirectory('ci.token'), 'utf8')).toMatch(/^hw_/);
  expect((await stat(inDirectory('ci.token'))).mode & 0o777).toBe(0o600);
});

test('--force goes to no link, to no part of the state, and to no part of a configuration', async () => {
  await writeFile(inDirectory('real'), 'mine');
  await symlink('real', inDirectory('ci.token'));
  for (const path of ['ci.token', '.hostwright/state.json', 'main.yaml', '/dev/stdout']) {
    const refused = await create(['--out', path, '--force']);
    expect(refused).toMatchObject({ code: 1, stdout: '', writes: [] });
    expect(refused.stderr).toContain('[file-not-writable]');
  }
  expect(await readFile(inDirectory('real'), 'utf8')).toBe('mine');
});

test('a token that was refused leaves no file, and the old one as it was', async () => {
  const refused = await world.run([
    ...['tokens', 'create', 'x'.repeat(65), '--scopes', 'read', '--out', 'new.token'],
  ]);
  expectFailure(refused, 'Correct the value on the command line.');
  await writeFile(inDirectory('old.token'), 'mine');
  await world.run([
    ...['tokens', 'create', 'x'.repeat(65), '--scopes', 'read', '--out', 'old.token', '--force'],
  ]);
  expect(await readFile(inDirectory('old.token'), 'utf8')).toBe('mine');
  const left = (await readdir(world.directory)).filter((name) => name.includes('token'));
  expect(left).toEqual(['old.token']);
});

test('a value that cannot be saved is revoked', async () => {
  await mkdir(inDirectory('keys'));
  const lost = await create(['--out', 'keys/ci.token', '--force'], {
    meddle: async (request, pass) => {
      const answer = await pass();
      if (request.method === 'POST') rmSync(inDirectory('keys'), { recursive: true });
      return answer;
    },
  });
  expect(lost).toMatchObject({ code: 1, stdout: '' });
  expectWords(lost.stderr, '[token-not-saved]', 'The new token was revoked.');
  expect(await names()).toEqual(['first']);
});

test('a lost answer: the token may exist, and the user is told how to find it', async () => {
  const lost = await create(['--out', 'ci.token'], {
    meddle: async (request, pass) => {
      const answer = await pass();
      if (request.method !== 'POST') return answer;
      const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
      throw new TypeError('fetch failed', { cause });
    },
  });
  expect(lost).toMatchObject({ code: 1, stdout: '' });
  expect(lost.writes).toHaveLength(1);
  expect(lost.stderr).toContain('tokens list');
  expect(await names()).toContain('ci');
  await expect(stat(inDirectory('ci.token'))).rejects.toThrow('ENOENT');
});

test.each([
  [['--expires', '2020-01-31'], '[expiry-past]'],
  [['--scopes', 'computer'], 'Did you mean compute?'],
  [['--out', 'no/such/directory/x'], '[file-not-writable]'],
])('%j makes no token', async (more, words) => {
  const refused = await create(more);
  expect(refused).toMatchObject({ code: 1, stdout: '', writes: [] });
  expect(refused.stderr).toContain(words);
});

test('two tokens of one name are told apart by their ids', async () => {
  await create([]);
  await create([]);
  const [, first] = await listAccessTokens(world.client);
  const ambiguous = await world.run(['tokens', 'revoke', 'ci', '--auto-approve']);
  expect(ambiguous).toMatchObject({ code: 1, writes: [] });
  expect(ambiguous.stderr).toContain('[ambiguous-name]');
  expect(ambiguous.stderr).toContain(first!.id);
  expect((await world.run(['tokens', 'revoke', first!.id, '--auto-approve'])).code).toBe(0);
});
