import type { Notification, NotificationPreferences } from '../model/account/account.ts';
import { accountId } from '../model/account/live.ts';
import type { WireNotification, WireRequest, WireUnreadCount } from './contract/types.ts';
import {
  readId,
  readNumber,
  readRecord,
  readReference,
  readText,
  readTime,
  UnreadableAnswer,
} from '../model/wire/decode-fields.ts';
import { encodeCommand } from './wire/encode.ts';
import { type Caller, changeOne, readAll, readOne } from './wire/reading.ts';

/** The newest notifications, in the service's own order. @throws ApiError */
export async function listNotifications(client: Caller, atMost: number): Promise<Notification[]> {
  const request: WireRequest = { operation: 'listNotifications', params: {} };
  const read = await readAll(client, request, decodeNotification, atMost);
  return read.slice(0, atMost);
}

/** How many were not read; null when the service does not say. @throws ApiError */
export function countUnread(client: Caller): Promise<number | null> {
  return readOne(client, { operation: 'getUnreadNotificationCount', params: {} }, (wire) =>
    readNumber(readRecord<WireUnreadCount>(wire, 'the count of unread notifications').count),
  );
}

/** Marks one as read. @throws ApiError */
export async function markRead(client: Caller, notificationId: string): Promise<void> {
  await client.call({ operation: 'markNotificationRead', params: { notificationId } });
}

/** Marks every one as read. @throws ApiError */
export async function markAllRead(client: Caller): Promise<void> {
  await client.call({ operation: 'markAllNotificationsRead', params: {} });
}

/** Which notifications are delivered. @throws ApiError */
export function readPreferences(client: Caller): Promise<NotificationPreferences> {
  const request: WireRequest = { operation: 'getNotificationPreferences', params: {} };
  return readOne(client, request, decodePreferences);
}

/** Replaces the preferences as a whole: give every one of them. @throws ApiError */
export function replacePreferences(
  client: Caller,
  preferences: NotificationPreferences,
): Promise<NotificationPreferences> {
  return changeOne(
    client,
    encodeCommand({ kind: 'updateNotificationPreferences', account: accountId, preferences }),
    { operation: 'getNotificationPreferences', params: {} },
    decodePreferences,
  );
}

function decodeNotification(wire: unknown): Notification {
  const record = readRecord<WireNotification>(wire, 'a notification');
  return {
    id: readId(record.id, 'a notification'),
    type: readText(record.type) ?? '',
    title: readText(record.title) ?? '',
    message: readText(record.message) ?? '',
    resourceId: readReference(record.resourceId),
    isRead: record.read === true,
    createdAt: readTime(record.createdAt),
  };
}

/** Whatever is true or false in it. */
function decodePreferences(wire: unknown): NotificationPreferences {
  const record = readRecord<Record<string, unknown>>(wire, 'the notification preferences');
  const entries = Object.entries(record).filter(
    (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
  );
  if (entries.length === 0) throw new UnreadableAnswer('preferences without any');
  return Object.fromEntries(entries);
}
