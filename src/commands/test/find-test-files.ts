import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemCode } from '../../config/source/configuration-files.ts';
import { isTestFile } from '../../config/source/read-files.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** The directory beside a configuration that may hold its tests. */
const testsDirectory = 'tests';

/**
 * Test files of the given paths: files themselves, and of directories the test files directly in them or in their `tests`.
 * Absolute, sorted within each directory, each once.
 * @throws DiagnosticError where a path does not exist, or no test file is found
 */
export async function findTestFiles(
  { cwd }: Pick<Runtime, 'cwd'>,
  given: readonly string[],
): Promise<readonly string[]> {
  const faults: Diagnostic[] = [];
  const operands = given.length > 0 ? given : ['.'];
  const found: string[] = [];
  for (const operand of operands) {
    const path = resolve(cwd, operand);
    try {
      if ((await stat(path)).isDirectory()) found.push(...(await listTests(path)));
      else if (isTestFile(path.slice(path.search(/[^/\\]*$/)))) found.push(path);
      else faults.push(...explainOther(operand));
    } catch (error) {
      faults.push(...explainUnreadable(operand, systemCode(error)));
    }
  }
  if (faults.length > 0) throw new DiagnosticError(faults);
  if (found.length > 0) return [...new Set(found)];
  throw createCommandRefusal('no-tests', `There are no tests in ${operands.join(', ')}`, {
    detail:
      'Tests are in files that end in .test.yaml, beside the configuration or in its directory `tests`.',
    hint: 'Write one, or give the directory that has some. "hostwright init" shows how a first one looks.',
  });
}

async function listTests(directory: string): Promise<readonly string[]> {
  const below = join(directory, testsDirectory);
  const lists = [directory, below].map(async (one) => {
    const names = await readdir(one).catch(() => []);
    return names
      .filter(isTestFile)
      .sort()
      .map((name) => join(one, name));
  });
  return (await Promise.all(lists)).flat();
}

function explainOther(operand: string): Diagnostic[] {
  return [
    {
      severity: 'error',
      code: 'not-a-test',
      summary: `${operand} is not a file with tests`,
      detail: 'The name of such a file ends in .test.yaml.',
      hint: 'Give the file with the tests, or the directory of the configuration.',
    },
  ];
}

function explainUnreadable(operand: string, code: string): Diagnostic[] {
  return [
    {
      severity: 'error',
      code: 'file-unreadable',
      summary: code === 'ENOENT' ? `There is no ${operand}` : `${operand} cannot be read (${code})`,
      hint: 'Give a file with tests, or a directory that has some.',
    },
  ];
}
