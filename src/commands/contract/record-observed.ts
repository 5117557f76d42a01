// Lines of a contract file that answers of an account have had, kept beside it: evidence that a document cannot give.
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listBindingLines } from '../../api/binding/list-lines.ts';
import { formatContractFacts, parseContractFacts } from '../../config/contract/read-facts.ts';
import type { Binding } from '../../model/account/binding.ts';
import type { BoundContractFile } from '../../model/account/service.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import {
  explainUnwritableContractFacts,
  hasContractFacts,
  readContractFactsText,
  writeContractFactsText,
} from './write-contract.ts';

/**
 * Resolves the path of a contract file: a path in the configuration is relative to its directory, one in the environment to the
 * working directory.
 */
export function locateContractFile(
  { cwd }: Pick<Runtime, 'cwd'>,
  directory: string,
  { file, source }: BoundContractFile,
): string {
  return resolve(source ? directory : cwd, file);
}

/**
 * Adds lines of the contract file that answers have confirmed to the facts file beside it. Warns where that place has another
 * file, or somebody edits the facts at the same time.
 */
export async function recordObservedContractLines(
  path: string,
  binding: Binding,
  lines: Iterable<string>,
): Promise<Diagnostic | undefined> {
  const former = await readContractFactsText(path);
  const { lists = {} } = binding;
  // A list without a line of its own follows the line for all lists, which is confirmed in its place.
  const named = [...lines].map((line) => {
    const [table, name = ''] = line.split('.');
    return table === 'lists' && !Object.hasOwn(lists, name) ? 'lists.default' : line;
  });
  const seen = new Set(named);
  const { observed = {}, ...known } = parseContractFacts(former ?? '', binding) ?? {};
  const spelled = listBindingLines(binding).filter(({ line, state }) => {
    return seen.has(line) && state !== 'none' && state !== 'open';
  });
  const more = {
    ...observed,
    ...Object.fromEntries(spelled.map(({ line, theirs }) => [line, theirs])),
  };
  if (isDeepStrictEqual(more, observed)) return undefined;
  const facts = { confirmed: [], required: [], ...known, observed: more };
  const text = formatContractFacts({ ...facts, document: binding.document?.sha256 });
  const fault = await explainUnwritableContractFacts(path);
  if (fault) return (await hasContractFacts(path)) ? { ...fault, severity: 'warning' } : undefined;
  // In a directory that cannot be written to, as a pipeline's, only the evidence is lost.
  return writeContractFactsText(path, text, former).then(
    () => undefined,
    (error: unknown) => findWarning(error),
  );
}

/** The warning that a file was edited meanwhile; undefined for any other error of a write. */
function findWarning(error: unknown): Diagnostic | undefined {
  const [fault] = error instanceof DiagnosticError ? error.diagnostics : [];
  return fault && { ...fault, severity: 'warning' };
}
