import type { Command } from 'commander';
import { renderLimitsJson, renderLimitsText } from '../../render/account/limits-text.ts';
import type { CommandContext } from '../command-context.ts';
import { jsonOption } from '../flags/options.ts';
import { printJson } from '../output/print-json.ts';
import { createTextReporter } from '../output/terminal-reporter.ts';
import { layoutFor } from '../output/terminal.ts';

/** `limits`. */
export function addLimitsCommand(program: Command, context: CommandContext): void {
  const { runtime, globals, exit } = context;
  program
    .command('limits')
    .summary('show the quotas in use and the caps of names')
    .description(
      'Shows the quotas of the account and how much of each is in use, and how long names may be.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .addOption(jsonOption())
    .action(async (directory: string, { json }: { readonly json?: boolean }) => {
      const { limits } = await import('../../commands/account/limits.ts');
      const read = await limits(runtime, directory, createTextReporter(context));
      const { stdout, env } = runtime;
      if (json) printJson(stdout, renderLimitsJson(read.limits, read.nameLengths));
      else {
        const layout = layoutFor(stdout, env, globals.isColorRefused);
        stdout.write(renderLimitsText(read.limits, read.nameLengths, layout));
      }
      exit(0);
    });
}
