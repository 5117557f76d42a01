import type { Command } from 'commander';
import { createCommandRefusal } from '../../commands/session/refuse.ts';
import { describeOutputs } from '../../render/json/outputs-json.ts';
import { renderOutputs, renderOutputValue } from '../../render/text/outputs-text.ts';
import { sortValueKeys } from '../../render/json/resource-json.ts';
import type { CommandLineContext } from '../command-context.ts';
import { jsonOption } from '../flags/options.ts';
import { printJson } from '../output/print-json.ts';
import { createTextReporter } from '../output/terminal-reporter.ts';

interface OutputFlags {
  readonly json?: boolean;
  readonly raw?: boolean;
}

/** `output [NAME]`. */
export function addOutputCommand(program: Command, context: CommandLineContext): void {
  const { runtime, exit } = context;
  const { stdout } = runtime;
  program
    .command('output')
    .summary('show the outputs of the last apply')
    .description(
      'Shows the outputs as they were after the last apply. A sensitive output is shown only when you give its name: its value is never stored, but evaluated from the configuration and the state.',
    )
    .argument('[name]', 'only this one, its value alone')
    .addOption(jsonOption())
    .option(
      '--raw',
      'print the value of one output as it is, without quotes or a line end, for a script; on a terminal it is escaped',
    )
    .action(async (name: string | undefined, { json, raw }: OutputFlags) => {
      if (json && raw) {
        const hint = 'Give one of them.';
        throw createCommandRefusal('output-format', '--json and --raw exclude each other', {
          hint,
        });
      }
      if (raw && name === undefined) {
        const hint = 'Name the output to print.';
        throw createCommandRefusal('output-format', '--raw needs the name of an output', { hint });
      }
      const reporter = createTextReporter(context);
      const { listStateOutputs, readOutput } = await import('../../commands/lifecycle/output.ts');
      if (name === undefined) {
        const outputs = await listStateOutputs(runtime, '.', reporter);
        if (json) printJson(stdout, describeOutputs(outputs));
        else stdout.write(renderOutputs(outputs));
      } else {
        const { value } = await readOutput(runtime, '.', name, reporter);
        if (json) printJson(stdout, sortValueKeys(value));
        else if (!raw) stdout.write(renderOutputValue(value));
        else if (typeof value === 'object') {
          const hint = 'Print it with --json.';
          const summary = `--raw prints no lists or maps, and "${name}" is one`;
          throw createCommandRefusal('output-format', summary, { hint });
        } else if (stdout.isTTY) stdout.write(String(value));
        else context.writeExactly(String(value));
      }
      exit(0);
    });
}
