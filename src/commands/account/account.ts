import { encodeCommand } from '../../api/wire/encode.ts';
import { changeServiceRecord, readServiceRecord } from '../../api/wire/reading.ts';
import { makeUpdateLocaleCommand } from '../../kinds/account/requests.ts';
import { accountReadRequest } from '../../kinds/account/wire.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import type { Account } from '../../model/account/account.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { withOptionallyConfiguredAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';
import type { AccountLimits, MaximumNameLengths, Catalog } from '../../model/account/live.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** An account, with the service that it belongs to. */
export interface AccountOnService extends Account {
  readonly service: string;
}

/** Reads the account. */
export function readOwnAccount(
  runtime: SessionRuntime,
  reporter: Notices,
): Promise<AccountOnService> {
  return withOptionallyConfiguredAccount(
    runtime,
    reporter,
    async ({ connection: { client, service } }) => ({
      ...(await readServiceRecord(client, accountReadRequest)),
      service,
    }),
  );
}

/** Sets the language that the service uses for the account. */
export function setAccountLocale(
  runtime: SessionRuntime,
  locale: string,
  reporter: Notices,
): Promise<Account> {
  const change = encodeCommand(kindRegistry, makeUpdateLocaleCommand(locale));
  return withOptionallyConfiguredAccount(runtime, reporter, ({ connection: { client } }) =>
    changeServiceRecord(client, change, accountReadRequest),
  );
}

/** Reads the quotas of the account with their present use, and the longest names that it allows. */
export function readAccountLimits(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<{ limits: AccountLimits; nameLengths: MaximumNameLengths }> {
  return withOptionallyConfiguredAccount(
    runtime,
    reporter,
    async ({ connection: { client } }) => {
      const [read, nameLengths] = await Promise.all([client.getLimits(), client.getNameLengths()]);
      return { limits: read, nameLengths };
    },
    directory,
  );
}

/** The catalog of the service, and whether its prices are made up (by the sandbox). */
interface OfferedCatalog {
  readonly catalog: Catalog;
  readonly arePricesAssumed: boolean;
}

/** Reads the catalog: images, configurations and tariffs. */
export function readCatalog(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<OfferedCatalog> {
  return withOptionallyConfiguredAccount(
    runtime,
    reporter,
    async ({ connection }) => {
      const catalog = await connection.client.getCatalog();
      return { catalog, arePricesAssumed: connection.isSandbox() };
    },
    directory,
  );
}
