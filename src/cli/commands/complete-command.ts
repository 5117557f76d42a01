import { Command } from 'commander';
import type { Runtime } from '../../model/runtime.ts';
import { readArguments } from '../arguments/read-arguments.ts';
import type { CommandContext } from '../command-context.ts';
import { readGlobalOptions } from '../flags/global-options.ts';
import { pathOf } from '../help/examples.ts';
import { sourceOfArgument, sourceOfFlag, variableFlag } from '../help/completion-source.ts';

/** `complete`: what the scripts of `completion` call for words that no script can know. */
export function addCompleteCommand(program: Command, { runtime, exit }: CommandContext): void {
  program
    .command('complete', { hidden: true })
    .argument('<words...>')
    .action(async (words: readonly string[]) => {
      const { joined, head } = joinAssignment(words.map(unquote));
      const candidates = await complete(joined, program, runtime);
      runtime.stdout.write(candidates.map((one) => `${one.slice(head.length)}\n`).join(''));
      exit(0);
    });
}

/** A word as the shell would hand it on: bash and zsh complete it as it is typed, with its first quote alone. */
function unquote(word: string): string {
  const quote = /^['"]/.exec(word)?.[0];
  if (quote === undefined) return word.replaceAll(/\\(.)/g, '$1');
  return word.slice(1, word.length > 1 && word.endsWith(quote) ? -1 : undefined);
}

/** Bash takes `--var image=debian-12` for four words, and completes the last of them. `head` is what it completed before. */
function joinAssignment(words: readonly string[]): {
  readonly joined: readonly string[];
  readonly head: string;
} {
  const at = words.lastIndexOf(variableFlag) + 1;
  const [name = '', sign, value = ''] = words.slice(at);
  if (at === 0 || sign !== '=' || words.length - at > 3) return { joined: words, head: '' };
  return { joined: [...words.slice(0, at), `${name}=${value}`], head: `${name}=` };
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
  const flag = [...command.options, ...program.options].find(
    ({ long, required }) => required && long === argv.at(-1),
  );
  const argument =
    command.registeredArguments[operands.length] ??
    command.registeredArguments.findLast(({ variadic }) => variadic);
  const source = flag
    ? sourceOfFlag(command, flag)
    : sourceOfArgument(command, argument?.name() ?? '');
  if (source === undefined) return [];
  const isOfDirectory = command.registeredArguments[0]?.name().startsWith('dir') === true;
  const { listCandidates } = await import('../../commands/completion/list-candidates.ts');
  return listCandidates(
    readGlobalOptions(new Command(), argv.slice(0, flag ? -1 : undefined), runtime).runtime,
    (isOfDirectory ? operands[0] : undefined) ?? '.',
    { source, kind: pathOf(command).split(' ')[0] ?? '', begun: words.at(-1) ?? '' },
  );
}
