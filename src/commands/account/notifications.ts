import { classifyRefusal } from '../../api/errors/classify-error.ts';
import { ServiceError } from '../../api/errors/errors.ts';
import {
  countUnreadNotifications,
  listNotifications,
  markNotificationsAsRead,
  markNotificationAsRead,
} from '../../api/notifications.ts';
import { encodeCommand } from '../../api/wire/encode.ts';
import type { ServiceCaller } from '../../api/wire/caller.ts';
import { changeServiceRecord, readServiceRecord } from '../../api/wire/reading.ts';
import { makeUpdatePreferencesCommand } from '../../kinds/account/requests.ts';
import { preferencesReadRequest } from '../../kinds/account/wire.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import type { Notification, NotificationPreferences } from '../../model/account/account.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { withOptionallyConfiguredAccount } from '../session/account-session.ts';
import type { Reporter } from '../session/reporter.ts';

type Notices = Pick<Reporter, 'showDiagnostics'>;

/** The newest notifications, with the number of unread ones. */
export interface NotificationFeed {
  readonly notifications: readonly Notification[];
  /** Number of unread notifications; null when the service does not say. */
  readonly unread: number | null;
}

/** Reads the newest notifications. */
export function readNotificationFeed(
  runtime: SessionRuntime,
  limit: number,
  reporter: Notices,
): Promise<NotificationFeed> {
  return withOptionallyConfiguredAccount(runtime, reporter, async ({ connection: { client } }) => {
    const [notifications, unread] = await Promise.all([
      listNotifications(client, limit),
      countUnreadNotifications(client),
    ]);
    return { notifications, unread };
  });
}

/** Marks notifications as read: those with the given ids, or `all`. @returns the number of unread ones after that */
export function markNotificationsRead(
  runtime: SessionRuntime,
  which: 'all' | readonly string[],
  reporter: Notices,
): Promise<number | null> {
  return withOptionallyConfiguredAccount(runtime, reporter, async ({ connection: { client } }) => {
    if (which === 'all') await markNotificationsAsRead(client);
    else await markEach(client, which);
    return countUnreadNotifications(client);
  });
}

/** Sets the preferences in `changes`, and returns all preferences; without changes, only reads them. */
export function setNotificationPreferences(
  runtime: SessionRuntime,
  changes: NotificationPreferences,
  reporter: Notices,
): Promise<NotificationPreferences> {
  return withOptionallyConfiguredAccount(runtime, reporter, async ({ connection: { client } }) => {
    const current = await readServiceRecord(client, preferencesReadRequest);
    const unknown = Object.keys(changes).filter((name) => !Object.hasOwn(current, name));
    if (unknown.length > 0) throw createUnknownError(unknown, Object.keys(current));
    if (Object.keys(changes).length === 0) return current;
    // The service takes only the whole set of preferences, not single ones.
    const change = encodeCommand(
      kindRegistry,
      makeUpdatePreferencesCommand({ ...current, ...changes }),
    );
    return changeServiceRecord(client, change, preferencesReadRequest);
  });
}

/** Marks each notification, and then reports the ids that do not exist. */
async function markEach(client: ServiceCaller, ids: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const id of ids) {
    try {
      await markNotificationAsRead(client, id);
    } catch (error) {
      if (!(error instanceof ServiceError && classifyRefusal(error) === 'notFound')) throw error;
      missing.push(id);
    }
  }
  if (missing.length === 0) return;
  const others = ids.length - missing.length;
  throw createCommandRefusal('not-found', `There is no notification ${missing.join(', ')}`, {
    ...(others > 0 && {
      detail: `The other ${others} of the ${ids.length} were marked as read.`,
    }),
    hint: 'List them: hostwright notifications list',
  });
}

function createUnknownError(unknown: readonly string[], names: readonly string[]): DiagnosticError {
  const near = unknown
    .map((name) => suggestNearestName(name, names))
    .filter((one) => one !== undefined);
  return createCommandRefusal(
    'unknown-preference',
    `There is no preference ${unknown.join(', ')}`,
    {
      detail: `The service has ${formatNameList(names)}. Nothing was changed.`,
      ...(near.length > 0 && { hint: `Did you mean ${near.join(', ')}?` }),
    },
  );
}
