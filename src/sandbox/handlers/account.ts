import type { SandboxHandlers } from './handler.ts';
import { createNotFoundRefusal, createInvalidRequestRefusal } from '../contract/problems.ts';
import {
  representAccount,
  representNotification,
  representNotificationPreferences,
  representUnreadCount,
} from '../representations/representations.ts';
import { representListPage } from './paging.ts';
import type { SandboxAccountRow } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxContext } from '../store/world.ts';

/** Finds the account of the data file, which holds exactly one. */
function findAccount({ store }: SandboxContext): SandboxAccountRow {
  const account = store.select(sandboxTables.accounts, 'LIMIT 1')[0];
  if (!account) throw new Error('The data file holds no account.');
  return account;
}

/** Canonical spelling of a BCP 47 language tag. */
function canonicalLocale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    throw createInvalidRequestRefusal({
      locale: ['It must be a BCP 47 language tag such as en-GB.'],
    });
  }
}

/** Handlers of operations on the account and its notifications. */
export const accountHandlers = {
  getAccount: (call) => representAccount(findAccount(call)),

  updateAccountLocale: (call) => {
    const account = findAccount(call);
    const locale = canonicalLocale(call.body.locale);
    call.store.update(sandboxTables.accounts, { id: account.id }, { locale });
    return representAccount({ ...account, locale });
  },

  listNotifications: (call) =>
    representListPage(
      call,
      call.query,
      call.store.tally('account', 'notifications'),
      (limit, offset) =>
        call.store
          .select(sandboxTables.notifications, 'ORDER BY seq DESC LIMIT ? OFFSET ?', limit, offset)
          .map(representNotification),
    ),

  getUnreadNotificationCount: (call) => representUnreadCount(call.store.tally('account', 'unread')),

  markNotificationRead: (call) => {
    const id = call.params.notificationId;
    const notification = call.store.first(sandboxTables.notifications, { id });
    if (!notification) throw createNotFoundRefusal('notification', id);
    if (notification.readAt === null) {
      call.store.update(sandboxTables.notifications, { id }, { readAt: call.now });
    }
    return undefined;
  },

  markAllNotificationsRead: (call) => {
    call.store.update(sandboxTables.notifications, { readAt: null }, { readAt: call.now });
    return undefined;
  },

  getNotificationPreferences: (call) => representNotificationPreferences(findAccount(call)),

  updateNotificationPreferences: (call) => {
    const account = findAccount(call);
    const preferences = JSON.stringify(call.body);
    call.store.update(sandboxTables.accounts, { id: account.id }, { preferences });
    return representNotificationPreferences({ ...account, preferences });
  },
} satisfies Partial<SandboxHandlers>;
