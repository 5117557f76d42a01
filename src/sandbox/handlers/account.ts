import type { Handlers } from './handler.ts';
import { notFound, invalidRequest } from '../contract/problems.ts';
import {
  showAccount,
  showNotification,
  showPreferences,
  showUnreadCount,
} from '../representations/representations.ts';
import { showPage } from './paging.ts';
import type { AccountRow } from '../store/rows.ts';
import { tables } from '../store/rows.ts';
import type { SandboxWorld } from '../store/world.ts';

/** Finds the account of the data file, which holds exactly one. */
function findAccount({ store }: SandboxWorld): AccountRow {
  const account = store.select(tables.accounts, 'LIMIT 1')[0];
  if (!account) throw new Error('The data file holds no account.');
  return account;
}

/** Canonical spelling of a BCP 47 language tag. */
function canonicalLocale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    throw invalidRequest({ locale: ['It must be a BCP 47 language tag such as en-GB.'] });
  }
}

/** Handlers of operations on the account and its notifications. */
export const accountHandlers = {
  getAccount: (call) => showAccount(findAccount(call)),

  updateAccountLocale: (call) => {
    const account = findAccount(call);
    const locale = canonicalLocale(call.body.locale);
    call.store.update(tables.accounts, { id: account.id }, { locale });
    return showAccount({ ...account, locale });
  },

  listNotifications: (call) =>
    showPage(call, call.query, call.store.tally('account', 'notifications'), (limit, offset) =>
      call.store
        .select(tables.notifications, 'ORDER BY seq DESC LIMIT ? OFFSET ?', limit, offset)
        .map(showNotification),
    ),

  getUnreadNotificationCount: (call) => showUnreadCount(call.store.tally('account', 'unread')),

  markNotificationRead: (call) => {
    const id = call.params.notificationId;
    const notification = call.store.first(tables.notifications, { id });
    if (!notification) throw notFound('notification', id);
    if (notification.readAt === null) {
      call.store.update(tables.notifications, { id }, { readAt: call.now });
    }
    return undefined;
  },

  markAllNotificationsRead: (call) => {
    call.store.update(tables.notifications, { readAt: null }, { readAt: call.now });
    return undefined;
  },

  getNotificationPreferences: (call) => showPreferences(findAccount(call)),

  updateNotificationPreferences: (call) => {
    const account = findAccount(call);
    const preferences = JSON.stringify(call.body);
    call.store.update(tables.accounts, { id: account.id }, { preferences });
    return showPreferences({ ...account, preferences });
  },
} satisfies Partial<Handlers>;
