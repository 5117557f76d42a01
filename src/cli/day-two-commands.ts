import { Option, type Command } from 'commander';
import type { Runtime } from '../model/runtime.ts';
import { renderOperationsJson, renderOperationsText } from '../render/operations-text.ts';
import { addAccountCommands, addSalesCommands } from './day-two-account.ts';
import { addNotificationCommands } from './day-two-notifications.ts';
import { jsonOption, runDayTwo, type DayTwo } from './day-two-output.ts';
import { addTokenCommands } from './day-two-tokens.ts';
import { addVmCommands } from './day-two-vm.ts';
import { parseWhole } from './options.ts';
import type { Exit, GlobalOptions } from './program.ts';

/** Everything that is done with an account from day to day, outside of any plan. */
export function addDayTwoCommands(
  program: Command,
  runtime: Runtime,
  exit: Exit,
  globals: () => GlobalOptions,
): void {
  const dayTwo: DayTwo = { runtime, exit, globals };
  addVmCommands(program, dayTwo);
  addOperationsCommand(program, dayTwo);
  addTokenCommands(program, dayTwo);
  addNotificationCommands(program, dayTwo);
  addAccountCommands(program, dayTwo);
  addSalesCommands(program, dayTwo);
}

interface OperationsFlags {
  readonly project?: string;
  readonly resource?: string;
  readonly status?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `operations`. */
function addOperationsCommand(program: Command, dayTwo: DayTwo): void {
  const { runtime } = dayTwo;
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
      runDayTwo(dayTwo, json, async (reporter) => {
        const { readOperations } = await import('../commands/operations.ts');
        const options = { project, resource, status, limit };
        const operations = await readOperations(runtime, options, reporter);
        return {
          text: (layout) => renderOperationsText(operations, runtime.clock.now(), layout),
          json: () => renderOperationsJson(operations),
        };
      }),
    );
}
