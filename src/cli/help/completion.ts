import type { Command, Option } from 'commander';
import { singleQuote as quote } from '../../render/format/shell.ts';
import { sourceOfArgument, sourceOfFlag, variableFlag } from './completion-source.ts';

/** The shells that can be completed for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What may be typed behind one command. */
interface Completable {
  /** The words behind `hostwright`, e.g. `state list`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly Described[];
  readonly flags: readonly CompletableFlag[];
  /** The values of its first argument, where they are listed. */
  readonly values: readonly string[];
  /** True: the program knows what its arguments may be. */
  readonly isAsked: boolean;
}

interface CompletableFlag extends Described {
  readonly choices: readonly string[];
  /** True: the program knows what its value may be. */
  readonly isAsked: boolean;
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
      flags: listOptions(command).map((option) => ({
        word: option.long ?? option.flags,
        text: option.description,
        choices: option.argChoices ?? [],
        isAsked: sourceOfFlag(command, option) !== undefined,
      })),
      isAsked: command.registeredArguments.some(
        (argument) => sourceOfArgument(command, argument.name()) !== undefined,
      ),
      values: command.registeredArguments[0]?.argChoices ?? [],
    },
    ...below.flatMap((one) => listCompletables(one, `${path} ${one.name()}`.trim())),
  ];
}

/** The flags of a command, and those that all commands share. */
function listOptions(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

const wordsOf = (all: readonly { readonly word: string }[]) =>
  all.map(({ word }) => word).join(' ');

function renderBash(all: readonly Completable[]): string {
  const cases = all.map(({ path, commands, flags, values, isAsked }) => {
    const choices = flags
      .filter((flag) => flag.choices.length > 0 || flag.isAsked)
      .map((flag) =>
        flag.isAsked
          ? `${quote(flag.word)}) asks=1 ;;`
          : `${quote(flag.word)}) words=${quote(flag.choices.join(' '))} ;;`,
      );
    return [
      `    ${quote(path)})`,
      `      commands=${quote(wordsOf(commands))}`,
      `      flags=${quote(wordsOf(flags))}`,
      `      words=${quote(values.join(' '))}`,
      ...(isAsked ? ['      asks=1'] : []),
      ...(choices.length > 0
        ? ['      case "$previous" in', ...choices.map((one) => `        ${one}`), '      esac']
        : []),
      '      ;;',
    ].join('\n');
  });
  const paths = all.map(({ path }) => quote(path)).slice(1);
  return `# Completion of hostwright for bash: source it, or put it where bash-completion looks.
_hostwright() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at= commands= flags= words= asks= i
  # --format=json is three words.
  [[ $current == = ]] && current=
  [[ $previous == = ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  # So is image=debian-12, behind its flag.
  for ((i = 2; i < 4 && i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[COMP_CWORD-i]} == ${variableFlag} && \${COMP_WORDS[COMP_CWORD-i+2]} == = ]] && previous=${variableFlag}
  done
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
  if [[ -n $asks && $current != -* ]]; then
    while IFS= read -r i; do
      case $current in
        # Some quotes are closed already: only what no shell reads is offered.
        [\\"\\']*[\\"\\']* | [!\\"\\']*[\\"\\']*) [[ $i == *[!a-zA-Z0-9_.,:=@%/+\\[\\]-]* ]] && continue ;;
        # History is expanded within double quotes, and nothing keeps it from that.
        \\"*) [[ $i == *!* ]] && continue; i=\${i//\\\\/\\\\\\\\}; i=\${i//\\"/\\\\\\"}; i=\${i//\\$/\\\\\\$}; i=\${i//\\\`/\\\\\\\`} ;;
        \\'*) i=\${i//\\'/\\'\\\\\\'\\'} ;;
        *) printf -v i %q "$i" ;;
      esac
      [[ $i == *= ]] && compopt -o nospace 2>/dev/null
      COMPREPLY+=("$i")
    done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  elif [[ -n $words ]]; then
    while IFS= read -r i; do COMPREPLY+=("$i"); done < <(compgen -W "$words" -- "$current")
  fi
}
complete -o default -F _hostwright hostwright
`;
}

function renderZsh(all: readonly Completable[]): string {
  const describe = ({ word, text }: Described) =>
    quote(`${word.replaceAll(':', String.raw`\:`)}:${text}`);
  const cases = all.map(({ path, commands, flags, values, isAsked }) => {
    const choices = flags
      .filter((flag) => flag.choices.length > 0 || flag.isAsked)
      .map((flag) =>
        flag.isAsked
          ? `${quote(flag.word)}) _hostwright_ask; return ;;`
          : `${quote(flag.word)}) compadd -- ${flag.choices.map(quote).join(' ')}; return ;;`,
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
      ...(isAsked
        ? ['      if [[ $words[CURRENT] != -* ]]; then _hostwright_ask; return; fi']
        : []),
      '      ;;',
    ].join('\n');
  });
  const paths = all.map(({ path }) => quote(path)).slice(1);
  return `#compdef hostwright
# Completion of hostwright for zsh: put it as _hostwright into a folder of your fpath.
_hostwright_ask() {
  local answer="$("$words[1]" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"
  # What ends with an equals sign goes on.
  local -a whole=(\${(M)\${(f)answer}:#*=}) others=(\${\${(f)answer}:#*=})
  if (( $#whole )); then compadd -S '' -- $whole; fi
  if (( $#others )); then compadd -- $others; fi
}
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
  const ask = quote('(__hostwright_ask)');
  const lines = all.flatMap(({ path, commands, flags, values, isAsked }) => {
    const here = `-n ${quote(`__hostwright_at ${quote(path)}`)}`;
    return [
      ...commands.map(
        ({ word, text }) => `complete -c hostwright ${here} -f -a ${quote(word)} -d ${quote(text)}`,
      ),
      ...values.map((value) => `complete -c hostwright ${here} -f -a ${quote(value)}`),
      ...(isAsked ? [`complete -c hostwright ${here} -f -a ${ask}`] : []),
      ...flags.map(({ word, text, choices, isAsked: asks }) => {
        const offered = asks ? ask : choices.length > 0 ? quote(choices.join(' ')) : '';
        const list = offered === '' ? '' : ` -x -a ${offered}`;
        return `complete -c hostwright ${here} -l ${quote(word.replace(/^--/, ''))}${list} -d ${quote(text)}`;
      }),
    ];
  });
  const paths = all.map(({ path }) => quote(path)).slice(1);
  return `# Completion of hostwright for fish: put it into ~/.config/fish/completions/hostwright.fish.
function __hostwright_ask
  set -l words (commandline -opc) (commandline -ct)
  # The value behind an equals sign is completed as a word of its own.
  set -l parts (string split -m 1 -- = $words[-1])
  if string match -q -- '--*=*' $words[-1]
    set words $words[1..-2] $parts
  end
  $words[1] complete -- $words[2..-1] 2>/dev/null
end
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
