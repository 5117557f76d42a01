import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { copyExample } from './program.ts';
import { runInProcess } from './run-in-process.ts';
import { expectFailure } from '../support/expect-words.ts';
import { openFolder } from '../support/open-folder.ts';

let directory: string;
beforeEach(async () => {
  directory = await openFolder('fmt');
});

const at = (name: string) => join(directory, name);
const read = (name: string) => readFile(at(name), 'utf8');
const run = (line: string, input?: string) =>
  runInProcess(line.split(' '), { cwd: directory, ...(input !== undefined && { input }) });

const loose = 'projects: {a: }\nversion:  1\n';
const neat = 'version: 1\nprojects: { a: }\n';

test('files of the directory are written anew, and named', async () => {
  await writeFile(at('main.yaml'), loose, { mode: 0o640 });
  await chmod(at('main.yaml'), 0o640);
  await writeFile(at('other.yml'), neat);
  await writeFile(at('prod.vars.yaml'), loose);
  await writeFile(at('hostwright.lock.yaml'), loose);
  await writeFile(at('.hidden.yaml'), loose);
  await mkdir(at('sub'));
  await writeFile(at('sub/part.yaml'), loose);
  expect(await run('fmt')).toEqual({ code: 0, stdout: 'main.yaml\nprod.vars.yaml\n', stderr: '' });
  expect(await read('main.yaml')).toBe(neat);
  expect((await stat(at('main.yaml'))).mode & 0o777).toBe(0o640);
  // Variables have no order but that of whoever wrote them.
  expect(await read('prod.vars.yaml')).toBe('projects: { a: }\nversion: 1\n');
  expect(await read('sub/part.yaml')).toBe(loose);
  expect(await run('fmt -recursive .')).toMatchObject({ code: 0, stdout: 'sub/part.yaml\n' });
  expect(await run('fmt --recursive')).toMatchObject({ code: 0, stdout: '' });
  expect((await readdir(directory)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test("--check changes nothing and exits as Terraform's does; --diff shows what would change", async () => {
  await writeFile(at('main.yaml'), loose);
  const checked = await run('fmt -check -diff');
  expect(checked).toMatchObject({ code: 3, stderr: '' });
  expect(checked.stdout).toBe(
    'main.yaml\n--- old/main.yaml\n+++ new/main.yaml\n@@ -1,2 +1,2 @@\n-projects: {a: }\n-version:  1\n+version: 1\n+projects: { a: }\n',
  );
  expect(await read('main.yaml')).toBe(loose);
  expect(await run('fmt --diff')).toMatchObject({ code: 0, stdout: checked.stdout });
  expect(await run('fmt --check')).toEqual({ code: 0, stdout: '', stderr: '' });
});

test('standard input goes to standard output', async () => {
  expect(await run('fmt -', loose)).toEqual({ code: 0, stdout: neat, stderr: '' });
  expect(await run('fmt - --check', loose)).toMatchObject({ code: 3, stdout: '' });
  expect(await run('fmt - --check', neat)).toMatchObject({ code: 0, stdout: '' });
  const broken = await run('fmt -', 'a: [\n');
  expect(broken).toMatchObject({ code: 1, stdout: '' });
  expect(broken.stderr).toContain('on <stdin> line 1');
  expect((await run('fmt - main.yaml')).stderr).toContain('[invalid-arguments]');
});

describe('what is wrong', () => {
  test('with one file keeps no other', async () => {
    await writeFile(at('bad.yaml'), 'a: 1\na: 2\n');
    await writeFile(at('main.yaml'), loose);
    const ended = await run('fmt');
    expect(ended).toMatchObject({ code: 1, stdout: 'main.yaml\n' });
    expect(ended.stderr).toContain('[duplicate-key]');
    expect(await read('bad.yaml')).toBe('a: 1\na: 2\n');
    expect(await run('fmt --check')).toMatchObject({ code: 1 });
  });

  test.each([
    ['fmt nowhere', 'file-not-found'],
    ['fmt notes.txt', 'not-yaml'],
  ])('%s', async (line, code) => {
    await writeFile(at('notes.txt'), 'x');
    await writeFile(at('main.yaml'), loose);
    expectFailure(await run(`${line} main.yaml`), `[${code}]`);
    expect(await read('main.yaml')).toBe(loose);
  });

  test('a link that leads out of the directory', async () => {
    await mkdir(at('site'));
    await writeFile(at('outside.yaml'), loose);
    await symlink('../outside.yaml', at('site/link.yaml'));
    await writeFile(at('site/real.yaml'), loose);
    await symlink('real.yaml', at('site/within.yaml'));
    expectFailure(await run('fmt site'), '[file-outside]');
    expect(await read('outside.yaml')).toBe(loose);
    expect(await read('site/real.yaml')).toBe(neat);
    expect(await run('fmt site/link.yaml')).toMatchObject({ code: 1, stdout: '' });
    expect(await run('fmt --allow-outside-files site')).toMatchObject({ code: 0 });
    expect(await read('outside.yaml')).toBe(neat);
    expect((await stat(at('site/link.yaml'))).isFile()).toBe(true);
  });
});

test.each(['quickstart', 'shop'])('a plan of %s is the same before and after', async (name) => {
  const example = await copyExample(name);
  onTestFinished(() => example.remove());
  const inIt = (...args: readonly string[]) => runInProcess(args, { cwd: example.path });
  for (const file of await readdir(example.path)) {
    if (!file.endsWith('.yaml')) continue;
    const path = join(example.path, file);
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replaceAll('  ', '    ').replaceAll(': {', ':   {').replaceAll('"', "'"),
    );
  }
  const before = await inIt('plan', '--format', 'markdown');
  expect((await inIt('fmt')).stdout).not.toBe('');
  expect(await inIt('plan', '--format', 'markdown')).toEqual(before);
  expect(before.code).toBe(0);
});
