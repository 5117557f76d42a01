// The spelling of the contract in a run: from the environment, or else the configuration; and a comparison with that of the
// last apply.
import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Binding } from '../../model/account/binding.ts';
import type { BoundContractFile, ServiceSection } from '../../model/account/service.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { State } from '../../model/state/state.ts';
import { createCommandRefusal } from './refuse.ts';

/** The part of a state that records by which contract file the last runs spoke to the service. */
export type RecordedContractState = Pick<State, 'service' | 'contract' | 'pending' | 'sent'>;

/** The contract file to use for a service, once it was compared with that of the last apply. */
export interface ResolvedContractBinding {
  /** The contract file; undefined where the service is spelled as the contract itself. */
  readonly contract: BoundContractFile | undefined;
  /** Warnings about faults that the user has allowed, so that they are no errors. */
  readonly warnings: readonly Diagnostic[];
}

const contractVariable = 'HOSTWRIGHT_CONTRACT';

/**
 * Finds the contract file of a run, and refuses one that differs from that of the last apply unless a person allows it.
 * @throws DiagnosticError `other-contract`, and what `findContractFile` throws
 */
export async function resolveContractFile(
  runtime: Pick<Runtime, 'env' | 'cwd' | 'allowsOtherContract'>,
  settings: Pick<ServiceSection, 'contract'>,
  state: RecordedContractState,
): Promise<ResolvedContractBinding> {
  const contract = await findContractFile(runtime, settings);
  const other = findOther(contract, state, runtime.allowsOtherContract === true);
  if (other?.severity === 'error') throw new DiagnosticError([other]);
  return { contract, warnings: other ? [other] : [] };
}

/** The contract file that the environment names, or else the configuration; undefined where neither does. */
export async function findContractFile(
  runtime: Pick<Runtime, 'env' | 'cwd'>,
  { contract }: Pick<ServiceSection, 'contract'>,
): Promise<BoundContractFile | undefined> {
  const given = runtime.env[contractVariable]?.trim();
  if (given) return readNamed(runtime, given);
  if (contract !== 'unusable') return contract;
  throw createCommandRefusal('contract-unusable', '`service.contract` cannot be used as it is', {
    detail: 'It says how the service spells what it is asked.',
    hint: 'Run "hostwright validate" to see why.',
  });
}

/** Reads the contract file of a flag: `FILE`, or `FILE@sha256:DIGEST`, which must have that content. */
async function readNamed({ cwd }: Pick<Runtime, 'cwd'>, given: string): Promise<BoundContractFile> {
  const [, file = given, pinned] = /^(.*?)(?:@sha256:([0-9a-fA-F]+))?$/s.exec(given) ?? [];
  const path = resolve(cwd, file);
  const bytes = await readNamedContractFile(cwd, file, contractVariable);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (pinned !== undefined && pinned.toLowerCase() !== sha256) {
    throw createCommandRefusal(
      'contract-digest',
      `${file} is not the file that ${contractVariable} names`,
      {
        detail: `Its SHA-256 is ${sha256}, and it is to be ${pinned}.`,
        hint: 'Compare it with the file that was reviewed, or write its digest as sha256sum prints it.',
      },
    );
  }
  const { readBinding } = await import('../../config/contract/read-binding.ts');
  const { binding, diagnostics } = readBinding(Buffer.from(bytes).toString(), relative(cwd, path));
  if (!binding) throw new DiagnosticError(diagnostics);
  const {
    findContractFactsPath: factsPath,
    maxContractFactsBytes,
    parseContractFacts: readFacts,
  } = await import('../../config/contract/read-facts.ts');
  const { readRegularFileHead } = await import('../../state/files/regular-file.ts');
  const beside = await readRegularFileHead(factsPath(path), maxContractFactsBytes).catch(() => '');
  return { file, binding, sha256, facts: readFacts(beside, binding) };
}

/**
 * Reads a contract file that a person names on the command line. It may lie anywhere; but one below the working directory may
 * come from a pull request, so that a link in its path must not lead outside.
 * @throws DiagnosticError `contract-unreadable`
 */
export async function readNamedContractFile(
  cwd: string,
  file: string,
  namedBy: string,
): Promise<Uint8Array> {
  const [{ ConfigurationFiles }, { maxBindingBytes }] = await Promise.all([
    import('../../config/source/configuration-files.ts'),
    import('../../config/contract/read-binding.ts'),
  ]);
  const path = resolve(cwd, file);
  const content =
    new ConfigurationFiles(cwd, false).readGiven(path, cwd, maxBindingBytes) ??
    new ConfigurationFiles(dirname(path), true).read(path, maxBindingBytes);
  if ('bytes' in content) return content.bytes;
  const { why } = content.refusal;
  throw createCommandRefusal(
    'contract-unreadable',
    `${namedBy} names ${file}, which cannot be read: ${why}`,
    { hint: 'Name the file that "hostwright contract bind" has written.' },
  );
}

/** Finds a difference from the contract of the last apply, which a person must allow. */
function findOther(
  contract: BoundContractFile | undefined,
  { service, contract: former, pending, sent }: RecordedContractState,
  isAllowed: boolean,
): Diagnostic | undefined {
  if (service === null) return undefined;
  const moved = listMoved(former, contract?.binding);
  if (moved.length === 0) return undefined;
  const isOpen = pending.size > 0 || (sent?.size ?? 0) > 0;
  const shown = moved.slice(0, shownAtMost).join(', ');
  const rest = moved.length > shownAtMost ? ` and ${moved.length - shownAtMost} more` : '';
  return {
    severity: isAllowed && !isOpen ? 'warning' : 'error',
    code: 'other-contract',
    summary: 'The service was spelled otherwise at the last apply',
    detail: isOpen
      ? `Other now: ${shown}${rest}. An earlier run was interrupted, and its requests are looked for as they were spelled then.`
      : `Other now: ${shown}${rest}. What is spelled wrong is read wrong, and may be changed by mistake.`,
    ...(isOpen
      ? {
          hint: 'Restore the contract file of that run from your version control, and apply once. Then change it.',
        }
      : !isAllowed && {
          hint: 'Compare these lines with the service. If they are right, add --allow-other-contract: the next apply records them.',
        }),
    ...(contract?.source && { source: contract.source }),
  };
}

/** The most lines of a contract file that a message shows. */
const shownAtMost = 12;

/** The lines in which two bindings differ, as `fields.vm.imageId`. What document a binding was made from spells nothing. */
function listMoved(former: Binding | undefined, now: Binding | undefined): readonly string[] {
  const linesOf = (binding: Binding | undefined) => {
    const tables = Object.entries({ ...binding }).filter(
      ([table]) => table !== 'version' && table !== 'document',
    );
    return new Map(
      tables.flatMap(([table, lines]) =>
        Object.entries(lines as object).flatMap(
          ([name, line]: [string, unknown]): [string, unknown][] =>
            isTable(table) && typeof line === 'object' && line !== null
              ? Object.entries(line).map(([member, one]) => [`${table}.${name}.${member}`, one])
              : [[`${table}.${name}`, line]],
        ),
      ),
    );
  };
  const [before, after] = [linesOf(former), linesOf(now)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((line) => !isDeepStrictEqual(before.get(line), after.get(line)))
    .sort();
}

/** Tells whether a table of a contract file holds tables, not single lines. */
function isTable(table: string): boolean {
  return ['fields', 'parameters', 'units', 'enums'].includes(table);
}
