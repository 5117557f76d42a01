import { Option, type Command } from 'commander';
import {
  renderOperationsJson,
  renderOperationsText,
} from '../../render/account/operations-text.ts';
import type { CommandContext } from '../command-context.ts';
import { addAccountCommands, addSalesCommands } from './day-two-account.ts';
import { addNotificationCommands } from './day-two-notifications.ts';
import { runDayTwo } from './day-two-output.ts';
import { addTokenCommands } from './day-two-tokens.ts';
import { addVmCommands } from './day-two-vm.ts';
import { jsonOption, parseWhole } from '../flags/options.ts';

/** Everything that is done with an account from day to day, outside of any plan. */
export function addDayTwoCommands(program: Command, context: CommandContext): void {
  addVmCommands(program, context);
  addOperationsCommand(program, context);
  addTokenCommands(program, context);
  addNotificationCommands(program, context);
  addAccountCommands(program, context);
  addSalesCommands(program, context);
}

interface OperationsFlags {
  readonly project?: string;
  readonly resource?: string;
  readonly status?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `operations`. */
function addOperationsCommand(program: Command, context: CommandContext): void {
  const { runtime } = context;
  program
    .command('operations')
    .summary('show what the service did and does')
    .description(
      'Shows the newest operations in the projects of the configuration: what the service did, does or will do, and why it failed.',
    )
    .option('--project <address>', 'only this project')
    .option('--resource <address>', 'only what was done to this resource')
    .option('--status <status>', 'only these: Queued, Running, InProgress, Succeeded, Failed')
    .addOption(
      new Option('--limit <n>', 'how many at most').argParser(parseWhole(1, 10_000)).default(20),
    )
    .addOption(jsonOption())
    .action(({ project, resource, status, limit, json }: OperationsFlags) =>
      runDayTwo(context, json, async (reporter) => {
        const { readOperations } = await import('../../commands/account/operations.ts');
        const options = { project, resource, status, limit };
        const operations = await readOperations(runtime, options, reporter);
        return {
          text: (layout) => renderOperationsText(operations, runtime.clock.now(), layout),
          json: () => renderOperationsJson(operations),
        };
      }),
    );
}
