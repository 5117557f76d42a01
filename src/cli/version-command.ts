import type { Command } from 'commander';
import type { Runtime } from '../model/runtime.ts';
import type { Exit } from './program.ts';

/** `version`. */
export function addVersionCommand(program: Command, { stdout }: Runtime, exit: Exit): void {
  program
    .command('version')
    .summary('show the version')
    .description('Shows the version of Hostwright.')
    .option('--json', 'print it as JSON')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { version } = await import('../commands/version.ts');
      if (json) stdout.write(`${JSON.stringify({ hostwright_version: version }, null, 2)}\n`);
      else stdout.write(`Hostwright v${version}\n`);
      exit(0);
    });
}
