import type { Account } from '../model/account.ts';
import type { WireAccount } from './contract/types.ts';
import { readRecord, readText, readTime } from './decode-fields.ts';
import { type Caller, readOne } from './reading.ts';

/** The account that the token belongs to. @throws ApiError */
export function readAccount(client: Caller): Promise<Account> {
  return readOne(client, { operation: 'getAccount', params: {} }, decodeAccount);
}

/** Sets the locale; the service answers it in its canonical spelling. @throws ApiError */
export async function updateLocale(client: Caller, locale: string): Promise<Account> {
  const { body } = await client.call({
    operation: 'updateAccountLocale',
    params: {},
    body: { locale },
  });
  // That the answer is the account is assumed.
  return body === undefined ? readAccount(client) : decodeAccount(body);
}

function decodeAccount(wire: unknown): Account {
  const record = readRecord<WireAccount>(wire, 'the account');
  return {
    email: readText(record.email) ?? '',
    locale: readText(record.locale) ?? '',
    createdAt: readTime(record.createdAt),
  };
}
