// Definitions of commands that have one result, as rows of a table: the call, the work, and the output.
import { Argument, type Command, type Option } from 'commander';
import type { Runtime } from '../model/runtime.ts';
import type { TextLayout } from '../render/format/style.ts';
import type { CommandLineContext } from './command-context.ts';
import { printJson } from './output/print-json.ts';
import { chooseTextLayout } from './output/terminal.ts';
import { DayTwoTerminalReporter } from './day-two/day-two-reporter.ts';

/** One call of a command, with its operands in their order. */
export interface CommandLineCall<Operands extends readonly unknown[] = [], Flags = object> {
  readonly runtime: Runtime;
  readonly reporter: DayTwoTerminalReporter;
  readonly operands: Operands;
  readonly flags: Flags;
  /** Layout of text on standard output: its width and its style. */
  readonly layout: TextLayout;
}

/** An operand as help shows it (`<token>`, `[ids...]`), its description, and its parser or its default. */
type Operand = readonly [
  written: string,
  words: string,
  how?: string | ((text: string) => string | number),
];

interface Row<Operands extends readonly unknown[], Flags, Result> {
  readonly summary: string;
  readonly description: string;
  /** Set for the command that its group runs when no command is named. */
  readonly isDefault?: boolean;
  readonly operands?: readonly Operand[];
  readonly options?: readonly Option[];
  /** Fault of a call that Commander accepts, such as two flags that exclude each other; undefined for none. */
  readonly check?: (operands: Operands, flags: Flags) => string | undefined;
  readonly run: (call: CommandLineCall<Operands, Flags>) => Promise<Result>;
  readonly text: (
    result: Result,
    layout: TextLayout,
    call: CommandLineCall<Operands, Flags>,
  ) => string;
  /** JSON document of the result, for a command with `--json` among its options. */
  readonly json?: (result: Result, call: CommandLineCall<Operands, Flags>) => object;
  /** Tells whether a result is good; one that is not ends the process with exit code 1. */
  readonly isGood?: (result: Result) => boolean;
  /** Exit code of the process after a good result; 0 unless given. */
  readonly goodCode?: (result: Result, call: CommandLineCall<Operands, Flags>) => number;
}

/** Adds a command of this name to its group, or to the program. */
export type AddCommand = (parent: Command, name: string, context: CommandLineContext) => void;

/**
 * Defines a command that computes a result and prints it: as one JSON document on standard output with `--json`, else as text for
 * people.
 */
export function defineCommand<Operands extends readonly unknown[], Flags extends object, Result>(
  row: Row<Operands, Flags, Result>,
): AddCommand {
  return (parent, name, context) => {
    const command = parent
      .command(name, { isDefault: row.isDefault === true })
      .summary(row.summary)
      .description(row.description);
    for (const operand of row.operands ?? []) command.addArgument(readArgument(operand));
    for (const option of row.options ?? []) command.addOption(option);
    command.action(() => {
      // Commander has read what the row declares, which its types cannot say.
      const operands = command.processedArgs as unknown as Operands;
      // Commander gives a flag that `server` has, too, to `server`, wherever it stands.
      const flags = command.optsWithGlobals<Flags & JsonFlags>();
      const fault = row.check?.(operands, flags);
      if (fault !== undefined) command.error(`error: ${fault}`);
      return runRow(row, { operands, flags }, context);
    });
  };
}

function readArgument([written, words, how]: Operand): Argument {
  const argument = new Argument(written, words);
  if (typeof how === 'string') return argument.default(how);
  return how ? argument.argParser(how) : argument;
}

/** A group of commands, by their names. */
export function defineCommandGroup(
  { summary, description }: Pick<Row<[], object, void>, 'summary' | 'description'>,
  commands: Readonly<Record<string, AddCommand>>,
): AddCommand {
  return (parent, name, context) => {
    const group = parent.command(name).summary(summary).description(description);
    for (const [verb, add] of Object.entries(commands)) add(group, verb, context);
  };
}

/** The two ways to ask for JSON. */
interface JsonFlags {
  readonly json?: boolean;
  readonly format?: string;
}

async function runRow<Operands extends readonly unknown[], Flags, Result>(
  { run, text, json, isGood = () => true, goodCode = () => 0 }: Row<Operands, Flags, Result>,
  { operands, flags }: { readonly operands: Operands; readonly flags: Flags & JsonFlags },
  { runtime, exit, globals: { isColorRefused } }: CommandLineContext,
): Promise<void> {
  const { stdout, env, interrupted } = runtime;
  const reporter = new DayTwoTerminalReporter(runtime, isColorRefused);
  const layout = chooseTextLayout(stdout, env, isColorRefused);
  const call = { runtime, reporter, operands, flags, layout };
  try {
    const result = await run(call);
    reporter.stop();
    if ((flags.json || flags.format === 'json') && json) printJson(stdout, json(result, call));
    else stdout.write(text(result, layout, call));
    exit(interrupted.aborted ? 130 : isGood(result) ? goodCode(result, call) : 1);
  } catch (error) {
    reporter.stop();
    throw error;
  }
}
