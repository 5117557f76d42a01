// Commands about the account outside of any plan.
import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { NotificationPreferences } from '../../model/account/account.ts';
import { accountId } from '../../model/account/live.ts';

export function writeLocale(locale: string): ResolvedCommandOf<'updateAccountLocale'> {
  return { kind: 'updateAccountLocale', account: accountId, locale };
}

export function writePreferences(
  preferences: NotificationPreferences,
): ResolvedCommandOf<'updateNotificationPreferences'> {
  return { kind: 'updateNotificationPreferences', account: accountId, preferences };
}
