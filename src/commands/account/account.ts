import { readAccount, updateLocale } from '../../api/account.ts';
import type { Account } from '../../model/account/account.ts';
import type { Runtime } from '../../model/runtime.ts';
import { withAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** The account, and the service that it is on. */
export interface ShownAccount extends Account {
  readonly service: string;
}

/** Reads the account. */
export function readOwnAccount(runtime: Runtime, reporter: Notices): Promise<ShownAccount> {
  return withAccount(runtime, reporter, async ({ connection: { client, service } }) => ({
    ...(await readAccount(client)),
    service,
  }));
}

/** Sets the language that the service uses for the account. */
export function setLocale(runtime: Runtime, locale: string, reporter: Notices): Promise<Account> {
  return withAccount(runtime, reporter, ({ connection }) =>
    updateLocale(connection.client, locale),
  );
}
