// The command line: argv becomes typed options, outcomes become exit codes, and a reporter draws. What a command does
// stands in commands/; this folder must never ask the service or read a file of the configuration.
import { stat } from 'node:fs/promises';
import { Command, CommanderError } from 'commander';
import { createCommandRefusal } from '../commands/session/refuse.ts';
import { DiagnosticError } from '../model/errors.ts';
import type { Runtime, TextSink } from '../model/runtime.ts';
import { escapeStreamOutput } from '../render/format/escape.ts';
import { parseCommandLine, type ParsedCommandLine } from './arguments/read-arguments.ts';
import type { CommandLineContext } from './command-context.ts';
import {
  topLevelCommandNames,
  findCommandFamilies,
  type CommandFamily,
} from './command-families.ts';
import { readSizeLimitFlags } from './flags/bound-flags.ts';
import {
  addGlobalOptions,
  readGlobalOptions,
  type GlobalSettings,
} from './flags/global-options.ts';
import { addHelpExamples } from './help/examples.ts';
import { renderHelpOverview } from './help/overview.ts';

/** Runs one command line. @returns the exit code: 0 done, 1 error, 2 changes (when asked for), 130 interrupted */
export async function runCommandLine(
  given: readonly string[],
  runtime: Runtime,
  parts: Pick<CommandLineContext, 'serverPorts' | 'openStreams'> = {},
): Promise<number> {
  // Spellings of `version` that people try first with an unknown program.
  const asksVersion = /^(?:--?version|-v)$/i.test(given[0] ?? '');
  const typed = asksVersion ? given.with(0, 'version') : given;
  const families = findCommandFamilies(typed);
  // Only the whole program knows what is a flag, and it is built for good when the flags of every command are read.
  const program = await buildProgram(families, contextToRead(runtime));
  const read = parseCommandLine(typed, program, topLevelCommandNames);
  try {
    if (read.faults.length > 0) throw new DiagnosticError(read.faults);
    const settings = readGlobalOptions(createProgram(runtime), read.argv, runtime);
    const writeExactly = (text: string) => runtime.stdout.write(text);
    return await runCommand(read, families, settings, { ...parts, writeExactly });
  } catch (error) {
    // Commander throws after it has shown the help, asked for or not.
    if (error instanceof CommanderError && /^commander\.help/.test(error.code))
      return error.exitCode;
    if (!(error instanceof CommanderError || error instanceof DiagnosticError)) throw error;
    const { reportBadArguments: refuseArguments } = await import('./arguments/refuse-arguments.ts');
    await refuseArguments(error, read, runtime);
    return 1;
  }
}

/** Context of commands that are built only for their flags and help, and never run. */
function contextToRead(runtime: Runtime): CommandLineContext {
  const globals = { isColorRefused: true, isCompact: false, isVerbose: false };
  return {
    runtime,
    globals,
    runCommandLine,
    exit: () => undefined,
    writeExactly: () => undefined,
  };
}

async function runCommand(
  read: ParsedCommandLine,
  families: readonly CommandFamily[],
  { runtime, globals, directory, flags }: GlobalSettings,
  parts: Pick<CommandLineContext, 'serverPorts' | 'openStreams' | 'writeExactly'>,
): Promise<number> {
  const { argv, isUnattended } = read;
  const stdout = new WriteTrackingStream(runtime.stdout);
  let code = 0;
  try {
    if (directory !== undefined) await requireDirectory(runtime.cwd, directory);
    const program = await buildProgram(families, {
      runtime: {
        ...runtime,
        stdout,
        bounds: readSizeLimitFlags(flags),
        ...(isUnattended && { ask: () => Promise.resolve(undefined) }),
      },
      globals,
      runCommandLine,
      exit: (value) => {
        code = value;
      },
      ...parts,
    });
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    if (isInterruption(error, runtime)) return 130;
    const { explainFailure } = await import('./explain-failure.ts');
    explainFailure(error, runtime, globals);
    if (!stdout.hasWritten) {
      const { reportDiagnosticsAsJson: tellPrograms } = await import('./tell-programs.ts');
      await tellPrograms(error, read, runtime);
    }
    return 1;
  }
}

async function requireDirectory(path: string, written: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw createCommandRefusal(
    'directory-not-found',
    `There is no directory ${written} to change to`,
    {
      hint: 'Give --chdir a directory that exists.',
    },
  );
}

function isInterruption(error: unknown, { interrupted }: Pick<Runtime, 'interrupted'>): boolean {
  return interrupted.aborted && !(error instanceof DiagnosticError);
}

/** A program without commands, that writes to these streams and throws where it would exit. */
function createProgram({ stdout, stderr }: Pick<Runtime, 'stdout' | 'stderr'>): Command {
  return new Command('hostwright')
    .configureOutput({
      // Commander's texts have no colours, so every escape sequence in them is one of the arguments, and made harmless.
      writeOut: (text) => stdout.write(escapeStreamOutput(text)),
      writeErr: (text) => stderr.write(escapeStreamOutput(text)),
      // Commander's own error text is suppressed: wrong arguments are shown as diagnostics.
      outputError: () => undefined,
    })
    .configureHelp({
      helpWidth: Math.min(100, stdout.columns ?? 80),
      // The longest call of a command may leave little room for what it does.
      minWidthToWrap: 20,
      showGlobalOptions: true,
      // Global flags are those of the program alone: commands below `server` do not take the flags of `server`.
      visibleGlobalOptions: (command) =>
        findProgram(command).options.filter(({ hidden }) => !hidden),
    })
    .exitOverride();
}

function findProgram(command: Command): Command {
  return command.parent ? findProgram(command.parent) : command;
}

/** The program with some of its commands. */
export async function buildProgram(
  families: readonly CommandFamily[],
  context: CommandLineContext,
): Promise<Command> {
  const program = addGlobalOptions(createProgram(context.runtime))
    .description(
      'Declarative provisioning for a cloud hosting account: plan it, prove it, apply it.',
    )
    .helpCommand(true);
  for (const add of await Promise.all(families.map(({ load }) => load()))) {
    add(program, context);
  }
  for (const command of allCommands(program)) {
    command.exitOverride();
    addHelpExamples(command);
  }
  program.helpInformation = () => renderHelpOverview(program);
  return program;
}

function allCommands(program: Command): readonly Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)]);
}

/**
 * A stream that remembers whether anything was written to it, so that no JSON document of an error follows a result that was
 * printed already.
 */
export class WriteTrackingStream implements TextSink {
  hasWritten = false;
  readonly #sink: TextSink;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  write(text: string): void {
    this.hasWritten ||= text !== '';
    this.#sink.write(text);
  }

  ready(): Promise<boolean> {
    return this.#sink.ready();
  }

  get isTTY(): boolean {
    return this.#sink.isTTY;
  }

  get columns(): number | undefined {
    return this.#sink.columns;
  }

  get rows(): number | undefined {
    return this.#sink.rows;
  }
}
