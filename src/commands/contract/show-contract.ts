import { listBindingLines } from '../../api/binding/list-lines.ts';
import type { ContractLine } from '../../model/account/contract-lines.ts';
import type { ReadingRuntime } from '../../model/runtime.ts';
import { readConfiguration } from '../session/session.ts';
import { findContractFile } from '../session/resolve-contract.ts';
import type { Reporter } from '../session/reporter.ts';

/** The spelling of the contract at the service of a configuration. */
export interface ShownContract {
  /** Path of the contract file, as named; undefined without one: everything is spelled as in the contract. */
  readonly file: string | undefined;
  readonly sha256: string | undefined;
  readonly document: { readonly file: string; readonly sha256: string } | undefined;
  readonly lines: readonly ContractLine[];
}

/** Lists the lines of the binding, with their evidence. Asks nothing of the service. */
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
