import type { Runtime } from '../model/runtime.ts';
import type { ServerPorts } from '../server/server.ts';

/** What holds for every command. */
export interface GlobalOptions {
  readonly isColorRefused: boolean;
  /** `--compact-warnings`, of the commands that have it. */
  readonly isCompact: boolean;
  /** `--verbose`, of the commands that have it. */
  readonly isVerbose: boolean;
}

/** What every command is made with. */
export interface CommandContext {
  readonly runtime: Runtime;
  readonly globals: GlobalOptions;
  /** Says with which code the process is to end. */
  readonly exit: (code: number) => void;
  /** Writes to standard output past the guard, which escapes: for what a script asked to have as it is. */
  readonly writeExactly: (text: string) => void;
  /** The ports of `server` and `worker`; the usual ones unless given. */
  readonly serverPorts?: Partial<ServerPorts>;
}
