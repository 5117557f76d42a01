import type { Command } from 'commander';
import { singleQuote as quote } from '../../render/format/shell.ts';

/** The shells that can be completed for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What may be typed behind one command. */
interface Completable {
  /** The words behind `hostwright`, e.g. `state list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly flags: readonly (Described & { readonly choices: readonly string[] })[];
  /** The values of its first argument, where they are listed. */
  readonly values: readonly string[];
}

interface Described {
  readonly word: string;
  readonly text: string;
}

/** A script that completes the commands and flags of a program in a shell, made from the program itself. */
export function renderCompletion(program: Command, shell: Shell): string {
  const all = listCompletables(program, '');
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](all);
}

function listCompletables(command: Command, path: string): Completable[] {
  const commands = command.createHelp().visibleCommands(command);
  const below = commands.filter((one) => one.name() !== 'help');
  return [
    {
      path,
      commands: commands.map((one) => ({ word: one.name(), text: one.summary() })),
      flags: command
        .createHelp()
        .visibleOptions(command)
        .map((option) => ({
          word: option.long ?? option.flags,
          text: option.description,
          choices: option.argChoices ?? [],
        })),
      values: command.registeredArguments[0]?.argChoices ?? [],
    },
    ...below.flatMap((one) => listCompletables(one, `${path} ${one.name()}`.trim())),
  ];
}

const wordsOf = (all: readonly { readonly word: string }[]) =>
  all.map(({ word }) => word).join(' ');

function renderBash(all: readonly Completable[]): string {
  const cases = all.map(({ path, commands, flags, values }) => {
    const choices = flags
      .filter((flag) => flag.choices.length > 0)
      .map(({ word, choices: list }) => `${quote(word)}) words=${quote(list.join(' '))} ;;`);
    return [
      `    ${quote(path)})`,
      `      commands=${quote(wordsOf(commands))}`,
      `      flags=${quote(wordsOf(flags))}`,
      `      words=${quote(values.join(' '))}`,
      ...(choices.length > 0
        ? ['      case "$previous" in', ...choices.map((one) => `        ${one}`), '      esac']
        : []),
      '      ;;',
    ].join('\n');
  });
  const paths = all.map(({ path }) => quote(path)).slice(1);
  return `# Completion of hostwright for bash: source it, or put it where bash-completion looks.
_hostwright() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at= commands= flags= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${at:+$at }\${COMP_WORDS[i]}" in
      ${paths.join('|')}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then words=$flags
  elif [[ -z $words ]]; then words=$commands
  fi
  COMPREPLY=()
  if [[ -n $words ]]; then
    while IFS= read -r i; do COMPREPLY+=("$i"); done < <(compgen -W "$words" -- "$current")
  fi
}
complete -o default -F _hostwright hostwright
`;
}

function renderZsh(all: readonly Completable[]): string {
  const describe = ({ word, text }: Described) =>
    quote(`${word.replaceAll(':', String.raw`\:`)}:${text}`);
  const cases = all.map(({ path, commands, flags, values }) => {
    const choices = flags
      .filter((flag) => flag.choices.length > 0)
      .map(
        ({ word, choices: list }) =>
          `${quote(word)}) compadd -- ${list.map(quote).join(' ')}; return ;;`,
      );
    return [
      `    ${quote(path)})`,
      ...(choices.length > 0 ? [`      case $words[CURRENT-1] in ${choices.join(' ')} esac`] : []),
      `      commands=(${commands.map(describe).join(' ')})`,
      `      flags=(${flags.map(describe).join(' ')})`,
      ...(values.length > 0
        ? [
            `      if [[ $words[CURRENT] != -* ]]; then compadd -- ${values.map(quote).join(' ')}; return; fi`,
          ]
        : []),
      '      ;;',
    ].join('\n');
  });
  const paths = all.map(({ path }) => quote(path)).slice(1);
  return `#compdef hostwright
# Completion of hostwright for zsh: put it as _hostwright into a folder of your fpath.
_hostwright() {
  local at= word i
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    case "\${at:+$at }$words[i]" in
      ${paths.join('|')}) at="\${at:+$at }$words[i]" ;;
    esac
  done
  case $at in
${cases.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then _describe flag flags
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _hostwright "$@"; else compdef _hostwright hostwright; fi
`;
}

function renderFish(all: readonly Completable[]): string {
  const lines = all.flatMap(({ path, commands, flags, values }) => {
    const here = `-n ${quote(`__hostwright_at ${quote(path)}`)}`;
    return [
      ...commands.map(
        ({ word, text }) => `complete -c hostwright ${here} -f -a ${quote(word)} -d ${quote(text)}`,
      ),
      ...values.map((value) => `complete -c hostwright ${here} -f -a ${quote(value)}`),
      ...flags.map(({ word, text, choices }) => {
        const list = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : '';
        return `complete -c hostwright ${here} -l ${quote(word.replace(/^--/, ''))}${list} -d ${quote(text)}`;
      }),
    ];
  });
  const paths = all.map(({ path }) => quote(path)).slice(1);
  return `# Completion of hostwright for fish: put it into ~/.config/fish/completions/hostwright.fish.
function __hostwright_at
  set -l at
  for word in (commandline -opc)[2..-1]
    if contains -- (string join -- ' ' $at $word) ${paths.join(' ')}
      set at $at $word
    end
  end
  set -l joined (string join -- ' ' $at)
  test "$joined" = "$argv[1]"
end
${lines.join('\n')}
`;
}
