import { Argument, type Command } from 'commander';
import type { Runtime } from '../model/runtime.ts';
import { renderCompletion, shells, type Shell } from './completion.ts';
import type { Exit } from './program.ts';

/** `completion`. */
export function addCompletionCommand(program: Command, { stdout }: Runtime, exit: Exit): void {
  program
    .command('completion')
    .summary('print a script that completes commands and flags in a shell')
    .description(
      'Prints a script that completes commands and flags. To try it in bash: source <(hostwright completion bash).',
    )
    .addArgument(new Argument('<shell>', 'the shell that is to read it').choices(shells))
    .action((shell: Shell) => {
      stdout.write(renderCompletion(program, shell));
      exit(0);
    });
}
