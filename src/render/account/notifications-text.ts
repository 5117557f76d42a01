import type { Notification, NotificationPreferences } from '../../model/account/account.ts';
import { escapeUntrustedText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import { formatAge, formatIsoTime } from '../format/moment.ts';
import type { TextLayout } from '../format/style.ts';
import { drawColumnList, type ListColumn } from '../format/table.ts';

/**
 * Renders notifications as a table in the given order, with their age at `now`, a mark on unread ones, and the message
 * below each.
 */
export function renderNotificationsText(
  notifications: readonly Notification[],
  unread: number | null,
  now: number,
  { columns, style }: TextLayout,
): string {
  const count = unread === null ? '' : `${unread} unread.`;
  if (notifications.length === 0) return `There are no notifications. ${count}`.trimEnd() + '\n';
  const all: readonly ListColumn<Notification>[] = [
    ['age', ({ createdAt }) => formatAge(createdAt, now), 'right'],
    [
      '  title',
      ({ title, isRead }) => {
        const text = escapeUntrustedText(title);
        return isRead ? `  ${text}` : `${style.yellow('*')} ${style.bold(text)}`;
      },
    ],
    ['id', ({ id }) => style.dim(escapeUntrustedText(id))],
  ];
  const [head = '', ...lines] = drawColumnList(notifications, all, { columns }, style.dim);
  const out = [head];
  notifications.forEach(({ message }, index) => {
    out.push(lines[index] ?? '');
    if (message !== '') out.push(...wrapText(`          ${escapeUntrustedText(message)}`, columns));
  });
  const hint =
    unread === 0 || unread === null ? '' : ' Mark all as read: hostwright notifications read --all';
  return `${[...out, '', `${count}${hint}`].join('\n').trimEnd()}\n`;
}

/**
 * The answer of `notifications list --json`: `unread` (a number, or null) and `notifications`, each with `id`, `type`,
 * `title`, `message`, `resourceId`, `isRead`, `createdAt`.
 */
export function renderNotificationsJson(
  notifications: readonly Notification[],
  unread: number | null,
): object {
  return {
    format_version: '1.0',
    unread,
    notifications: notifications.map((notification) => ({
      id: notification.id,
      type: notification.type,
      title: notification.title,
      message: notification.message,
      resourceId: notification.resourceId,
      isRead: notification.isRead,
      createdAt: formatIsoTime(notification.createdAt),
    })),
  };
}

/** Renders a table that shows for each sort of notification whether it is delivered by email. */
export function renderNotificationPreferencesText(
  preferences: NotificationPreferences,
  { columns, style }: TextLayout,
): string {
  const all: readonly ListColumn<readonly [string, boolean]>[] = [
    ['notification', ([name]) => escapeUntrustedText(name)],
    ['by email', ([, isOn]) => (isOn ? style.green('true') : 'false')],
  ];
  return `${drawColumnList(Object.entries(preferences), all, { columns }, style.dim).join('\n')}\n`;
}

/** The answer of `notifications preferences --json`: `preferences`, true or false by name. */
export function renderNotificationPreferencesJson(preferences: NotificationPreferences): object {
  return { format_version: '1.0', preferences };
}

/**
 * Renders the output of `notifications read`: the number of notifications that are still unread, which is null where
 * the service does not report it.
 */
export function renderUnreadNotificationsText(unread: number | null): string {
  return `Marked as read.${unread === null ? '' : ` ${unread} unread.`}\n`;
}

/** The answer of `notifications read --json`: `unread`, how many are left (a number, or null). */
export function renderUnreadNotificationsJson(unread: number | null): object {
  return { format_version: '1.0', unread };
}
