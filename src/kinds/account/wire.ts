import type { PartsCodec, DecodedRequest } from '../../api/contract/codec.ts';
import type { WireAccount, WireNotificationPreferencesUpdate } from '../../api/contract/types.ts';
import type { Account, NotificationPreferences } from '../../model/account/account.ts';
import { accountId } from '../../model/account/live.ts';
import {
  readRecord,
  readText,
  readTime,
  readToldText,
  UnreadableAnswer,
} from '../../model/wire/decode-fields.ts';

/** Reads the account that the access token belongs to. */
export const accountReading: DecodedRequest<Account> = {
  request: { operation: 'getAccount', params: {} },
  decode(wire) {
    const record = readRecord<WireAccount>(wire, 'the account');
    const locale = readText(record.locale);
    if (locale === null) throw new UnreadableAnswer('an account without a locale');
    return {
      email: readText(record.email) ?? '',
      locale,
      createdAt: readTime(record.createdAt),
    };
  },
};

/** Delivery of notifications: every member of the answer that is true or false. */
export const preferencesReading: DecodedRequest<NotificationPreferences> = {
  request: { operation: 'getNotificationPreferences', params: {} },
  decode(wire) {
    const record = readRecord<Record<string, unknown>>(wire, 'the notification preferences');
    const entries = Object.entries(record).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
    );
    if (entries.length === 0) throw new UnreadableAnswer('preferences without any');
    return Object.fromEntries(entries);
  },
};

/** The settings of the account on the wire: two answers have a part of them each. */
export const accountWire: PartsCodec<'account'> = {
  parts: [
    {
      request: accountReading.request,
      decode: (wire) => ({
        kind: 'account',
        id: accountId,
        projectId: accountId,
        locale: readToldText(readRecord<WireAccount>(wire, 'the account').locale),
      }),
    },
    {
      request: preferencesReading.request,
      decode: (wire) => ({ notifications: preferencesReading.decode(wire) }),
    },
  ],
  encode: {
    updateAccountLocale: ({ locale }) => ({ params: {}, body: { locale } }),
    updateNotificationPreferences: ({ preferences }) => ({
      params: {},
      // Preferences as they were read, so that one that the contract does not know is not lost.
      body: preferences as Record<string, boolean> & WireNotificationPreferencesUpdate,
    }),
  },
  // Preferences that are not to change are sent with their present values.
  complete(command) {
    if (command.kind !== 'updateNotificationPreferences') return undefined;
    const { request, decode } = preferencesReading;
    return {
      request,
      decode: (wire) => ({ ...command, preferences: { ...decode(wire), ...command.preferences } }),
    };
  },
};
