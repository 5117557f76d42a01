import type { PartialAnswersCodec, RequestWithDecoder } from '../../api/contract/codec.ts';
import type { WireAccount, WireNotificationPreferencesUpdate } from '../../api/contract/types.ts';
import type { Account, NotificationPreferences } from '../../model/account/account.ts';
import { accountPlaceholderId } from '../../model/account/live.ts';
import {
  readWireRecord,
  readWireText,
  readWireTime,
  readLiveText,
  UnreadableAnswerError,
} from '../../model/wire/decode-fields.ts';

/** Reads the account that the access token belongs to. */
export const accountReadRequest: RequestWithDecoder<Account> = {
  request: { operation: 'getAccount', params: {} },
  decode(wire) {
    const record = readWireRecord<WireAccount>(wire, 'the account');
    const locale = readWireText(record.locale);
    if (locale === null) throw new UnreadableAnswerError('an account without a locale');
    return {
      email: readWireText(record.email) ?? '',
      locale,
      createdAt: readWireTime(record.createdAt),
    };
  },
};

/** Delivery of notifications: every member of the answer that is true or false. */
export const preferencesReadRequest: RequestWithDecoder<NotificationPreferences> = {
  request: { operation: 'getNotificationPreferences', params: {} },
  decode(wire) {
    const record = readWireRecord<Record<string, unknown>>(wire, 'the notification preferences');
    const entries = Object.entries(record).filter(
      (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
    );
    if (entries.length === 0) throw new UnreadableAnswerError('preferences without any');
    return Object.fromEntries(entries);
  },
};

/** The settings of the account on the wire: two answers have a part of them each. */
export const accountWireFormat: PartialAnswersCodec<'account'> = {
  parts: [
    {
      request: accountReadRequest.request,
      decode: (wire) => ({
        kind: 'account',
        id: accountPlaceholderId,
        projectId: accountPlaceholderId,
        locale: readLiveText(readWireRecord<WireAccount>(wire, 'the account').locale),
      }),
    },
    {
      request: preferencesReadRequest.request,
      decode: (wire) => ({ notifications: preferencesReadRequest.decode(wire) }),
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
    const { request, decode } = preferencesReadRequest;
    return {
      request,
      decode: (wire) => ({ ...command, preferences: { ...decode(wire), ...command.preferences } }),
    };
  },
};
