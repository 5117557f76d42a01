import { createHash } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import {
  ConfigurationFiles,
  type FileReadRefusal,
} from '../../config/source/configuration-files.ts';
import type { BoundContractFile } from '../../model/account/service.ts';
import type { AccountReadCheck } from '../../model/account/contract-lines.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import { isPathInDirectory } from '../../state/files/written-file.ts';
import { withConfiguredAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';
import { findContractFile } from '../session/resolve-contract.ts';
import { checkAccountReads } from './look-at-account.ts';
import { mostApiDocumentBytes, parseOpenApiDocument } from './parse-document.ts';
import { locateContractFile, recordObservedContractLines } from './record-observed.ts';

/** Findings of `contract check`: each read of the account, and lines that contradict the document. */
export interface ContractCheckResult {
  readonly account: readonly AccountReadCheck[];
  /** Diagnostics of lines that contradict the OpenAPI document. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compares the contract file of a service with its OpenAPI document and, by read requests, with its account. Members of answers
 * that confirm a line are recorded beside the file.
 */
export function checkContract(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<ContractCheckResult> {
  return withConfiguredAccount(
    runtime,
    reporter,
    async ({ configuration, connection }) => {
      const contract = await findContractFile(runtime, configuration);
      const diagnostics = contract
        ? await checkDocument(runtime, configuration.directory, contract)
        : [];
      const account = await checkAccountReads(connection.client);
      if (contract) {
        const path = locateContractFile(runtime, configuration.directory, contract);
        const lines = account.flatMap((one) => one.lines);
        const fault = await recordObservedContractLines(path, contract.binding, lines);
        if (fault) return { account, diagnostics: [...diagnostics, fault] };
      }
      return { account, diagnostics };
    },
    directory,
  );
}

/**
 * The document is beside the contract file; without one there is nothing to compare with. Whoever writes the contract file
 * names it: what is no document of the configuration is not read, and another one than was recorded is not looked into.
 */
async function checkDocument(
  { allowsOutsideFiles = false, cwd }: Pick<Runtime, 'allowsOutsideFiles' | 'cwd'>,
  directory: string,
  contract: BoundContractFile,
): Promise<readonly Diagnostic[]> {
  const { file, binding, source } = contract;
  const { document } = binding;
  if (!document) return [];
  const own = locateContractFile({ cwd }, directory, contract);
  const path = resolve(dirname(own), document.file);
  // A file that the environment names is relative to where the command runs, or lies wherever its owner keeps it.
  const root = source ? directory : isPathInDirectory(own, cwd) ? cwd : dirname(own);
  const content = new ConfigurationFiles(root, allowsOutsideFiles).read(path, mostApiDocumentBytes);
  if ('refusal' in content) return [explainUnread(document.file, file, content.refusal)];
  const text = Buffer.from(content.bytes).toString('utf8');
  if (createHash('sha256').update(text).digest('hex') !== document.sha256) {
    return [
      {
        severity: 'error',
        code: 'contract-document-changed',
        summary: `${document.file} is not the document that ${file} was made from`,
        hint: `Run "hostwright contract bind ${relative(cwd, path)} --out ${relative(cwd, own)}", and review what changes.`,
      },
    ];
  }
  const parsed = await parseOpenApiDocument(text, document.file).catch(() => undefined);
  if (parsed === undefined) {
    return [
      {
        severity: 'error',
        code: 'document-unusable',
        summary: `${document.file} is no OpenAPI document`,
        hint: `Run "hostwright contract bind ${relative(cwd, path)}" to see why.`,
      },
    ];
  }
  const { compareBindingWithDocument: holdAgainstDocument } =
    await import('./hold-against-document.ts');
  return holdAgainstDocument(parsed, binding);
}

function explainUnread(
  document: string,
  file: string,
  { code, why, hint, system }: FileReadRefusal,
): Diagnostic {
  if (system === 'ENOENT') {
    return {
      severity: 'warning',
      code: 'contract-document-missing',
      summary: `${document} does not stand beside ${file}`,
      detail: 'What would be sent is not held against the document of the service.',
      hint: 'Keep the document beside the contract file that was made from it.',
    };
  }
  return {
    severity: 'error',
    code,
    summary: `The document ${document} of ${file} cannot be read: ${why}`,
    hint,
  };
}
