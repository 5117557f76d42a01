// Diagnostics about a command line, in the words of all other diagnostics.
import type { Command, CommanderError } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { formatNameList, suggestNearestName } from '../../model/text/suggest.ts';
import { escapeLineEnds } from '../../model/text/unsafe-text.ts';
import { formatCommandPath } from '../help/examples.ts';
import { foreignFlagHints, terraformCommandHints, terraformFlagHints } from './terraform-words.ts';

const callOf = (command: Command) => `hostwright ${formatCommandPath(command)}`.trim();

const helpHint = (command: Command) =>
  `Run "${callOf(command)} --help" for its arguments and flags.`;

/** Diagnostic for a flag that neither the command nor the program has. */
export function describeUnknownFlag(arg: string, name: string, command: Command): Diagnostic {
  const [written = arg] = arg.split('=', 1);
  const substitute = terraformFlagHints.get(name);
  const meant = suggestNearestName(name, listFlags(command));
  const ofCommand = foreignFlagHints.get(`${formatCommandPath(command)} ${name}`);
  const hint =
    ofCommand ??
    substitute?.hint ??
    foreignFlagHints.get(name) ??
    (meant === undefined ? helpHint(command) : `Did you mean --${meant}?`);
  return {
    severity: 'error',
    code: 'unknown-flag',
    summary: `"${callOf(command)}" has no flag ${escapeLineEnds(written)}`,
    ...(substitute && ofCommand === undefined && { detail: 'It is a flag of Terraform.' }),
    hint,
  };
}

/** Lists the flags that a command accepts, for suggestions in messages. */
function listFlags(command: Command): readonly string[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].flatMap(
    ({ long }) => long?.replace(/^--/, '') ?? [],
  );
}

/** Diagnostic for a word that is no command, at a place where one is required. `known` are the commands that exist there. */
export function describeUnknownCommand(
  word: string,
  parent: Command,
  known: readonly string[],
): Diagnostic {
  const path = `${formatCommandPath(parent)} ${word}`.trim();
  const substitute = terraformCommandHints.get(path);
  const meant = suggestNearestName(word, known);
  return {
    severity: 'error',
    code: 'unknown-command',
    summary: `"${callOf(parent)}" has no command "${escapeLineEnds(word)}"`,
    detail:
      substitute === undefined
        ? `Valid commands: ${formatNameList(known, 40)}.`
        : 'It is a command of Terraform.',
    hint:
      substitute ??
      (meant === undefined
        ? `Run "${callOf(parent)} --help" for what each does.`
        : `Did you mean "${callOf(parent)} ${meant}"?`),
  };
}

/** The error for a switch with a value other than true or false. */
export function describeBadSwitchValue(flag: string, value: string): Diagnostic {
  return {
    severity: 'error',
    code: 'invalid-value',
    summary: `${flag} is on or off, and takes no value "${escapeLineEnds(value)}"`,
    hint: `Write ${flag}, or ${flag}=false.`,
  };
}

/** Refusals of Commander by their text, each with the code of its diagnostic and our words; `$C` is the command. */
const refusals: readonly (readonly [code: string, said: RegExp, words: string])[] = [
  ['missing-argument', /^missing required argument '(.+)'$/, '"$C" needs the argument <$1>'],
  [
    'too-many-arguments',
    /^too many arguments.*\. Expected (\d+) (arguments?) but got (\d+)\.$/,
    '"$C" takes $1 $2, and got $3',
  ],
  ['missing-value', /^option '(.+)' argument missing$/, '$1 needs its value'],
  ['missing-option', /^required option '(.+)' not specified$/, '"$C" needs $1'],
  [
    'conflicting-options',
    /^option '([^ ']+).*' cannot be used with option '([^ ']+).*'$/,
    '$1 cannot be used with $2',
  ],
  [
    'invalid-value',
    /^option '([^ ']+).*?' argument '(.*)' is invalid\. (.+)$/,
    '$1 cannot be "$2"',
  ],
  [
    'invalid-value',
    /^command-argument value '(.*)' is invalid for argument '(.+?)'\. (.+)$/,
    'The argument <$2> cannot be "$1"',
  ],
];

/** Diagnostic for an error of Commander, whose text is a line that begins with `error:` and may end with a hint. */
export function describeCommanderError({ message }: CommanderError, command: Command): Diagnostic {
  const text = escapeLineEnds(message.replace(/^error: /, ''));
  for (const [code, said, words] of refusals) {
    const match = said.exec(text);
    if (!match) continue;
    const summary = words.replace(/\$(C|\d)/g, (_, name: string) =>
      name === 'C' ? callOf(command) : (match[Number(name)] ?? ''),
    );
    const advice = code === 'invalid-value' ? match[3] : undefined;
    const hint = advice?.replace(/^Allowed choices are (.+)\.$/, 'Use one of $1.');
    return { severity: 'error', code, summary, hint: hint ?? helpHint(command) };
  }
  const summary = text.charAt(0).toUpperCase() + text.slice(1);
  return { severity: 'error', code: 'invalid-arguments', summary, hint: helpHint(command) };
}
