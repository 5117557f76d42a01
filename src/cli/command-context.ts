import type { Runtime } from '../model/runtime.ts';
import type { Readable, Writable } from 'node:stream';
import type { ServerExternalDependencies } from '../server/server.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly isColorRefused: boolean;
  /** True with `--compact-warnings`; false for commands without this flag. */
  readonly isCompact: boolean;
  /** True with `--verbose`; false for commands without this flag. */
  readonly isVerbose: boolean;
}

/** Standard input and output as they are, for a protocol that has them to itself. */
export interface StandardStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Runtime, options and exit of the program, which every command is made with. */
export interface CommandLineContext {
  readonly runtime: Runtime;
  readonly globals: GlobalOptions;
  /** Sets the exit code of the process. */
  readonly exit: (code: number) => void;
  /** Writes to standard output past the guard, which escapes: for raw values that a script asked for. */
  readonly writeExactly: (text: string) => void;
  /** Runs another command line in this process. */
  readonly runCommandLine: (words: readonly string[], runtime: Runtime) => Promise<number>;
  /** Absent where standard input and output are no streams of a process. */
  readonly openStreams?: () => StandardStreams;
  /** The ports of `server` and `worker`; the usual ones unless given. */
  readonly serverPorts?: Partial<ServerExternalDependencies>;
}
