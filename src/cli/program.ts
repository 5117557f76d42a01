// The command line: argv becomes typed options, outcomes become exit codes, and a reporter draws. What a command does
// stands in commands/; this folder must never ask the service or read a file of the configuration.
import { Command, CommanderError, Option } from 'commander';
import { resolve } from 'node:path';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime } from '../model/runtime.ts';
import { addDayTwoCommands } from './day-two-commands.ts';
import { explainFailure } from './explain-failure.ts';
import { addPlanCommands } from './plan-commands.ts';
import { addReadCommands } from './read-commands.ts';
import { addSandboxCommand } from './sandbox-command.ts';

/** What holds for every command. */
export interface GlobalOptions {
  readonly isColorRefused: boolean;
}

/** Says with which code the process is to end. */
export type Exit = (code: number) => void;

/** Runs one command line. @returns the exit code: 0 done, 1 error, 2 changes (when asked for), 130 interrupted */
export async function runCommandLine(argv: readonly string[], runtime: Runtime): Promise<number> {
  let code = 0;
  const exit: Exit = (value) => {
    code = value;
  };
  const globals = (): GlobalOptions => ({ isColorRefused: argv.includes('--no-color') });
  const { directory, rest } = takeDirectory(argv);
  const here = { ...runtime, ask: runtime.ask.bind(runtime), random: runtime.random.bind(runtime) };
  const moved: Runtime =
    directory === undefined ? here : { ...here, cwd: resolve(runtime.cwd, directory) };
  const program = buildProgram(moved, exit, globals);
  try {
    await program.parseAsync([...rest], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    if (isInterruption(error, runtime)) return 130;
    explainFailure(error, moved, globals());
    return 1;
  }
}

/** `--chdir` decides what every other path is relative to, so it is taken before anything is parsed. */
function takeDirectory(argv: readonly string[]): { directory?: string; rest: readonly string[] } {
  const at = argv.findIndex((arg) => arg === '--chdir' || arg.startsWith('--chdir='));
  const arg = argv[at];
  if (arg === undefined) return { rest: argv };
  if (arg.startsWith('--chdir=')) {
    return { directory: arg.slice('--chdir='.length), rest: argv.toSpliced(at, 1) };
  }
  const directory = argv[at + 1];
  return directory === undefined ? { rest: argv } : { directory, rest: argv.toSpliced(at, 2) };
}

function isInterruption(error: unknown, { interrupted }: Runtime): boolean {
  return interrupted.aborted && !(error instanceof DiagnosticError);
}

function buildProgram(runtime: Runtime, exit: Exit, globals: () => GlobalOptions): Command {
  const program = new Command('hostwright')
    .description(
      'Declarative provisioning for a cloud hosting account: plan it, prove it, apply it.',
    )
    .configureOutput({
      writeOut: (text) => runtime.stdout.write(text),
      writeErr: (text) => runtime.stderr.write(text),
    })
    .configureHelp({ helpWidth: Math.min(100, runtime.stdout.columns ?? 80) })
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .addOption(new Option('--no-color', 'no colours, whatever the terminal'))
    .option('--chdir <dir>', 'run as if in this directory')
    .helpCommand(true);
  addPlanCommands(program, runtime, exit, globals);
  addReadCommands(program, runtime, exit, globals);
  addDayTwoCommands(program, runtime, exit, globals);
  addSandboxCommand(program, runtime, exit);
  for (const command of allCommands(program)) {
    command.exitOverride().showHelpAfterError('(add --help for usage)');
    command.addOption(new Option('--no-color', 'no colours, whatever the terminal'));
  }
  return program;
}

function allCommands(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)]);
}
