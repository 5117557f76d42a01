import type { Command } from 'commander';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime } from '../model/runtime.ts';
import { describeOutputs } from '../render/outputs-json.ts';
import { renderOutputs, renderOutputValue } from '../render/outputs-text.ts';
import { sortValue } from '../render/resource-json.ts';
import type { Exit, GlobalOptions } from './program.ts';
import { TerminalReporter } from './terminal-reporter.ts';

interface OutputFlags {
  readonly json?: boolean;
  readonly raw?: boolean;
}

function refuse(code: string, summary: string, hint: string): never {
  throw new DiagnosticError([{ severity: 'error', code, summary, hint }]);
}

/** `output [NAME]`. */
export function addOutputCommand(
  program: Command,
  runtime: Runtime,
  exit: Exit,
  globals: () => GlobalOptions,
): void {
  const { stdout } = runtime;
  program
    .command('output')
    .summary('show the outputs of the last apply')
    .description(
      'Shows the outputs as they were after the last apply. A sensitive one is shown only when it is asked for by name: its value is kept nowhere, and worked out from the configuration and the state.',
    )
    .argument('[name]', 'only this one, its value alone')
    .option('--json', 'print JSON')
    .option('--raw', 'print the value of one output without quotes or a line end, for a script')
    .action(async (name: string | undefined, { json, raw }: OutputFlags) => {
      if (json && raw) {
        refuse('output-format', '--json and --raw exclude each other', 'Give one of them.');
      }
      if (raw && name === undefined) {
        refuse('output-format', '--raw needs the name of an output', 'Name the output to print.');
      }
      const reporter = new TerminalReporter(runtime, { ...globals(), format: 'text' });
      const { listOutputs, readOutput } = await import('../commands/output.ts');
      const print = (value: object | string | number | boolean | null) =>
        stdout.write(`${JSON.stringify(value, null, 2)}\n`);
      if (name === undefined) {
        const outputs = await listOutputs(runtime, '.', reporter);
        if (json) print(describeOutputs(outputs));
        else stdout.write(renderOutputs(outputs));
      } else {
        const { value } = await readOutput(runtime, '.', name, reporter);
        if (json) print(sortValue(value));
        else if (!raw) stdout.write(renderOutputValue(value));
        else if (typeof value === 'object') {
          const hint = 'Print it with --json.';
          refuse('output-format', `--raw prints no lists or maps, and "${name}" is one`, hint);
        } else stdout.write(String(value));
      }
      exit(0);
    });
}
