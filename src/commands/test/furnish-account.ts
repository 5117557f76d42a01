import type { OutsideLeave } from '../../model/runtime.ts';
import { loadTree } from '../../config/tests/load-tree.ts';
import type { StartingAccount } from '../../config/tests/test-file.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { noPlanOptions } from '../../model/plan/plan.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { openMemoryState } from '../../state/memory-store.ts';
import { applyInAccount } from './run-engine.ts';
import type { TestAccount } from './test-account.ts';

/** Resources that were created for a test before its first step. */
export interface FurnishedAccount {
  /** Resources, with the addresses that the test gives them. */
  readonly resources: readonly ManagedResource[];
  /** Errors of creating the resources; empty where all exist. */
  readonly faults: readonly Diagnostic[];
}

/** Directories of the files that an account names. */
export interface FurnishOptions {
  /** The directory of the configuration; absolute. */
  readonly directory: string;
  readonly workingDirectory: string;
  readonly allowsOutsideFiles: OutsideLeave;
}

/** Makes the live resources that a test starts with. No state knows them afterwards. */
export async function furnishAccount(
  account: TestAccount,
  { tree }: Pick<StartingAccount, 'tree'>,
  options: FurnishOptions,
): Promise<FurnishedAccount> {
  if (!tree) return { resources: [], faults: [] };
  const { configuration, diagnostics } = await loadTree(tree, options);
  if (!configuration) return { resources: [], faults: listErrors(diagnostics) };
  const store = await openMemoryState();
  const request = { mode: 'apply', planOptions: noPlanOptions, configuration } as const;
  const result = await account.run(() => applyInAccount(account, store, request));
  const faults = hasErrors(result.diagnostics) ? listErrors(result.diagnostics) : [];
  return { resources: [...store.state.resources.values()], faults };
}

function listErrors(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
