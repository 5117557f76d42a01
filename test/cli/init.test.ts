import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { runInProcess as run } from './run-in-process.ts';
import { expectWords } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

const files = [
  '.gitignore',
  'hostwright.schema.json',
  'hostwright.test.schema.json',
  'main.test.yaml',
  'main.yaml',
];

let directory: string;
beforeEach(async () => {
  directory = await openFolder('init');
});

const read = (...path: string[]) => readFile(join(directory, ...path), 'utf8');

test('from an empty directory to a first apply on the sandbox', async () => {
  const made = await run(['init'], { cwd: directory });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain('\n  hostwright plan    # ');
  expect((await readdir(directory)).sort()).toEqual(files);
  const validated = await run(['validate'], { cwd: directory });
  expect(validated.stdout).toBe('Success! The configuration is valid: 5 resources.\n');
  const planned = await run(['plan'], { cwd: directory });
  expect(planned.stdout).toContain('Plan: 5 to add, 0 to change, 0 to destroy.');
  expect(planned.stderr).toBe('');
  const tested = await run(['test', '--timeout', '1h'], { cwd: directory });
  expect(tested).toMatchObject({ code: 0, stderr: '' });
  expect(tested.stdout).toMatch(
    /^main\.test\.yaml\n {2}pass {2}an empty account gets a web server/,
  );
  const main = await read('main.yaml');
  await writeFile(join(directory, 'main.yaml'), main.replace('speed: 10', 'speed: 10000'));
  const applied = await run(['apply', '--auto-approve'], { cwd: directory });
  expect(applied.stdout).toMatch(
    /Apply complete! Resources: 5 added.*\n\nOutputs:\n\naddress = "/s,
  );
}, 30_000);

test.each([
  ['main.yaml', 'config.schema.json'],
  ['main.test.yaml', 'test.schema.json'],
])('the schema is the one that holds, where the first line of %s says', async (file, schema) => {
  await run(['init', 'a/b'], { cwd: directory });
  const [, path = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(await read('a/b', file))!;
  const ours = join(import.meta.dirname, '../../schemas', schema);
  expect(JSON.parse(await read('a/b', path))).toEqual(JSON.parse(await readFile(ours, 'utf8')));
  expect((await read('a/b/.gitignore')).split('\n')).toContain('.hostwright/');
});

test('neither the state nor a saved plan is committed', async () => {
  await run(['init'], { cwd: directory });
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: directory });
  await git('init', '--quiet');
  const kept = ['.hostwright/state.json', 'plan.hwp', 'plan.out', 'a/shop.plan', 'prod.tfplan'];
  const { stdout } = await git('check-ignore', 'main.yaml', 'hostwright.lock.yaml', ...kept);
  expect(stdout.trimEnd().split('\n')).toEqual(kept);
});

test('an account at an address, in a directory that needs quotes', async () => {
  const args = ['init', "it's mine", '--base-url', 'https://api.example.com/v1/'];
  const made = await run(args, { cwd: directory });
  expectWords(made.stdout, "\n  hostwright plan 'it'\\''s mine'    # ", 'HOSTWRIGHT_TOKEN');
  const main = await read("it's mine", 'main.yaml');
  expect(main).toContain('\nservice:\n  baseUrl: https://api.example.com/v1\n');
  expect((await run(['validate', "it's mine"], { cwd: directory })).code).toBe(0);
});

test.each([
  undefined,
  'https://api.example.com/v1',
  'https://[2001:db8::1]:8443/v1',
  'http://localhost:8080/v1',
  'https://host.example:8443/a~b/v1',
])('fmt has nothing to change: %s', async (baseUrl) => {
  const address = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  expect((await run(['init', ...address], { cwd: directory })).code).toBe(0);
  const checked = await run(['fmt', '--check', '--diff'], { cwd: directory });
  expect(checked).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

describe('nothing is overwritten', () => {
  const refuse = async (args: string[], words: string[]) => {
    const before = await readdir(directory, { recursive: true });
    const refused = await run(['init', ...args], { cwd: directory });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    for (const word of words) expect(refused.stderr).toContain(word);
    expect(await readdir(directory, { recursive: true })).toEqual(before);
  };

  test.each(files)('%s', async (name) => {
    await writeFile(join(directory, name), 'mine');
    await refuse([], [`${name} exists already`]);
    expect(await read(name)).toBe('mine');
  });

  test('every file that is there is told', async () => {
    await mkdir(join(directory, 'x'));
    for (const name of files) await writeFile(join(directory, 'x', name), '');
    await refuse(
      ['x'],
      files.map((name) => `x/${name} exists already`),
    );
  });

  test('a configuration in other files, and a link that leads nowhere', async () => {
    await writeFile(join(directory, 'shop.yml'), 'version: 1');
    await refuse([], ['has a configuration already: shop.yml']);
    await rm(join(directory, 'shop.yml'));
    await symlink('gone', join(directory, '.gitignore'));
    await refuse([], ['.gitignore exists already']);
  });

  test('a directory that cannot be made', async () => {
    const refused = await run(['init', '/proc/hostwright/x'], { cwd: directory });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('/proc/hostwright/x cannot be written to');
  });

  test('a file where the directory would be, and an address that is none', async () => {
    await writeFile(join(directory, 'x'), '');
    await refuse(['x'], ['x is a file, not a directory']);
    await refuse(['x/y'], ['x/y cannot be written to (ENOTDIR)', 'Nothing was written.']);
    await refuse(
      ['z', '--base-url', 'api.example.com'],
      ['Did you mean https://api.example.com/v1?'],
    );
  });
});
