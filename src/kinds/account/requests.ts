// Commands about the account outside of any plan.
import type { ResolvedCommandOf } from '../../api/contract/codec.ts';
import type { NotificationPreferences } from '../../model/account/account.ts';
import { accountPlaceholderId } from '../../model/account/live.ts';

export function makeUpdateLocaleCommand(locale: string): ResolvedCommandOf<'updateAccountLocale'> {
  return { kind: 'updateAccountLocale', account: accountPlaceholderId, locale };
}

export function makeUpdatePreferencesCommand(
  preferences: NotificationPreferences,
): ResolvedCommandOf<'updateNotificationPreferences'> {
  return { kind: 'updateNotificationPreferences', account: accountPlaceholderId, preferences };
}
