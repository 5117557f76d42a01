import { Argument, type Command } from 'commander';
import type { CommandLineContext } from '../command-context.ts';
import { completionScripts, shells, type Shell } from '../help/completion.ts';

/** `completion`. */
export function addCompletionCommand(
  program: Command,
  { runtime, exit }: CommandLineContext,
): void {
  program
    .command('completion')
    .summary('print a script that completes commands and flags in a shell')
    .description(
      'Prints a script that completes commands and flags. To try it in bash: source <(hostwright completion bash).',
    )
    .addArgument(new Argument('<shell>', 'the shell to complete in').choices(shells))
    .action((shell: Shell) => {
      runtime.stdout.write(completionScripts[shell]);
      exit(0);
    });
}
