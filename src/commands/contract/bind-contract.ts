import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import type { BindingQuestion } from '../../binding/derive-binding.ts';
import type { OverlaidDocument } from '../../binding/document/apply-overlay.ts';
import type { ApiDocumentFault } from '../../binding/document/document.ts';
import type { UnknownRequiredMember } from '../../binding/match/list-required.ts';
import type { ExplainedBindingLine } from '../../binding/lines/draft.ts';
import { formatContractFacts, parseContractFacts } from '../../config/contract/read-facts.ts';
import type { Binding } from '../../model/account/binding.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { isJsonObject } from '../../model/json-object.ts';
import type { Runtime } from '../../model/runtime.ts';
import { parseJsonOrYaml, parseOpenApiDocument } from './parse-document.ts';
import {
  explainUnwritableContractFacts,
  explainUnwritableContract,
  readContractFactsText,
  readContractText,
  writeContractTexts,
} from './write-contract.ts';
import { readFileNamedByFlag } from '../session/read-given-file.ts';
import { createCommandRefusal } from '../session/refuse.ts';

/** Options of `contract bind`. */
export interface BindContractOptions {
  /** Path of the OpenAPI document, relative to the working directory. */
  readonly document: string;
  /** Path of the contract file that is written. */
  readonly out: string;
  /** Path of an OpenAPI Overlay that corrects the document; absent for none. */
  readonly overlay?: string;
}

/** A contract file that was written. */
export interface WrittenContractFile {
  readonly out: string;
  readonly rows: readonly ExplainedBindingLine[];
  readonly questions: readonly BindingQuestion[];
  /** Faults of the OpenAPI document that were found while reading it. */
  readonly faults: readonly ApiDocumentFault[];
  /**
   * Members that the service requires in requests, that the contract does not know, and for which the contract file has no
   * constant yet.
   */
  readonly required: readonly UnknownRequiredMember[];
  /** Faults of lines that the contract file must not have. None of these lines is derived, but people edit the file, too. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Derives how a service spells the contract (its paths, fields and words) from its OpenAPI document, and writes a contract file.
 * @throws DiagnosticError `unreadable-file`, `document-unusable`, `contract-unwritable`, `contract-unreadable`
 */
export async function bindContract(
  { cwd }: Pick<Runtime, 'cwd'>,
  { document: name, out, overlay }: BindContractOptions,
): Promise<WrittenContractFile> {
  const [
    { deriveBinding },
    { formatBindingFile: writeBinding },
    { readBinding },
    { markRefusedOperationsOpen },
  ] = await Promise.all([
    import('../../binding/derive-binding.ts'),
    import('./write-binding.ts'),
    import('../../config/contract/read-binding.ts'),
    import('./open-refused-lines.ts'),
  ]);
  const text = await readFileNamedByFlag(cwd, name, 'DOCUMENT');
  const parsed = await parseOpenApiDocument(text, name);
  const { document, faults: overlaid } = await mend(cwd, parsed, overlay);
  const path = resolve(cwd, out);
  const fault =
    (await explainUnwritableContract(path)) ?? (await explainUnwritableContractFacts(path));
  if (fault) throw new DiagnosticError([fault]);
  const former = await readContractText(path);
  const formerFacts = await readContractFactsText(path);
  const answered = former === undefined ? undefined : await readAnswers(former, out);
  const found = deriveBinding(document, answered);
  const derived = { ...found, ...markRefusedOperationsOpen(found, answered) };
  const sha256 = createHash('sha256').update(text).digest('hex');
  // Path of the document relative to the contract file, as a comment in that file names it.
  const file = relative(dirname(path), resolve(cwd, name));
  const binding: Binding = { ...derived.binding, document: { file, sha256 } };
  const written = writeBinding(binding, derived.questions, former);
  const { diagnostics } = readBinding(written, out);
  const required = derived.requiredUnknown.filter((one) => !isConstant(binding, one));
  const confirmed = derived.rows.filter(({ is }) => is === 'same' || is === 'otherwise');
  const facts = {
    document: sha256,
    confirmed: confirmed.map(({ line }) => line),
    required: required.map(({ operation, at, in: place }) => ({ operation, at, in: place })),
    observed: parseContractFacts(formerFacts ?? '', binding)?.observed ?? {},
  };
  await writeContractTexts(
    path,
    { contract: written, facts: formatContractFacts(facts) },
    { contract: former, facts: formerFacts },
  );
  const { rows, questions, faults } = derived;
  return { out, rows, questions, faults: [...overlaid, ...faults], required, diagnostics };
}

function isConstant(
  { constants = {} }: Binding,
  { operation, at, in: place }: UnknownRequiredMember,
) {
  const lines: object = constants[operation]?.[place] ?? {};
  return Object.hasOwn(lines, at);
}

async function mend(
  cwd: string,
  document: unknown,
  overlay: string | undefined,
): Promise<OverlaidDocument> {
  if (overlay === undefined) return { document, faults: [] };
  const { applyOpenApiOverlay: applyOverlay } =
    await import('../../binding/document/apply-overlay.ts');
  const text = await readFileNamedByFlag(cwd, overlay, '--overlay');
  return applyOverlay(document, await parseJsonOrYaml(text, overlay));
}

/** Lines that the contract file has already, valid or not: a person wrote them, so they are kept. */
async function readAnswers(text: string, out: string): Promise<Binding> {
  const { parse } = await import('yaml');
  try {
    const value: unknown = parse(text);
    // A document of the service and a configuration are maps, too, and would be overwritten.
    if (isJsonObject(value) && ['openapi', 'swagger', 'paths'].every((key) => !(key in value))) {
      const keys = Object.keys(value).filter((key) => key !== 'version');
      const { bindingTables } = await import('./write-binding.ts');
      const isContract = keys.some((key) => key === 'document' || bindingTables.includes(key));
      if (keys.length === 0 || isContract) return { ...value, version: 1 };
    }
  } catch {
    // A contract file that cannot be read is reported below.
  }
  throw createCommandRefusal('contract-unreadable', `${out} is no contract file`, {
    detail: 'It stands where the contract file is to be written, and is left as it is.',
    hint: 'Give another file by --out, or remove it.',
  });
}
