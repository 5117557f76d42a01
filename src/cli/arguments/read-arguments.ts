// The arguments as people write them, Terraform's way too, become the one form that everything behind here reads:
// `--flag` and `--flag=value`. It decides what is a flag and what is a value, and so knows every flag of the program.
import type { Command, Option } from 'commander';
import type { Diagnostic } from '../../model/diagnostic.ts';
import {
  describeUnknownCommand,
  describeUnknownFlag,
  describeBadSwitchValue,
} from './explain-arguments.ts';
import { isAddressRangeList } from '../../commands/planning/probe-permission.ts';
import { terraformFlagHints } from './terraform-words.ts';

/** A command line after its flags, its command and its operands have been told apart. */
export interface ParsedCommandLine {
  /** Arguments for Commander: two dashes, and the values of flags joined with `=`. */
  readonly argv: readonly string[];
  /** The command of the line; for an unknown one the last group on the way to it. */
  readonly command: Command;
  /** Arguments behind the command that are no flags, up to a `--`; those behind the `--` are left out. */
  readonly operands: readonly string[];
  /** Set by `-input=false`, Terraform's flag for a run without anybody to answer questions. */
  readonly isUnattended: boolean;
  /** Unknown flags and commands, in the order of the line. */
  readonly faults: readonly Diagnostic[];
}

interface Flag {
  readonly name: string;
  /** Text behind the `=` of a flag; undefined for a flag without `=`. */
  readonly value: string | undefined;
}

/** `-out=x` and `--out`; undefined for `-`, a negative number and everything without a dash. */
function readFlag(arg: string): Flag | undefined {
  const [, name, value] = /^--?([A-Za-z][^=\s]*)(?:=([^]*))?$/.exec(arg) ?? [];
  return name === undefined ? undefined : { name, value };
}

/** A flag of a command, of the one that it runs without a name, or of those that it is in. */
function findOption(command: Command, name: string): Option | undefined {
  const here = [command, ...command.commands.filter((one) => isDefault(command, one))];
  const found = here
    .flatMap(({ options }) => options)
    .find(({ long, short }) => long === `--${name}` || short === `-${name}`);
  const { parent } = command;
  // The flags of `server` are no flags of what is below it.
  const above = parent && parent.options.length > 0 ? (parent.parent ?? parent) : parent;
  return found ?? (above ? findOption(above, name) : undefined);
}

/** Commander keeps the name of that command to itself, and its help writes it down. */
function isDefault(parent: Command, command: Command): boolean {
  return (parent as { _defaultCommandName?: string | null })._defaultCommandName === command.name();
}

const switchValues: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

class Reader {
  readonly #argv: readonly string[];
  readonly #commandNames: readonly string[];
  readonly #out: string[] = [];
  readonly #faults: Diagnostic[] = [];
  #at = 0;
  #command: Command;
  readonly #operands: string[] = [];
  #isUnattended = false;
  #asksHelp = false;
  /** True once `help` stands where a command could: what follows says of which. */
  #isAskedByWord = false;
  /** True once an argument is an operand, so that no further word is a subcommand. */
  #isAmongOperands = false;

  constructor(argv: readonly string[], program: Command, commandNames: readonly string[]) {
    this.#argv = argv;
    this.#commandNames = commandNames;
    this.#command = program;
  }

  read(): ParsedCommandLine {
    for (let arg = this.#next(); arg !== undefined; arg = this.#next()) {
      if (arg === '--') {
        if (!this.#isAskedByWord) this.#out.push(arg, ...this.#argv.slice(this.#at));
        break;
      }
      const flag = readFlag(arg);
      if (flag) this.#readFlag(arg, flag);
      else this.#readWord(arg);
    }
    return {
      // Commander's own `help` knows the commands of the program alone.
      argv: this.#isAskedByWord ? [...this.#out, '--help'] : this.#out,
      command: this.#command,
      operands: this.#operands,
      isUnattended: this.#isUnattended,
      // Faults are not reported where help is asked for.
      faults: this.#asksHelp ? [] : this.#faults,
    };
  }

  #next(): string | undefined {
    const arg = this.#argv[this.#at];
    this.#at += 1;
    return arg;
  }

  #readFlag(arg: string, { name, value }: Flag): void {
    if ((name === 'help' || arg === '-h') && value === undefined) {
      this.#asksHelp = true;
      this.#out.push('--help');
      return;
    }
    const option = findOption(this.#command, name);
    if (option) this.#readOption(option, name, value);
    else this.#readForeign(arg, { name, value });
  }

  #readOption(option: Option, name: string, value: string | undefined): void {
    const flag = `--${name}`;
    if (!option.required && !option.optional) {
      const isSet = value === undefined ? true : switchValues.get(value.toLowerCase());
      if (isSet === undefined) this.#faults.push(describeBadSwitchValue(flag, value ?? ''));
      else if (isSet) this.#out.push(flag);
      return;
    }
    const isNext =
      option.required || (option.optional && isAddressRangeList(this.#argv[this.#at] ?? ''));
    const given = value ?? (isNext ? this.#next() : undefined);
    // Without it, Commander would take the next word for the value.
    if (given === undefined) this.#out.push(option.optional ? `${flag}=` : flag);
    // Several values follow such a flag, and Commander takes them only where the first one is a word of its own.
    else if (option.variadic && value === undefined) this.#out.push(flag, given);
    else this.#out.push(`${flag}=${given}`);
  }

  /** Reports a flag that this program lacks: one of Terraform's, or an unknown one. */
  #readForeign(arg: string, { name, value }: Flag): void {
    const substitute = terraformFlagHints.get(name);
    if (name === 'input' && value === 'false') this.#isUnattended = true;
    else if (!substitute?.harmless?.includes(value ?? 'true')) {
      this.#faults.push(describeUnknownFlag(arg, name, this.#command));
      // The word behind an unknown flag may be its value, so it is not mistaken for a subcommand.
      if (value === undefined) this.#isAmongOperands ||= this.#command.parent !== null;
    }
  }

  #readWord(word: string): void {
    const { commands } = this.#command;
    if (word === 'help' && commands.length > 0 && !this.#isAmongOperands) {
      this.#isAskedByWord = true;
      return;
    }
    this.#out.push(word);
    if (this.#isAmongOperands) {
      this.#operands.push(word);
      return;
    }
    const command = commands.find((one) => one.name() === word);
    if (command) {
      this.#command = command;
      return;
    }
    const runsNothing =
      commands.length > 0 && !commands.some((one) => isDefault(this.#command, one));
    if (runsNothing) {
      if (this.#faults.length === 0) this.#faults.push(this.#refuseCommand(word));
      return;
    }
    this.#isAmongOperands = true;
    this.#operands.push(word);
  }

  #refuseCommand(word: string): Diagnostic {
    const { parent, commands } = this.#command;
    const known = parent ? commands.map((one) => one.name()) : this.#commandNames;
    return describeUnknownCommand(word, this.#command, known);
  }
}

/**
 * Parses a command line against a program that has the commands which the line can mean. `commandNames` are the names of all
 * commands, also of those that are not loaded.
 */
export function parseCommandLine(
  argv: readonly string[],
  program: Command,
  commandNames: readonly string[],
): ParsedCommandLine {
  return new Reader(argv, program, commandNames).read();
}
