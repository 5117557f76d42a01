// docs/cli.md, made from the program itself: each command with its arguments, flags and examples.
import type { Argument, Command, Option } from 'commander';
import {
  formatCommandPath,
  isCommandGroup,
  listCommandExamples,
} from '../../src/cli/help/examples.ts';
import {
  environmentVariables,
  exitCodes,
  programFiles,
  type HelpTableRow,
} from '../../src/cli/help/help-sections.ts';
import { anchorOf, item, plain, sentence, wrap } from './markdown.ts';

const header = `# Commands

<!-- Made by \`npm run generate\` from the program. Do not edit. -->

Every command with its arguments, flags and examples. \`--help\` behind a command shows the same,
and \`hostwright help environment\` the variables, the permissions and the exit codes.
Results go to standard output, progress and messages to standard error. Without \`[dir]\`, a command
works in the current directory.

Flags may be written as Terraform writes them, too: \`-out=plan.hwp\`, \`-var env=production\`,
\`-auto-approve\`.

`;

/** The page of a program with all of its commands. */
export function renderCliPage(program: Command): string {
  const leaves = listLeaves(program);
  const links = leaves.map((one) => `[${formatCommandPath(one)}](#${anchorOf(titleOf(one))})`);
  const contents = wrap(
    `${links.join(', ')}. For all of them: [flags](#flags-of-every-command), [exit codes](#exit-codes), [environment](#environment), [files](#files).`,
  );
  return [
    header + contents,
    ...leaves.map(describeCommand),
    '## Flags of every command',
    'They may come before or after the command.',
    program.createHelp().visibleOptions(program).map(describeOption).join('\n'),
    ...describeAll('Exit codes', exitCodes),
    ...describeAll('Environment', environmentVariables),
    ...describeAll('Files', programFiles),
  ].join('\n\n');
}

/** The commands that do something, in the order of the help. */
export function listLeaves(program: Command): readonly Command[] {
  return program.commands
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => [...(isCommandGroup(one) ? [] : [one]), ...listLeaves(one)]);
}

const titleOf = (command: Command) => `hostwright ${formatCommandPath(command)}`;

function describeCommand(command: Command): string {
  const help = command.createHelp();
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const given = command.registeredArguments;
  const usage = [
    titleOf(command),
    ...(options.length > 0 ? ['[options]'] : []),
    ...given.map(spellArgument),
  ].join(' ');
  const own = options.filter(({ long }) => long !== '--no-color');
  const lists = [given.map(describeArgument), own.map(describeOption)].filter(
    (list) => list.length > 0,
  );
  return [
    `## ${titleOf(command)}`,
    wrap(sentence(plain(command.description()))),
    fence('text', [usage]),
    ...lists.map((list) => list.join('\n')),
    fence('sh', listCommandExamples(command)),
  ].join('\n\n');
}

function fence(language: string, lines: readonly string[]): string {
  return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
}

function spellArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function describeArgument(argument: Argument): string {
  const text = describeValue(argument.description, argument.argChoices, argument.defaultValue);
  return item(`\`${spellArgument(argument)}\`: ${text}`);
}

function describeOption(option: Option): string {
  const byDefault: unknown = option.defaultValueDescription ?? option.defaultValue;
  const text = describeValue(option.description, option.argChoices, byDefault);
  return item(`\`${option.flags}\`: ${text}`);
}

function describeValue(
  description: string,
  choices: readonly string[] | undefined,
  byDefault: unknown,
): string {
  const isTold =
    (typeof byDefault === 'string' && byDefault !== '') || typeof byDefault === 'number';
  return [
    sentence(plain(description)),
    ...(choices ? [`One of ${choices.map((one) => `\`${one}\``).join(', ')}.`] : []),
    ...(isTold ? [`Default: \`${String(byDefault)}\`.`] : []),
  ].join(' ');
}

function describeAll(title: string, all: readonly HelpTableRow[]): readonly string[] {
  const lines = all.map(({ word, meaning }) => item(`\`${word}\`: ${sentence(plain(meaning))}`));
  return [`## ${title}`, lines.join('\n')];
}
