import { Option, type Command } from 'commander';
import { escapeText } from '../../render/format/escape.ts';
import { quoteForShell } from '../../render/format/shell.ts';
import { measureWidth, padRight, wrapText } from '../../render/format/measure.ts';
import { renderMigration } from '../../render/text/history-text.ts';
import type { CommandContext } from '../command-context.ts';
import { DayTwoTerminal } from '../day-two/day-two-reporter.ts';
import { layoutFor } from '../output/terminal.ts';

interface InitFlags {
  readonly baseUrl?: string;
  readonly migrateState?: boolean;
}

/** `init`. */
export function addInitCommand(program: Command, { runtime, globals, exit }: CommandContext): void {
  program
    .command('init')
    .summary('write a first configuration')
    .description(
      'Writes a first configuration with comments, its schema for editors, and a .gitignore into a directory, which is made where there is none. It runs on the embedded sandbox until it is given the address of an account. Nothing is overwritten.',
    )
    .argument('[dir]', 'the directory', '.')
    .option('--base-url <url>', 'the address of an account, in place of the embedded sandbox')
    .addOption(
      new Option(
        '--migrate-state',
        'write nothing new, and move the state in .hostwright to the place that `state` names',
      ).conflicts('baseUrl'),
    )
    .action(async (directory: string, { baseUrl, migrateState }: InitFlags) => {
      if (migrateState) return migrateHere(directory, { runtime, globals, exit });
      const { initDirectory } = await import('../../commands/lifecycle/init.ts');
      const files = await initDirectory(runtime, { directory, baseUrl });
      const { stdout, env } = runtime;
      const { style, columns } = layoutFor(stdout, env, globals.isColorRefused);
      const width = Math.max(...files.map(({ path }) => measureWidth(escapeText(path))));
      const list = files.map(
        ({ path, purpose }) => `  ${padRight(escapeText(path), width)}  ${purpose}`,
      );
      const operand = directory.startsWith('-') ? `./${directory}` : directory;
      const place = directory === '.' ? '' : ` ${quoteForShell(operand)}`;
      const next =
        baseUrl === undefined
          ? 'It runs on the embedded sandbox, so nothing costs anything. Next:'
          : 'Give the access token as HOSTWRIGHT_TOKEN or HOSTWRIGHT_TOKEN_FILE. Next:';
      stdout.write(
        [
          style.green('A first configuration is written:'),
          '',
          ...list,
          '',
          ...wrapText(next, columns),
          '',
          `  hostwright plan${place}    # shows what would be created, and changes nothing`,
          `  hostwright apply${place}   # asks, and creates it`,
          '',
        ].join('\n'),
      );
      exit(0);
    });
}

async function migrateHere(
  directory: string,
  { runtime, globals, exit }: Pick<CommandContext, 'runtime' | 'globals' | 'exit'>,
): Promise<void> {
  const { isColorRefused } = globals;
  const { stdout, env } = runtime;
  const reporter = new DayTwoTerminal(runtime, isColorRefused);
  const { migrateHere: migrate } = await import('../../commands/state/migrate-state.ts');
  const moved = await migrate(runtime, directory, reporter);
  stdout.write(renderMigration(moved, layoutFor(stdout, env, isColorRefused)));
  exit(0);
}
