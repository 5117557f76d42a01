import { Command } from 'commander';
import type { Runtime } from '../../model/runtime.ts';
import { readArguments } from '../arguments/read-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { readGlobalOptions } from '../flags/global-options.ts';
import { pathOf } from '../help/examples.ts';
import { sourceOf, valueNameOf } from '../help/completion-source.ts';

/** `complete`: what the scripts of `completion` call for words that no script can know. */
export function addCompleteCommand(program: Command, { runtime, exit }: CommandContext): void {
  program
    .command('complete', { hidden: true })
    .argument('<words...>')
    .action(async (words: readonly string[]) => {
      const candidates = await complete(words.map(unquote), program, runtime);
      runtime.stdout.write(candidates.map((one) => `${one}\n`).join(''));
      exit(0);
    });
}

/** A word as the shell would hand it on: bash and zsh complete it as it is typed, with its first quote alone. */
function unquote(word: string): string {
  const quote = /^['"]/.exec(word)?.[0];
  if (quote === undefined) return word.replaceAll(/\\(.)/g, '$1');
  return word.slice(1, word.length > 1 && word.endsWith(quote) ? -1 : undefined);
}

/** @param words what is typed behind `hostwright`, with the word that is to be completed as the last one */
async function complete(
  words: readonly string[],
  program: Command,
  runtime: Runtime,
): Promise<readonly string[]> {
  // Bash takes `--target=a` for three words.
  const before = words.slice(0, -1).filter((word) => word !== '=');
  const { argv, command, operands } = readArguments(before, program, []);
  const flag = command.options.find(({ long, required }) => required && long === argv.at(-1));
  const argument =
    command.registeredArguments[operands.length] ??
    command.registeredArguments.findLast(({ variadic }) => variadic);
  const valueName = flag ? valueNameOf(flag.flags) : (argument?.name() ?? '');
  const source = sourceOf(command, valueName);
  if (source === undefined) return [];
  const isOfDirectory = command.registeredArguments[0]?.name().startsWith('dir') === true;
  const { listCandidates } = await import('../../commands/completion/list-candidates.ts');
  return listCandidates(
    readGlobalOptions(new Command(), argv.slice(0, flag ? -1 : undefined), runtime).runtime,
    (isOfDirectory ? operands[0] : undefined) ?? '.',
    { source, kind: pathOf(command).split(' ')[0] ?? '', begun: words.at(-1) ?? '' },
  );
}
