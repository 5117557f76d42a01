// The options that every command takes, anywhere on its line. They decide what everything else is relative to and runs
// with, so they are read before the commands are built.
import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import type { GivenVariable, Runtime } from '../../model/runtime.ts';
import type { GlobalOptions } from '../command-context.ts';
import { openPermissionPrompt } from '../output/ask-for-yes.ts';
import { guardOutputStreams } from '../output/terminal.ts';
import { addPermissionFlags, readPermissionFlags } from './allow-flags.ts';
import { listSizeLimitOptions } from './bound-flags.ts';

/** `--verbose`, of the commands that show plans. */
export const verboseOption = () =>
  new Option('--verbose', 'show every change on its own: equal changes are not grouped');
/** The flag `--oneline` of commands that show plans. */
export const onelineOption = () =>
  new Option('--oneline', 'show one line per resource: symbol, address, changes').conflicts([
    'format',
    'json',
    'verbose',
  ]);
/** The flag `--compact-warnings` of commands that show plans. */
export const compactOption = () =>
  new Option('--compact-warnings', 'if there is no error, show one line per warning or note');

/**
 * Adds the flags of the program itself, which every command accepts. Variables are added to `given` in the order of the command
 * line, since `--var` and `--var-file` override each other by order.
 */
export function addGlobalOptions(program: Command, given: GivenVariable[] = []): Command {
  const collect = (one: GivenVariable): string => {
    given.push(one);
    return '';
  };
  program
    .option('--no-color', 'no colours, even on a terminal')
    .option('--chdir <dir>', 'run as if in this directory')
    .option('--token-command <command>', 'a command that prints the access token')
    .option('--var <name=value>', 'set a variable of the configuration; can be repeated', (flag) =>
      collect({ flag }),
    )
    .option('--var-file <file>', 'a YAML or JSON file of variables; can be repeated', (file) =>
      collect({ file }),
    );
  for (const option of listSizeLimitOptions()) program.addOption(option);
  addPermissionFlags(program);
  return program;
}

interface GlobalFlags {
  readonly color: boolean;
  readonly verbose?: boolean;
  readonly compactWarnings?: boolean;
  readonly chdir?: string;
  readonly tokenCommand?: string;
}

/** Options of a command line that apply to every command. */
export interface GlobalSettings {
  readonly globals: GlobalOptions;
  /** Runtime with the directory, the streams, the variables and the permissions of the command line. */
  readonly runtime: Runtime;
  /** Directory of --chdir as it was written. */
  readonly directory: string | undefined;
  /** Values of all global flags, by the names that Commander derives from them. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/**
 * Reads the global flags from a command line, before the commands of `program` have to be loaded.
 * @throws CommanderError where a flag lacks its value
 */
export function readGlobalOptions(
  program: Command,
  argv: readonly string[],
  runtime: Runtime,
): GlobalSettings {
  const variables: GivenVariable[] = [];
  addGlobalOptions(program, variables).addOption(verboseOption()).addOption(compactOption());
  program.parseOptions([...argv]);
  const flags = program.opts<GlobalFlags>();
  const { chdir, tokenCommand } = flags;
  const globals = {
    isColorRefused: !flags.color,
    isCompact: flags.compactWarnings === true,
    isVerbose: flags.verbose === true,
  };
  const guarded = { ...runtime, ...guardOutputStreams(runtime, globals.isColorRefused) };
  return {
    globals,
    runtime: {
      ...guarded,
      askPermission: openPermissionPrompt(guarded, globals.isColorRefused),
      ...(chdir !== undefined && {
        cwd: resolve(runtime.cwd, chdir),
        shellDirectory: runtime.cwd,
      }),
      ...(tokenCommand !== undefined && { tokenCommand }),
      variables,
      ...readPermissionFlags(program.opts(), runtime),
    },
    directory: chdir,
    flags: program.opts(),
  };
}
