import type { Command } from 'commander';
import { publishedHostwrightVersion } from '../../model/version.ts';
import type { CommandLineContext } from '../command-context.ts';

/** Adds `version`. It loads no more code than it needs, since its duration shows how fast the program starts. */
export function addVersionCommand(program: Command, { runtime, exit }: CommandLineContext): void {
  program
    .command('version')
    .summary('show the version')
    .description('Shows the version of Hostwright, as "hostwright --version" does.')
    .option('--json', 'print the result as JSON')
    .action(({ json }: { readonly json?: boolean }) => {
      const document = JSON.stringify({ hostwright_version: publishedHostwrightVersion }, null, 2);
      runtime.stdout.write(json ? `${document}\n` : `Hostwright v${publishedHostwrightVersion}\n`);
      exit(0);
    });
}
