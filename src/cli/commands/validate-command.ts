import { Option, type Command } from 'commander';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import type { Runtime } from '../../model/runtime.ts';
import { renderDiagnosticsJson } from '../../render/json/diagnostics-json.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import {
  findingFormats,
  renderFindingsFile,
  type FindingFormat,
} from '../output/finding-formats.ts';
import type { CommandLineContext, GlobalOptions } from '../command-context.ts';
import { printJson } from '../output/print-json.ts';
import { chooseTextLayout } from '../output/terminal.ts';

interface ValidateFlags {
  readonly json?: boolean;
  readonly format: 'text' | 'json' | FindingFormat;
}

/** `validate`. */
export function addValidateCommand(
  program: Command,
  { runtime, globals, exit }: CommandLineContext,
): void {
  program
    .command('validate')
    .summary('check the configuration, offline')
    .description(
      'Checks the configuration offline and reports every error with its location. Variables need no values: those without are unknown. Exits with 1 when there is an error.',
    )
    .argument('[dir]', 'directory of the configuration', '.')
    .addOption(new Option('--json', 'the same as --format json').conflicts('format'))
    .addOption(
      new Option('--format <format>', 'how to show the result')
        .choices(['text', 'json', ...findingFormats])
        .default('text'),
    )
    .action(async (directory: string, { json, format }: ValidateFlags) => {
      const { validate } = await import('../../commands/session/validate.ts');
      const { configuration, diagnostics } = await validate(runtime, directory, {
        areOptional: true,
      });
      const isValid = !hasErrors(diagnostics) && configuration !== undefined;
      const shown = json ? 'json' : format;
      if (shown === 'text') {
        await showText(runtime, globals, diagnostics);
        if (isValid) congratulate(runtime, globals, configuration.graph.resources.length);
      } else if (shown === 'json') {
        printJson(runtime.stdout, renderDiagnosticsJson(diagnostics));
      } else runtime.stdout.write(renderFindingsFile(diagnostics, shown));
      exit(isValid ? 0 : 1);
    });
}

/** Prints diagnostics. Their renderer is loaded only now, since there is nothing to print most of the time. */
async function showText(
  { stderr, env }: Pick<Runtime, 'env' | 'stderr'>,
  { isColorRefused }: GlobalOptions,
  diagnostics: readonly Diagnostic[],
): Promise<void> {
  if (diagnostics.length === 0) return;
  const { renderDiagnosticsText } = await import('../../render/text/diagnostics-text.ts');
  stderr.write(renderDiagnosticsText(diagnostics, chooseTextLayout(stderr, env, isColorRefused)));
}

function congratulate(
  { stdout, env }: Pick<Runtime, 'env' | 'stdout'>,
  { isColorRefused }: GlobalOptions,
  resources: number,
): void {
  const { style } = chooseTextLayout(stdout, env, isColorRefused);
  const count = formatCountWithNoun('resource', resources);
  stdout.write(`${style.green('Success!')} The configuration is valid: ${count}.\n`);
}
