import type { Command } from 'commander';
import type { FormattedFiles } from '../../commands/formatting/format-files.ts';
import { createCommandRefusal } from '../../commands/session/refuse.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { escapeUntrustedText } from '../../render/format/escape.ts';
import type { CommandLineContext } from '../command-context.ts';
import { createTextReporter } from '../output/terminal-reporter.ts';
import { chooseTextLayout } from '../output/terminal.ts';

interface FmtFlags {
  readonly check?: boolean;
  readonly diff?: boolean;
  readonly recursive?: boolean;
}

/** `fmt`. */
export function addFmtCommand(program: Command, context: CommandLineContext): void {
  const { runtime, exit } = context;
  program
    .command('fmt')
    .summary('write the files of a configuration in their canonical form')
    .description(
      'Puts keys in the order of the schema, indents with 2 spaces and uses quotes only where they are needed. Comments and names stay where they are. Prints the names of the files that it changes. A file with an error stays as it is.',
    )
    .argument('[paths...]', 'files, directories, or - for standard input', ['.'])
    .option('--check', 'change no file, and exit with 3 when one is not formatted')
    .option('--diff', 'show what changes')
    .option('--recursive', 'format the files of all directories below, too')
    .action(async (paths: readonly string[], { check, diff, recursive }: FmtFlags) => {
      const reporter = createTextReporter(context);
      const isInput = paths.includes('-');
      if (isInput && paths.length > 1) {
        throw createCommandRefusal(
          'invalid-arguments',
          '- means standard input, and must be the only path',
          {
            hint: 'Give - alone, or files and directories.',
          },
        );
      }
      const { formatFiles, formatStandardInput } =
        await import('../../commands/formatting/format-files.ts');
      const options = { paths, isRecursive: recursive === true, writes: check !== true };
      const input = isInput ? await formatStandardInput(runtime) : undefined;
      const formatted = input ?? (await formatFiles(runtime, options));
      if (!input) showNames(context, formatted);
      else if (!check && !diff && !hasErrors(input.diagnostics)) {
        if (runtime.stdout.isTTY) runtime.stdout.write(input.after);
        else context.writeExactly(input.after);
      }
      if (diff) await showDiffs(context, formatted);
      reporter.showDiagnostics(formatted.diagnostics);
      exit(hasErrors(formatted.diagnostics) ? 1 : check && formatted.changed.length > 0 ? 3 : 0);
    });
}

function showNames({ runtime: { stdout } }: CommandLineContext, { changed }: FormattedFiles): void {
  stdout.write(changed.map(({ shown }) => `${escapeUntrustedText(shown)}\n`).join(''));
}

async function showDiffs(
  { runtime: { stdout, env }, globals }: CommandLineContext,
  { changed }: FormattedFiles,
): Promise<void> {
  const { renderFileDiff } = await import('../../render/format/file-diff.ts');
  const { style } = chooseTextLayout(stdout, env, globals.isColorRefused);
  for (const file of changed) stdout.write(renderFileDiff(file, style));
}
