import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DiagnosticError, readErrorCode } from '../../model/errors.ts';

/**
 * Reads the text of a file that a command-line flag names by a path relative to `cwd`.
 * @throws DiagnosticError `unreadable-file`
 */
export async function readFileNamedByFlag(
  cwd: string,
  path: string,
  flag: string,
): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (cause) {
    const code = readErrorCode(cause) ?? 'unknown';
    const detail = code === 'ENOENT' ? 'There is no such file.' : `The system says ${code}.`;
    const summary = `${flag} cannot read ${path}`;
    throw new DiagnosticError([{ severity: 'error', code: 'unreadable-file', summary, detail }], {
      cause,
    });
  }
}
