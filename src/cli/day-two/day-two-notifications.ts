import { Option } from 'commander';
import {
  renderNotificationsJson,
  renderNotificationsText,
  renderNotificationPreferencesJson,
  renderNotificationPreferencesText,
  renderUnreadNotificationsJson,
  renderUnreadNotificationsText,
} from '../../render/account/notifications-text.ts';
import { jsonOption, limitOption } from '../flags/options.ts';
import { collectSwitchesFlag } from './day-two-options.ts';
import { defineCommand, defineCommandGroup, type CommandLineCall } from '../define-command.ts';

const load = () => import('../../commands/account/notifications.ts');

/** `notifications list|read|preferences`. */
export const addNotificationCommands = defineCommandGroup(
  {
    summary: 'read the notifications of the service',
    description:
      'Reads the notifications of the service: operations that ended, quotas that run low.',
  },
  {
    list: defineCommand({
      summary: 'list the newest notifications',
      description: 'Lists the newest notifications; * marks unread ones. Marks none as read.',
      options: [limitOption(), jsonOption()],
      run: async ({ runtime, reporter, flags }: CommandLineCall<[], { readonly limit: number }>) =>
        (await load()).readNotificationFeed(runtime, flags.limit, reporter),
      text: (feed, layout, { runtime }) =>
        renderNotificationsText(feed.notifications, feed.unread, runtime.clock.now(), layout),
      json: (feed) => renderNotificationsJson(feed.notifications, feed.unread),
    }),
    read: defineCommand({
      summary: 'mark notifications as read',
      description: 'Marks notifications as read: those of the ids, or all of them.',
      operands: [['[ids...]', 'their ids, as "notifications list" shows them']],
      options: [new Option('--all', 'every notification'), jsonOption()],
      check: ([ids], { all = false }) =>
        (ids.length === 0) === all ? undefined : 'give either the ids of notifications or --all',
      run: async ({
        runtime,
        reporter,
        operands: [ids],
        flags,
      }: CommandLineCall<[readonly string[]], { readonly all?: boolean }>) =>
        (await load()).markNotificationsRead(runtime, flags.all ? 'all' : ids, reporter),
      text: renderUnreadNotificationsText,
      json: renderUnreadNotificationsJson,
    }),
    preferences: defineCommand({
      summary: 'show or set which notifications are sent by email',
      description: 'Shows or sets which notifications are also sent by email.',
      options: [
        new Option(
          '--set <name=bool...>',
          'switch one on or off; the others stay as they are',
        ).argParser(collectSwitchesFlag),
        jsonOption(),
      ],
      run: async ({
        runtime,
        reporter,
        flags: { set = {} },
      }: CommandLineCall<[], { readonly set?: Readonly<Record<string, boolean>> }>) =>
        (await load()).setNotificationPreferences(runtime, set, reporter),
      text: renderNotificationPreferencesText,
      json: renderNotificationPreferencesJson,
    }),
  },
);
