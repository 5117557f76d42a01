import { listBindingLines } from '../../api/binding/list-lines.ts';
import type { ContractLine } from '../../model/account/contract-lines.ts';
import type { ReadingRuntime } from '../../model/runtime.ts';
import { readConfiguration } from '../session/session.ts';
import { findContractFile } from '../session/resolve-contract.ts';
import type { Reporter } from '../session/reporter.ts';

/** Spelling of the contract at the service of a configuration, for `contract show`: the contract file with its lines. */
export interface ShownContract {
  /** Path of the contract file, as named; undefined without one: everything is spelled as in the contract. */
  readonly file: string | undefined;
  readonly sha256: string | undefined;
  readonly document: { readonly file: string; readonly sha256: string } | undefined;
  readonly lines: readonly ContractLine[];
}

/** Lists the lines of the contract file, each with the evidence for it. Sends no request to the service. */
export async function showContract(
  runtime: ReadingRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<ShownContract> {
  const settings = await readConfiguration(runtime, directory, reporter);
  const contract = await findContractFile(runtime, settings);
  const binding = contract?.binding ?? { version: 1 };
  return {
    file: contract?.file,
    sha256: contract?.sha256,
    document: binding.document,
    lines: listBindingLines(binding, {
      confirmed: new Set(contract?.facts?.confirmed),
      observed: contract?.facts?.observed ?? {},
    }),
  };
}
