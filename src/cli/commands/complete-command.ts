import { Command, type Option } from 'commander';
import type { CompletionSource } from '../../commands/completion/list-candidates.ts';
import type { Runtime } from '../../model/runtime.ts';
import { parseCommandLine } from '../arguments/read-arguments.ts';
import type { CommandLineContext } from '../command-context.ts';
import { readGlobalOptions } from '../flags/global-options.ts';
import { formatCommandPath } from '../help/examples.ts';
import { environmentTopicName } from './environment-topic.ts';

/** A completion that the shell offers, with its meaning. */
interface Candidate {
  readonly word: string;
  readonly meaning?: string;
}

/**
 * Adds the hidden command `complete`, which the shell scripts of `completion` call. It prints one completion a line, with its
 * meaning behind a tab.
 */
export function addCompleteCommand(program: Command, { runtime, exit }: CommandLineContext): void {
  program
    .command('complete', { hidden: true })
    .argument('<words...>')
    .action(async (words: readonly string[]) => {
      const { before, begun, given, omitted } = readWords(words.map(unquote));
      const candidates = await listCandidatesFor(before, begun, program, runtime);
      for (const { word, meaning } of candidates) {
        if (!word.startsWith(begun)) continue;
        const text = given + word.slice(omitted.length);
        runtime.stdout.write(meaning === undefined ? `${text}\n` : `${text}\t${meaning}\n`);
      }
      exit(0);
    });
}

/** A word as the shell would hand it on: bash and zsh complete it as it is typed, with its first quote alone. */
function unquote(word: string): string {
  const quote = /^['"]/.exec(word)?.[0];
  if (quote === undefined) return word.replaceAll(/\\(.)/g, '$1');
  return word.slice(1, word.length > 1 && word.endsWith(quote) ? -1 : undefined);
}

/** A command line that the shell wants completed, up to the cursor's word. */
interface BegunLine {
  readonly before: readonly string[];
  /** The part of the word typed so far, without a `--flag=` before it. */
  readonly begun: string;
  /** A part of the word as the shell has it that is not in `begun`, and stands before each answer. */
  readonly given: string;
  /** The beginning of `begun` that is not in the word as the shell has it, and left out of each answer. */
  readonly omitted: string;
}

/** Bash takes `--target=a` for three words, and `--var image=debian-12` for four; the others leave them as they are. */
function readWords(words: readonly string[]): BegunLine {
  const last = words.at(-1) ?? '';
  const at = words.lastIndexOf(variableFlag) + 1;
  const [name = '', sign, value = ''] = words.slice(at);
  const isAssignment = at > 0 && sign === '=' && words.length - at <= 3;
  const before = words.slice(0, isAssignment ? at : -1).filter((word) => word !== '=');
  if (isAssignment) {
    const omitted = `${name}=`;
    return { before, begun: omitted + value, given: '', omitted };
  }
  const [, flag, begun = ''] = /^(--[\w-]+)=(.*)/.exec(last) ?? [];
  if (flag !== undefined)
    return { before: [...before, flag], begun, given: `${flag}=`, omitted: '' };
  return { before, begun: last === '=' ? '' : last, given: '', omitted: '' };
}

/** The words that may follow `before`; of addresses and the like, those that begin with `begun`. */
async function listCandidatesFor(
  before: readonly string[],
  begun: string,
  program: Command,
  runtime: Runtime,
): Promise<readonly Candidate[]> {
  const { argv, command, operands } = parseCommandLine(before, program, []);
  const flag = [...command.options, ...program.options].find(
    ({ long, required }) => required && long === argv.at(-1),
  );
  if (!flag && begun.startsWith('-')) return listFlags(command);
  // The word `help` is read as this flag, wherever it stands.
  if (argv.at(-1) === '--help') return listTopics(command);
  const argument =
    command.registeredArguments[operands.length] ??
    command.registeredArguments.findLast(({ variadic }) => variadic);
  const choices = (flag ?? argument)?.argChoices;
  if (choices) return choices.map((word) => ({ word }));
  const source = flag
    ? sourceOfFlag(command, flag)
    : sourceOfArgument(command, argument?.name() ?? '');
  if (source === undefined) return flag || operands.length > 0 ? [] : listCommands(command);
  const isOfDirectory = command.registeredArguments[0]?.name().startsWith('dir') === true;
  const { listCompletions: listCandidates } =
    await import('../../commands/completion/list-candidates.ts');
  const candidates = await listCandidates(
    readGlobalOptions(new Command(), argv.slice(0, flag ? -1 : undefined), runtime).runtime,
    (isOfDirectory ? operands[0] : undefined) ?? '.',
    { source, kind: formatCommandPath(command).split(' ')[0] ?? '', begun },
  );
  return candidates.map((word) => ({ word }));
}

function listCommands(command: Command): readonly Candidate[] {
  const commands = command.createHelp().visibleCommands(command);
  return commands.map((each) => ({ word: each.name(), meaning: each.summary() }));
}

/** Commands that `help` explains below the one that it was given, and its topic. */
function listTopics(command: Command): readonly Candidate[] {
  const topic = command.commands.find((each) => each.name() === environmentTopicName);
  return [
    ...listCommands(command),
    ...(topic ? [{ word: topic.name(), meaning: topic.summary() }] : []),
  ];
}

/** The flags of a command, and those that all commands share. */
function listFlags(command: Command): readonly Candidate[] {
  const help = command.createHelp();
  const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  return options.map(({ long, flags, description }) => ({
    word: long ?? flags,
    meaning: description,
  }));
}

const addressNames: ReadonlySet<string> = new Set(['address', 'addresses', 'from', 'to']);

/** The flag whose value is a name, an equals sign and what the name stands for. */
const variableFlag = '--var';

/** Source of an argument's values for completion, by the argument's name; for arguments without choices of their own. */
function sourceOfArgument(command: Command, name: string): CompletionSource | undefined {
  const path = formatCommandPath(command);
  if (path === 'output' && name === 'name') return 'outputs';
  if (path === 'catalog' && name === 'list') return 'catalog lists';
  return sourceOfAddress(path, name);
}

/** Source of a flag's values for completion. */
function sourceOfFlag(
  command: Command,
  { long, flags }: Pick<Option, 'long' | 'flags'>,
): CompletionSource | undefined {
  if (long === variableFlag) return 'variables';
  // `address` for `--target <address>`.
  const name = /[<[]([\w-]+)/.exec(flags)?.[1] ?? '';
  return name === 'dir' ? 'directories' : sourceOfAddress(formatCommandPath(command), name);
}

function sourceOfAddress(path: string, name: string): CompletionSource | undefined {
  // The address of `sandbox` is one of the network, and no address of a resource.
  if (!addressNames.has(name) || path === 'sandbox') return undefined;
  return path.startsWith('state ') ? 'managed' : 'addresses';
}
