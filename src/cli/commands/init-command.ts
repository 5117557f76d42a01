import type { Command } from 'commander';
import { escapeText } from '../../render/format/escape.ts';
import { quoteForShell } from '../../render/format/shell.ts';
import { measureWidth, padRight, wrapText } from '../../render/format/measure.ts';
import type { CommandContext } from '../command-context.ts';
import { layoutFor } from '../output/terminal.ts';

interface InitFlags {
  readonly baseUrl?: string;
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
    .action(async (directory: string, { baseUrl }: InitFlags) => {
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
