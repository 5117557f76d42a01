import type { Account } from '../model/account.ts';
import type { WireAccount } from './contract/types.ts';
import { readRecord, readText, readTime, UnreadableAnswer } from './decode-fields.ts';
import { type Caller, changeOne, readOne } from './reading.ts';

/** The account that the token belongs to. @throws ApiError */
export function readAccount(client: Caller): Promise<Account> {
  return readOne(client, { operation: 'getAccount', params: {} }, decodeAccount);
}

/** Sets the locale; the service answers it in its canonical spelling. @throws ApiError */
export function updateLocale(client: Caller, locale: string): Promise<Account> {
  return changeOne(
    client,
    { operation: 'updateAccountLocale', params: {}, body: { locale } },
    { operation: 'getAccount', params: {} },
    decodeAccount,
  );
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
