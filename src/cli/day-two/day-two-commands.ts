import { Option, type Command } from 'commander';
import type { ListOperationsOptions } from '../../commands/account/operations.ts';
import {
  renderOperationsJson,
  renderOperationsText,
} from '../../render/account/operations-text.ts';
import type { CommandLineContext } from '../command-context.ts';
import { jsonOption, limitOption, requireSingleFlagValue } from '../flags/options.ts';
import { collectListFlag } from './day-two-options.ts';
import { addAccountCommands, addSaleCommands } from './day-two-account.ts';
import { addNotificationCommands } from './day-two-notifications.ts';
import { addTokenCommands } from './day-two-tokens.ts';
import { addVmCommands } from './day-two-vm.ts';
import { defineCommand, type CommandLineCall } from '../define-command.ts';

/** `operations`. */
const operations = defineCommand({
  summary: 'list the operations of the service',
  description:
    'Lists the newest operations in the projects of the configuration, with their status and the reason of each failure.',
  options: [
    new Option('--project <address>', 'only this project')
      .argParser(requireSingleFlagValue)
      .conflicts('resource'),
    new Option('--resource <address>', 'only operations on this resource').argParser(
      requireSingleFlagValue,
    ),
    new Option(
      '--status <status>',
      'only these, can be repeated: Queued, Running, InProgress, Succeeded, Failed',
    ).argParser(collectListFlag),
    limitOption(),
    jsonOption(),
  ],
  run: async ({ runtime, flags, reporter }: CommandLineCall<[], ListOperationsOptions>) => {
    const { readOperations } = await import('../../commands/account/operations.ts');
    return readOperations(runtime, flags, reporter);
  },
  text: (read, layout, { runtime }) => renderOperationsText(read, runtime.clock.now(), layout),
  json: renderOperationsJson,
});

/** Adds the commands for daily work on an account, outside of any plan. */
export function addDayTwoCommands(program: Command, context: CommandLineContext): void {
  const table = {
    vm: addVmCommands,
    operations,
    tokens: addTokenCommands,
    notifications: addNotificationCommands,
    account: addAccountCommands,
    sales: addSaleCommands,
  };
  for (const [name, add] of Object.entries(table)) add(program, name, context);
}
