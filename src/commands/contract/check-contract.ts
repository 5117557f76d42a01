import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import type { BoundContractFile } from '../../model/account/service.ts';
import type { AccountReadCheck } from '../../model/account/contract-lines.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import { withAccount } from '../session/account-session.ts';
import { readGivenFile } from '../session/read-given-file.ts';
import type { Reporter } from '../session/reporter.ts';
import { findContractFile } from '../session/resolve-contract.ts';
import { checkAccountReads } from './look-at-account.ts';
import { parseOpenApiDocument } from './parse-document.ts';
import { locateContract, recordObservedContractLines } from './record-observed.ts';

/** Findings of `contract check`: each read of the account, and lines that contradict the document. */
export interface ContractCheckResult {
  readonly account: readonly AccountReadCheck[];
  /** Diagnostics of lines that contradict the OpenAPI document. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares the spelling of a service with its document and its account, by reads. Records the members of answers beside the
 * file.
 */
export function checkContract(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<ContractCheckResult> {
  return withAccount(
    runtime,
    reporter,
    async ({ configuration, connection }) => {
      const contract = await findContractFile(runtime, configuration);
      const diagnostics = contract
        ? await checkDocument(runtime, configuration.directory, contract)
        : [];
      const account = await checkAccountReads(connection.client);
      if (contract) {
        const path = locateContract(runtime, configuration.directory, contract);
        const lines = account.flatMap((one) => one.lines);
        await recordObservedContractLines(path, contract.binding, lines);
      }
      return { account, diagnostics };
    },
    directory,
  );
}

/** The document is beside the contract file; without one there is nothing to compare with. */
async function checkDocument(
  { cwd }: Pick<Runtime, 'cwd'>,
  directory: string,
  contract: BoundContractFile,
): Promise<readonly Diagnostic[]> {
  const { file, binding } = contract;
  const { document } = binding;
  if (!document) return [];
  const own = locateContract({ cwd }, directory, contract);
  const path = resolve(dirname(own), document.file);
  const text = await readGivenFile(cwd, path, 'document').catch(() => undefined);
  if (text === undefined) {
    return [
      {
        severity: 'warning',
        code: 'contract-document-missing',
        summary: `${document.file} does not stand beside ${file}`,
        detail: 'What would be sent is not held against the document of the service.',
        hint: 'Keep the document beside the contract file that was made from it.',
      },
    ];
  }
  const { compareWithApiDocument: holdAgainstDocument } =
    await import('./hold-against-document.ts');
  const isSame = createHash('sha256').update(text).digest('hex') === document.sha256;
  const changed: Diagnostic = {
    severity: 'error',
    code: 'contract-document-changed',
    summary: `${document.file} is not the document that ${file} was made from`,
    hint: `Run "hostwright contract bind ${relative(cwd, path)} --out ${relative(cwd, own)}", and review what changes.`,
  };
  const mismatches = holdAgainstDocument(await parseOpenApiDocument(text, document.file), binding);
  return [...(isSame ? [] : [changed]), ...mismatches];
}
