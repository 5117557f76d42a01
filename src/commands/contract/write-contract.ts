// Writing of a contract file and of the facts beside it. A pull request may have brought what stands at their places: a link
// is not followed, and a file that is neither is left alone.
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import {
  findContractFactsPath,
  maxFactsFileBytes,
  parseContractFacts,
} from '../../config/contract/read-facts.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { readRegularFileHead } from '../../state/files/regular-file.ts';
import { replaceFile } from '../../state/files/replace-file.ts';
import { findOutputFilePlaceFault } from '../../state/files/written-file.ts';

/** Explains why a contract file cannot be written; undefined where it can. Its content is the caller's to look at. */
export function findContractFileFault(path: string): Promise<Diagnostic | undefined> {
  return explain(path, { isContract: true, isOurs: () => true });
}

/** Explains why the facts beside a contract file cannot be written; undefined where they can. */
export function findContractFactsFault(path: string): Promise<Diagnostic | undefined> {
  const isOurs = async (_: Stats, real: string) => {
    const text = await readRegularFileHead(real, maxFactsFileBytes);
    return text.trim() === '' || parseContractFacts(text, { version: 1 }) !== undefined;
  };
  return explain(findContractFactsPath(path), { isOurs });
}

/** Writes a contract file, or the facts beside one, in the place of what is there: a link to another file is no way to it. */
export async function writeContractText(path: string, text: string): Promise<void> {
  await replaceFile(path, text, undefined, 0o644);
}

/** True where something stands at the place of the facts of a contract file. */
export async function hasContractFacts(path: string): Promise<boolean> {
  return lstat(findContractFactsPath(path)).then(
    () => true,
    () => false,
  );
}

async function explain(
  path: string,
  rest: Omit<Parameters<typeof findOutputFilePlaceFault>[0], 'path'>,
): Promise<Diagnostic | undefined> {
  const fault = await findOutputFilePlaceFault({ path, ...rest });
  if (!fault) return undefined;
  return {
    severity: 'error',
    code: 'contract-unwritable',
    summary: `${path} cannot be written`,
    detail: fault.why,
    hint: fault.hint,
  };
}
