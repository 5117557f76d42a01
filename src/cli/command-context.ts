import type { Runtime } from '../model/runtime.ts';
import type { ServerPorts } from '../server/server.ts';

/** Options that every command takes. */
export interface GlobalOptions {
  readonly isColorRefused: boolean;
  /** `--compact-warnings`, of the commands that have it. */
  readonly isCompact: boolean;
  /** `--verbose`, of the commands that have it. */
  readonly isVerbose: boolean;
}

/** Runtime, options and exit of the program, which every command is made with. */
export interface CommandLineContext {
  readonly runtime: Runtime;
  readonly globals: GlobalOptions;
  /** Sets the exit code of the process. */
  readonly exit: (code: number) => void;
  /** Writes to standard output past the guard, which escapes: for raw values that a script asked for. */
  readonly writeExactly: (text: string) => void;
  /** The ports of `server` and `worker`; the usual ones unless given. */
  readonly serverPorts?: Partial<ServerPorts>;
}
