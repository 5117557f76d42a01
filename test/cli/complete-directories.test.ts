// A flag that takes a directory is completed with directories.
import { expect, test } from 'vitest';
import { runInProcess } from './run-in-process.ts';

const cwd = import.meta.dirname;

test.each([
  ['--chdir ../cl', ['../cli/']],
  ['--chdir=../cl', ['--chdir=../cli/']],
  ['plan --chdir ../', ['../cli/', '../unit/']],
  ['export --out ../cl', ['../cli/']],
  ['sandbox --data ../cl', ['../cli/']],
  ['--chdir ../cli/complete', []],
  ['--chdir ../none/', []],
])('%s', async (line, expected) => {
  const { code, stdout } = await runInProcess(['complete', '--', ...line.split(' ')], { cwd });
  const words = stdout.split('\n').slice(0, -1);
  expect([code, words]).toEqual([0, expect.arrayContaining(expected)]);
  expect(words.every((word) => word.endsWith('/'))).toBe(true);
});
