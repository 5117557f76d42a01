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

/** Raw standard input and output, for a protocol such as MCP that uses them alone. */
export interface StandardStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Context that every command is built with: the runtime, the global options, and the ways to write and to exit. */
export interface CommandLineContext {
  readonly runtime: Runtime;
  readonly globals: GlobalOptions;
  /** Sets the exit code of the process. */
  readonly exit: (code: number) => void;
  /** Writes to standard output without escaping terminal sequences: for raw values that a script asked for. */
  readonly writeExactly: (text: string) => void;
  /** Runs another command line in this process. */
  readonly runCommandLine: (words: readonly string[], runtime: Runtime) => Promise<number>;
  /** Opens the raw standard streams; absent where standard input and output are no streams of a process, as in tests. */
  readonly openStreams?: () => StandardStreams;
  /** Replacements for the external dependencies of `server` and `worker`, as tests give them; the real ones unless given. */
  readonly serverPorts?: Partial<ServerExternalDependencies>;
}
