import type { Notification } from '../model/account/account.ts';
import type { WireNotification, WireRequest, WireUnreadCount } from './contract/types.ts';
import {
  readWireId,
  readWireNumber,
  readWireRecord,
  readWireReference,
  readWireText,
  readWireTime,
} from '../model/wire/decode-fields.ts';
import type { ServiceCaller } from './wire/caller.ts';
import { readServiceList, readServiceRecord } from './wire/reading.ts';

/** The newest notifications, in the service's own order. @throws ApiError */
export async function listNotifications(
  client: ServiceCaller,
  atMost: number,
): Promise<Notification[]> {
  const request: WireRequest = { operation: 'listNotifications', params: {} };
  const read = await readServiceList(client, { request, decode: decodeNotification }, { atMost });
  return read.slice(0, atMost);
}

/** Number of unread notifications; null when the service does not say. @throws ApiError */
export function countUnreadNotifications(client: ServiceCaller): Promise<number | null> {
  return readServiceRecord(client, {
    request: { operation: 'getUnreadNotificationCount', params: {} },
    decode: (wire) =>
      readWireNumber(
        readWireRecord<WireUnreadCount>(wire, 'the count of unread notifications').count,
      ),
  });
}

/** Marks one notification as read. @throws ApiError. */
export async function markNotificationAsRead(
  client: ServiceCaller,
  notificationId: string,
): Promise<void> {
  await client.call({ operation: 'markNotificationRead', params: { notificationId } });
}

/** Marks every notification as read. @throws ApiError. */
export async function markNotificationsAsRead(client: ServiceCaller): Promise<void> {
  await client.call({ operation: 'markAllNotificationsRead', params: {} });
}

function decodeNotification(wire: unknown): Notification {
  const record = readWireRecord<WireNotification>(wire, 'a notification');
  return {
    id: readWireId(record.id, 'a notification'),
    type: readWireText(record.type) ?? '',
    title: readWireText(record.title) ?? '',
    message: readWireText(record.message) ?? '',
    resourceId: readWireReference(record.resourceId),
    isRead: record.read === true,
    createdAt: readWireTime(record.createdAt),
  };
}
