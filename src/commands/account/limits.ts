import type { AccountLimits, NameLengths } from '../../model/account/live.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { withAnyAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';

/** Reads the quotas with their use, and the caps of names. */
export function readLimits(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<{ limits: AccountLimits; nameLengths: NameLengths }> {
  return withAnyAccount(
    runtime,
    reporter,
    async ({ connection: { client } }) => {
      const [read, nameLengths] = await Promise.all([client.getLimits(), client.getNameLengths()]);
      return { limits: read, nameLengths };
    },
    directory,
  );
}
