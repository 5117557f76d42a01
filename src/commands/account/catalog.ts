import type { Catalog } from '../../model/account/live.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { withAnyAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';

/** The catalog of the service, and whether its prices are made up (by the sandbox). */
export interface OfferedCatalog {
  readonly catalog: Catalog;
  readonly arePricesAssumed: boolean;
}

/** Reads the catalog: images, configurations and tariffs. */
export function readCatalog(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<OfferedCatalog> {
  return withAnyAccount(
    runtime,
    reporter,
    async ({ connection }) => {
      const catalog = await connection.client.getCatalog();
      return { catalog, arePricesAssumed: connection.isSandbox() };
    },
    directory,
  );
}
