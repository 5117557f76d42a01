import type { Account } from '../model/account/account.ts';
import { accountId, type LiveAccount } from '../model/account/live.ts';
import type { WireAccount } from './contract/types.ts';
import { readRecord, readText, readTime, UnreadableAnswer } from '../model/wire/decode-fields.ts';
import { encodeCommand } from './wire/encode.ts';
import { readPreferences } from './notifications.ts';
import { type Caller, changeOne, readOne } from './wire/reading.ts';

/** The account that the token belongs to. @throws ApiError */
export function readAccount(client: Caller): Promise<Account> {
  return readOne(client, { operation: 'getAccount', params: {} }, decodeAccount);
}

/** Sets the locale; the service answers it in its canonical spelling. @throws ApiError */
export function updateLocale(client: Caller, locale: string): Promise<Account> {
  return changeOne(
    client,
    encodeCommand({ kind: 'updateAccountLocale', account: accountId, locale }),
    { operation: 'getAccount', params: {} },
    decodeAccount,
  );
}

/** The settings of the account as one record: two requests. @throws ApiError */
export async function readSettings(client: Caller): Promise<LiveAccount> {
  const [{ locale }, notifications] = await Promise.all([
    readAccount(client),
    readPreferences(client),
  ]);
  return { kind: 'account', id: accountId, projectId: accountId, locale, notifications };
}

function decodeAccount(wire: unknown): Account {
  const record = readRecord<WireAccount>(wire, 'the account');
  const locale = readText(record.locale);
  if (locale === null) throw new UnreadableAnswer('an account without a locale');
  return {
    email: readText(record.email) ?? '',
    locale,
    createdAt: readTime(record.createdAt),
  };
}
