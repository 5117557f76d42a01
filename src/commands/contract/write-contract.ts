// Writing of a contract file and of the facts beside it. A pull request may have brought what stands at their places: a link
// is not followed, and a file that is neither is left alone.
import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import {
  findContractFactsPath,
  maxContractFactsBytes,
  parseContractFacts,
} from '../../config/contract/read-facts.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError, readErrorCode } from '../../model/errors.ts';
import { readRegularFile, readRegularFileHead } from '../../state/files/regular-file.ts';
import { replaceFile } from '../../state/files/replace-file.ts';
import {
  findOutputFilePlaceFault,
  type OutputFilePlaceFault,
} from '../../state/files/written-file.ts';

/**
 * Explains why a contract file cannot be written at a path; undefined where it can. The content of a present file is not looked
 * at.
 */
export function explainUnwritableContract(path: string): Promise<Diagnostic | undefined> {
  return explain(path, { isContract: true, isOurs: () => true });
}

/** Explains why the facts beside a contract file cannot be written; undefined where they can. */
export function explainUnwritableContractFacts(path: string): Promise<Diagnostic | undefined> {
  const isOurs = async (_: Stats, real: string) => {
    const text = await readRegularFileHead(real, maxContractFactsBytes);
    return text.trim() === '' || parseContractFacts(text, { version: 1 }) !== undefined;
  };
  return explain(findContractFactsPath(path), { isOurs });
}

/** The text of a contract file; undefined where there is none. Rejects with the system's error, or an IrregularFileError. */
export async function readContractText(path: string): Promise<string | undefined> {
  return readRegularFile(path).catch((error: unknown) => {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

/** Reads the text of the facts file beside a contract file; undefined where there is none that can be read. */
export async function readContractFactsText(path: string): Promise<string | undefined> {
  return readRegularFileHead(findContractFactsPath(path), maxContractFactsBytes).catch(
    () => undefined,
  );
}

/** Texts of a contract file and of the facts beside it. */
interface ContractTexts {
  readonly contract: string;
  readonly facts: string;
}

/**
 * Writes a contract file and the facts beside it, both or neither, in the place of those that had the texts `former`: undefined
 * where there was none.
 * @throws DiagnosticError `contract-unwritable` where one of them has another by now: somebody has edited it
 */
export async function writeContractTexts(
  path: string,
  { contract, facts }: ContractTexts,
  former: { readonly [name in keyof ContractTexts]: string | undefined },
): Promise<void> {
  await replaceUnedited(path, contract, async () => {
    if ((await readContractText(path)) !== former.contract) return false;
    // Right before the contract file takes its place: facts that somebody has edited leave it as it is.
    await writeContractFactsText(path, facts, former.facts);
    return true;
  });
}

/**
 * Writes the facts beside a contract file in the place of those that had the text `former`.
 * @throws DiagnosticError as `writeContractTexts`
 */
export async function writeContractFactsText(
  path: string,
  text: string,
  former: string | undefined,
): Promise<void> {
  const isUnedited = async () => (await readContractFactsText(path)) === former;
  await replaceUnedited(findContractFactsPath(path), text, isUnedited);
}

/** Writes in the place of what is there, whose mode stays: a link to another file is no way to it. */
async function replaceUnedited(
  path: string,
  text: string,
  isUnedited: () => Promise<boolean>,
): Promise<void> {
  const mode = await lstat(path).then(
    (found) => found.mode & 0o777,
    () => 0o644,
  );
  const confirm = async () => {
    if (await isUnedited()) return;
    throw new DiagnosticError([
      describeUnwritable(path, {
        why: 'It was edited while this ran. Nothing was written.',
        hint: 'Run the command again.',
      }),
    ]);
  };
  await replaceFile(path, text, confirm, mode);
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
  return fault && describeUnwritable(path, fault);
}

function describeUnwritable(
  path: string,
  { why, hint }: Pick<OutputFilePlaceFault, 'why' | 'hint'>,
): Diagnostic {
  return {
    severity: 'error',
    code: 'contract-unwritable',
    summary: `${path} cannot be written`,
    detail: why,
    hint,
  };
}
