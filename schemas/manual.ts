// The manual page in roff, made from the program itself: what its help says and what the page says is one.
import type { Argument, Command, Option } from 'commander';
import { wrapText } from '../src/render/format/measure.ts';
import {
  formatCommandPath,
  isCommandGroup,
  listCommandExamples,
} from '../src/cli/help/examples.ts';
import {
  environmentVariables,
  exitCodes,
  programFiles,
  type HelpTableRow,
} from '../src/cli/help/help-sections.ts';

/** A text in which roff sees nothing of its own. */
function plain(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replaceAll("'", String.raw`\(aq`)
    .replaceAll('`', String.raw`\(ga`)
    .replaceAll('^', String.raw`\(ha`)
    .replaceAll('~', String.raw`\(ti`)
    .replaceAll('…', '...');
}

/** A line of text: one that begins with a dot or a quote would be a request. */
function line(text: string): string {
  const safe = plain(text);
  return /^[.']/.test(safe) ? String.raw`\&${safe}` : safe;
}

/** A paragraph, in lines that a person can compare. */
function paragraph(text: string): string[] {
  return wrapText(text, 76).map(line);
}

const bold = (text: string) => String.raw`\fB${plain(text)}\fR`;
const italic = (text: string) => String.raw`\fI${plain(text)}\fR`;

/** A tagged paragraph. */
function item(tag: string, text: string): string[] {
  return ['.TP', tag, ...paragraph(text)];
}

function explain(all: readonly HelpTableRow[]): string[] {
  return all.flatMap(({ word, meaning }) => item(bold(word), meaning));
}

/** `--format format`, the values that it takes, and what it is unless given. */
function describeOption(option: Option): string[] {
  const [flags = '', ...value] = option.flags.split(/ (?=[<[])/);
  const tag = [bold(flags), ...value.map((one) => italic(one.replace(/^<(.*)>$/, '$1')))].join(' ');
  const byDefault: unknown = option.defaultValueDescription ?? option.defaultValue;
  return item(tag, describeValue(option.description, option.argChoices, byDefault));
}

/** What is said of an option or an argument: what it is, what it may be, and what it is unless given. */
function describeValue(
  description: string,
  choices: readonly string[] | undefined,
  byDefault: unknown,
): string {
  const isTold = typeof byDefault === 'string' || typeof byDefault === 'number';
  const text = isTold ? `${description} (default: ${byDefault})` : description;
  return `${sentence(text)}${choices ? ` One of ${choices.join(', ')}.` : ''}`;
}

/** As the first letter of a paragraph, with a full stop behind it. */
function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.:?]$/.test(upper) ? upper : `${upper}.`;
}

function describeArgument(argument: Argument): string[] {
  const byDefault: unknown = argument.defaultValue;
  const { description, argChoices } = argument;
  return item(italic(argument.name()), describeValue(description, argChoices, byDefault));
}

/** `[dir]`, `<address>`, `[ids...]`, as people write them. */
function spellArgument(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? italic(name) : `[${italic(name)}]`;
}

/** Examples as they are typed. */
function showExamples(command: Command): string[] {
  return listCommandExamples(command).flatMap((example) => [
    '.PP',
    '.nf',
    line(`  $ ${example}`),
    '.fi',
  ]);
}

/** True for what stands with the program, and would be the same at every command. */
function isCommon(option: Option): boolean {
  return option.long === '--no-color' || option.long === '--help';
}

function describeCommand(command: Command): string[] {
  const help = command.createHelp();
  const own = command.commands.filter((one) => one.name() !== 'help');
  const argumentsOf = help.visibleArguments(command);
  const options = help.visibleOptions(command).filter((one) => !isCommon(one));
  const title = [
    bold(`hostwright ${formatCommandPath(command)}`),
    ...(options.length > 0 ? ['[options]'] : []),
    ...command.registeredArguments.map(spellArgument),
  ].join(' ');
  const body = isCommandGroup(command)
    ? []
    : [
        `.SS ${title}`,
        ...paragraph(command.description()),
        ...argumentsOf.flatMap(describeArgument),
        ...options.flatMap(describeOption),
        ...showExamples(command),
      ];
  return [...body, ...own.flatMap(describeCommand)];
}

/** The page `hostwright(1)` of a program with all of its commands. */
export function renderManual(program: Command, version: string): string {
  const commands = program.commands.filter((one) => one.name() !== 'help');
  const options = program.createHelp().visibleOptions(program);
  return `${[
    String.raw`.\" Made from the program by "npm run generate". Do not edit.`,
    `.TH HOSTWRIGHT 1 "" "hostwright ${version}" "User Commands"`,
    '.SH NAME',
    `hostwright \\- ${line('declarative provisioning for a cloud hosting account')}`,
    '.SH SYNOPSIS',
    `${bold('hostwright')} [${italic('options')}] ${italic('command')} [${italic('arguments')}]`,
    '.SH DESCRIPTION',
    ...paragraph(
      'Hostwright keeps a cloud hosting account the way a few YAML files say it should be. It reads the live account, shows exactly what would change, asks, and then makes the change, waiting until every resource is really there.',
    ),
    '.PP',
    ...paragraph(
      'Results go to standard output, progress and diagnostics to standard error. A configuration is every YAML file directly in a directory, the working directory unless another one is given.',
    ),
    '.SH OPTIONS',
    line('These stand with every command, before or behind it.'),
    ...options.flatMap(describeOption),
    '.SH COMMANDS',
    ...commands.flatMap(describeCommand),
    '.SH EXIT STATUS',
    ...explain(exitCodes),
    '.SH ENVIRONMENT',
    ...explain(environmentVariables),
    '.SH FILES',
    ...explain(programFiles),
    '.SH EXAMPLES',
    // A section begins a paragraph.
    ...showExamples(program).slice(1),
  ].join('\n')}\n`;
}
