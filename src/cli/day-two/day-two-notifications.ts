import { Option, type Command } from 'commander';
import {
  renderFeedJson,
  renderFeedText,
  renderPreferencesJson,
  renderPreferencesText,
  renderReadJson,
  renderReadText,
} from '../../render/account/notifications-text.ts';
import type { CommandContext } from '../command-context.ts';
import { collectSwitches } from './day-two-options.ts';
import { runDayTwo } from './day-two-output.ts';
import { jsonOption, parseWhole } from '../flags/options.ts';

interface Flags {
  readonly json?: boolean;
}

/** `notifications list|read|preferences`. */
export function addNotificationCommands(program: Command, context: CommandContext): void {
  const notifications = program
    .command('notifications')
    .summary('read what the service has to tell')
    .description('What the service has to tell: operations that ended, quotas that run short.');

  addList(notifications, context);
  addRead(notifications, context);
  addPreferences(notifications, context);
}

function addList(notifications: Command, context: CommandContext): void {
  const { runtime } = context;
  notifications
    .command('list')
    .summary('list the newest notifications')
    .description('Lists the newest notifications; unread ones carry a *. Marks none as read.')
    .addOption(
      new Option('--limit <n>', 'how many at most').argParser(parseWhole(1, 10_000)).default(20),
    )
    .addOption(jsonOption())
    .action(({ limit, json }: Flags & { limit: number }) =>
      runDayTwo(context, json, async (reporter) => {
        const { readFeed } = await import('../../commands/account/notifications.ts');
        const feed = await readFeed(runtime, limit, reporter);
        const now = runtime.clock.now();
        return {
          text: (layout) => renderFeedText(feed.notifications, feed.unread, now, layout),
          json: () => renderFeedJson(feed.notifications, feed.unread),
        };
      }),
    );
}

function addRead(notifications: Command, context: CommandContext): void {
  const { runtime } = context;
  notifications
    .command('read')
    .summary('mark notifications as read')
    .description('Marks notifications as read: those of the ids, or all of them.')
    .argument('[ids...]', 'their ids, as "notifications list" shows them')
    .option('--all', 'every notification')
    .addOption(jsonOption())
    .action((ids: string[], { all, json }: Flags & { all?: boolean }, self: Command) => {
      if ((ids.length === 0) === (all !== true)) {
        self.error('error: give either the ids of notifications or --all');
      }
      return runDayTwo(context, json, async (reporter) => {
        const { markNotifications } = await import('../../commands/account/notifications.ts');
        const unread = await markNotifications(runtime, all === true ? 'all' : ids, reporter);
        return { text: () => renderReadText(unread), json: () => renderReadJson(unread) };
      });
    });
}

function addPreferences(notifications: Command, context: CommandContext): void {
  const { runtime } = context;
  notifications
    .command('preferences')
    .summary('show or set which notifications are sent by email')
    .description(
      'Shows which notifications are sent by email besides standing in the feed, or sets it.',
    )
    .addOption(
      new Option(
        '--set <name=bool...>',
        'switch one on or off; the others stay as they are',
      ).argParser(collectSwitches),
    )
    .addOption(jsonOption())
    .action(({ set = {}, json }: Flags & { set?: Record<string, boolean> }) =>
      runDayTwo(context, json, async (reporter) => {
        const { setPreferences } = await import('../../commands/account/notifications.ts');
        const preferences = await setPreferences(runtime, set, reporter);
        return {
          text: (layout) => renderPreferencesText(preferences, layout),
          json: () => renderPreferencesJson(preferences),
        };
      }),
    );
}
