import { Argument, type Command } from 'commander';
import type { CommandLineContext } from '../command-context.ts';

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

/** The shells that can be completed for. */
const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

const bash = `# Completion of hostwright for bash: source it, or put it where bash-completion looks.
_hostwright() {
  local current=\${COMP_WORDS[COMP_CWORD]} i
  COMPREPLY=()
  while IFS= read -r i; do
    i=\${i%%$'\\t'*}
    case $current in
      # Some quotes are closed already: only what no shell reads is offered.
      [\\"\\']*[\\"\\']* | [!\\"\\']*[\\"\\']*) [[ $i == *[!a-zA-Z0-9_.,:=@%/+\\[\\]-]* ]] && continue ;;
      # History is expanded within double quotes, and nothing keeps it from that.
      \\"*) [[ $i == *!* ]] && continue; i=\${i//\\\\/\\\\\\\\}; i=\${i//\\"/\\\\\\"}; i=\${i//\\$/\\\\\\$}; i=\${i//\\\`/\\\\\\\`} ;;
      \\'*) i=\${i//\\'/\\'\\\\\\'\\'} ;;
      *) printf -v i %q "$i" ;;
    esac
    [[ $i == *[=/] ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("$i")
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _hostwright hostwright
`;

const zsh = `#compdef hostwright
# Completion of hostwright for zsh: put it as _hostwright into a folder of your fpath.
_hostwright() {
  local line
  local -a explained whole others
  for line in \${(f)"$("\${words[1]/#\\~/$HOME}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
    case $line in
      *$'\\t'*) explained+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      # It goes on.
      *=|*/) whole+=("$line") ;;
      *) others+=("$line") ;;
    esac
  done
  if (( $#explained )); then _describe word explained; fi
  if (( $#whole )); then compadd -S '' -- $whole; fi
  if (( $#others )); then compadd -- $others; fi
  if (( ! $#explained && ! $#whole && ! $#others )); then _files; fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _hostwright "$@"; else compdef _hostwright hostwright; fi
`;

const fish = `# Completion of hostwright for fish: put it into ~/.config/fish/completions/hostwright.fish.
function __hostwright_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l program (string replace -r '^~' -- $HOME $words[1])
  set -l answers ($program complete -- $words[2..-1] 2>/dev/null)
  if set -q answers[1]
    printf '%s\\n' $answers
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c hostwright -f -a '(__hostwright_complete)'
`;

/**
 * Completion scripts by shell. Each calls `complete` for the candidates, so it need not change with the program, and offers file
 * names where `complete` prints none.
 */
export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
