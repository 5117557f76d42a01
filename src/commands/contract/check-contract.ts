import type { LookedAt } from '../../model/account/contract-lines.ts';
import type { Runtime } from '../../model/runtime.ts';
import { withAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';
import { lookAtAccount } from './look-at-account.ts';

/** What a check has found. */
export interface CheckedContract {
  readonly account: readonly LookedAt[];
}

/** Holds the spelling of a service against its account. Reads only. */
export function checkContract(
  runtime: Runtime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<CheckedContract> {
  return withAccount(
    runtime,
    reporter,
    async ({ connection }) => ({ account: await lookAtAccount(connection.client) }),
    directory,
  );
}
