// The command line: argv becomes typed options, outcomes become exit codes, and a reporter draws. What a command does
// stands in commands/; this folder must never ask the service or read a file of the configuration.
import { Command, CommanderError, Option } from 'commander';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refuse } from '../commands/session/refuse.ts';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime } from '../model/runtime.ts';
import { boundFlags, listBoundOptions, readBounds } from './flags/bound-flags.ts';
import { escapeOutput } from '../render/format/escape.ts';
import type { CommandContext } from './command-context.ts';
import { familiesFor, type CommandFamily } from './command-families.ts';
import { allowFlags, takeAllowFlags } from './flags/allow-flags.ts';
import { addExamples } from './help/examples.ts';
import { environment, exitCodes, type Explained } from './help/help-sections.ts';
import { guardStreams } from './output/terminal.ts';

/** Runs one command line. @returns the exit code: 0 done, 1 error, 2 changes (when asked for), 130 interrupted */
export async function runCommandLine(given: readonly string[], runtime: Runtime): Promise<number> {
  // What people try first of a program that they do not know.
  const argv = given[0] === '--version' ? given.with(0, 'version') : given;
  let code = 0;
  const globals = {
    isColorRefused: argv.includes('--no-color'),
    isCompact: argv.includes('--compact-warnings'),
    isVerbose: argv.includes('--verbose'),
  };
  // They decide what everything else is relative to and runs with, so they are taken before anything is parsed.
  const { value: directory, rest: others } = takeOption(argv, '--chdir');
  const { value: tokenCommand, rest: more } = takeOption(others, '--token-command');
  const { values: fromFlags, rest: stillMore } = takeAll(more, '--var');
  const { values: files, rest: withFlags } = takeAll(stillMore, '--var-file');
  const { bounds, rest: unbounded } = takeBounds(withFlags);
  const { allowed, rest } = takeAllowFlags(unbounded, runtime.env);
  const moved: Runtime = {
    ...runtime,
    ...guardStreams(runtime, globals.isColorRefused),
    ...(directory !== undefined && { cwd: resolve(runtime.cwd, directory) }),
    ...(tokenCommand !== undefined && { tokenCommand }),
    variables: { fromFlags, files },
    ...allowed,
  };
  try {
    if (directory !== undefined) await requireDirectory(moved.cwd, directory);
    const program = await buildProgram(familiesFor(rest), {
      runtime: { ...moved, bounds: readBounds(bounds) },
      globals,
      exit: (value) => {
        code = value;
      },
      writeExactly: (text) => runtime.stdout.write(text),
    });
    await program.parseAsync([...rest], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    if (isInterruption(error, runtime)) return 130;
    const { explainFailure } = await import('./explain-failure.ts');
    explainFailure(error, moved, globals);
    return 1;
  }
}

/** Takes an option with its value out of the arguments, wherever it stands. */
function takeOption(
  argv: readonly string[],
  name: string,
): { value: string | undefined; rest: readonly string[] } {
  const at = argv.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  const arg = argv[at];
  if (arg === undefined) return { value: undefined, rest: argv };
  if (arg !== name) return { value: arg.slice(name.length + 1), rest: argv.toSpliced(at, 1) };
  const value = argv[at + 1];
  return value === undefined ? { value, rest: argv } : { value, rest: argv.toSpliced(at, 2) };
}

/** Takes an option that may be given several times. */
function takeAll(
  argv: readonly string[],
  name: string,
): { values: readonly string[]; rest: readonly string[] } {
  const values: string[] = [];
  let taken = takeOption(argv, name);
  while (taken.value !== undefined) {
    values.push(taken.value);
    taken = takeOption(taken.rest, name);
  }
  return { values, rest: taken.rest };
}

/** Takes the flags that raise a bound; of each the last counts. */
function takeBounds(argv: readonly string[]) {
  let rest = argv;
  const bounds = boundFlags.flatMap((name): [string, string][] => {
    const taken = takeAll(rest, name);
    rest = taken.rest;
    return taken.values.map((value) => [name, value]);
  });
  return { bounds: new Map(bounds), rest };
}

async function requireDirectory(path: string, written: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw refuse('directory-not-found', `There is no directory ${written} to change to`, {
    hint: 'Give --chdir a directory that exists.',
  });
}

function isInterruption(error: unknown, { interrupted }: Runtime): boolean {
  return interrupted.aborted && !(error instanceof DiagnosticError);
}

/** The program with some of its commands. */
export async function buildProgram(
  families: readonly CommandFamily[],
  context: CommandContext,
): Promise<Command> {
  const { stdout, stderr } = context.runtime;
  const program = new Command('hostwright')
    .description(
      'Declarative provisioning for a cloud hosting account: plan it, prove it, apply it.',
    )
    .configureOutput({
      // It paints nothing, so what it quotes of the arguments cannot either.
      writeOut: (text) => stdout.write(escapeOutput(text)),
      writeErr: (text) => stderr.write(escapeOutput(text)),
    })
    .configureHelp({ helpWidth: Math.min(100, stdout.columns ?? 80) })
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .addOption(new Option('--no-color', 'no colours, whatever the terminal'))
    .option('--chdir <dir>', 'run as if in this directory')
    .option('--token-command <command>', 'a command that prints the access token')
    .option('--var <name=value>', 'set a variable of the configuration; may be given several times')
    .option('--var-file <file>', 'a YAML or JSON file of variables; may be given several times')
    .helpCommand(true);
  for (const option of listBoundOptions()) program.addOption(option);
  for (const { flag, description } of Object.values(allowFlags)) program.option(flag, description);
  for (const add of await Promise.all(families.map(({ load }) => load()))) {
    add(program, context);
  }
  for (const command of allCommands(program)) {
    command.exitOverride().showHelpAfterError('(add --help for usage)');
    command.addOption(new Option('--no-color', 'no colours, whatever the terminal'));
    addExamples(command);
  }
  addExamples(program);
  for (const [title, all] of [
    ['Exit codes', exitCodes],
    ['Environment', environment],
  ] as const) {
    program.addHelpText('after', ({ command }) => drawSection(command, title, all));
  }
  return program;
}

/** A list at the end of the program's help, in the columns of what stands above it. */
function drawSection(command: Command, title: string, all: readonly Explained[]): string {
  const help = command.createHelp();
  help.helpWidth = command.configureHelp().helpWidth ?? 80;
  const width = help.padWidth(command, help);
  const items = all.map(({ word, meaning }) => help.formatItem(word, width, meaning, help));
  return `\n${[`${title}:`, ...items].join('\n')}`;
}

function allCommands(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)]);
}
