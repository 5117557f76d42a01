import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { copyExample } from './program.ts';
import { runInProcess as run, serve, type ServedSandbox } from './run-in-process.ts';
import { expectFailure, expectOutput } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

let served: ServedSandbox;
let example: Awaited<ReturnType<typeof copyExample>>;
let empty: string;

beforeAll(async () => {
  served = await serve('--speed', '100000');
  example = await copyExample('quickstart');
  empty = await mkdtemp(join(tmpdir(), 'hostwright-export-'));
  const applied = await run(['apply', '--auto-approve', example.path], { env: served.env });
  expect(applied.code, applied.stderr).toBe(0);
}, 60_000);
afterAll(async () => {
  await served.stop();
  await example.remove();
  await rm(empty, { recursive: true });
});

test('an account is written down, adopted, and matches', async () => {
  const { env } = served;
  const exported = await run(['export', '--project', 'demo'], { cwd: empty, env });
  expect(exported.code, exported.stderr).toBe(0);
  expect(exported.stderr).toBe('');
  expect(exported.stdout).toContain(`baseUrl: ${env.HOSTWRIGHT_BASE_URL}\n`);
  expect(exported.stdout).not.toContain(env.HOSTWRIGHT_TOKEN);
  await writeFile(join(empty, 'main.yaml'), exported.stdout);
  const token = { HOSTWRIGHT_TOKEN: env.HOSTWRIGHT_TOKEN ?? '' };
  const planned = await run(['plan'], { cwd: empty, env: token });
  expect(planned.stdout).toContain('Plan: 7 to import, 0 to add, 0 to change, 0 to destroy.');
  const applied = await run(['apply', '--auto-approve'], { cwd: empty, env: token });
  expect(applied.code, applied.stderr).toBe(0);
  const again = await run(['plan', '--detailed-exitcode'], { cwd: empty, env: token });
  expectOutput(again, 'No changes.');
});

test('a directory begins with what the account has, or not at all', async () => {
  const { env } = served;
  const directory = await openFolder('from-account');
  const there = await run(['init', directory, '--from-account'], { env });
  expect(there).toMatchObject({ code: 0, stderr: '' });
  expect(there.stdout).toContain('It imports 7 resources of the account, and changes none.');
  const main = await readFile(join(directory, 'main.yaml'), 'utf8');
  expect(main).toMatch(/^# yaml-language-server: \$schema=\.\/hostwright\.schema\.json\n/);
  expect(main).not.toContain(env.HOSTWRIGHT_TOKEN);
  const names = [
    '.gitignore',
    'hostwright.schema.json',
    'hostwright.test.schema.json',
    'main.yaml',
  ];
  expect((await readdir(directory)).sort()).toEqual(names);
  const token = { HOSTWRIGHT_TOKEN: env.HOSTWRIGHT_TOKEN ?? '' };
  const planned = await run(['plan', directory], { env: token });
  expect(planned.stdout).toContain('Plan: 7 to import, 0 to add, 0 to change, 0 to destroy.');
  const formatted = await run(['fmt', '--check', directory]);
  expect(formatted.code, formatted.stdout).toBe(0);

  const again = await run(['init', directory, '--from-account'], { env });
  expectFailure(again, 'main.yaml exists already');
  const nowhere = join(directory, 'nowhere');
  expectFailure(await run(['init', nowhere, '--from-account'], { cwd: empty }), 'HOSTWRIGHT_TOKEN');
  await expect(readdir(nowhere)).rejects.toThrow('ENOENT');
});

test('an account without projects gives a configuration without any', async () => {
  const bare = await serve();
  onTestFinished(async () => {
    await bare.stop();
  });
  const directory = await openFolder('from-bare');
  const { HOSTWRIGHT_BASE_URL: baseUrl = '', ...token } = bare.env;
  const made = await run(['init', directory, '--from-account', '--base-url', baseUrl], {
    env: token,
  });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expectOutput(await run(['plan', directory], { env: token }), 'No changes.');
});

describe('what is exported', () => {
  test.each([
    ['must be said', ['export'], 'The account has: `demo`.'],
    ['must be there', ['export', '--project', 'dem'], 'Did you mean demo?'],
  ])('%s', async (_, args, words) => {
    const ran = await run(args, { env: served.env });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain(words);
  });

  test('is looked for where the environment or the configuration says', async () => {
    const nowhere = await openFolder('export');
    const ran = await run(['--chdir', nowhere, 'export', '--all']);
    expectFailure(ran, 'The location of the account is not set');
    await writeFile(
      join(nowhere, 'main.yaml'),
      `version: 1\nservice: { baseUrl: ${served.env.HOSTWRIGHT_BASE_URL ?? ''} }\n`,
    );
    const env = { HOSTWRIGHT_TOKEN: served.env.HOSTWRIGHT_TOKEN ?? '' };
    const configured = await run(['--chdir', nowhere, 'export', '--all'], { env });
    expect(configured.stdout).toContain('  - { to: projects.demo, id: ');
  });
});
