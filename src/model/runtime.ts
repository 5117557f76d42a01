import type { ConfigurationSizeLimits } from './bounds.ts';
import type { NetworkConnections, NetworkSettings } from './http.ts';
import type { OtherWorkspaceProject } from './account/owned-project.ts';
import type { ReservedQuota } from './account/reserved-quota.ts';
import type { SharedRequestBudget } from './account/shared-budget.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { RunProbeOnce } from './plan/readiness.ts';
import type { ApplyEvent } from './plan/result.ts';

/** Source of time. Injected, so that a whole apply can run on a virtual clock. */
export interface Clock {
  /** Present time in milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The part of a text stream that the program needs. */
export interface TextSink {
  write(text: string): void;
  /**
   * Resolves once there is room for more, which may take as long as the reader does. False where nothing that is written
   * gets anywhere any more.
   */
  ready(): Promise<boolean>;
  /** Tells whether the stream is a terminal. */
  readonly isTTY: boolean;
  /** Width of the terminal in columns; undefined for a stream that is none. */
  readonly columns: number | undefined;
  /** Height of the terminal in lines; undefined for a stream that is none. */
  readonly rows: number | undefined;
}

/** A line that the user typed, or the reason why there is none. */
export type EnteredLine =
  | { readonly kind: 'line'; readonly text: string }
  /** Ctrl-C has discarded the typed line. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'end' };

/** Reads standard input line by line. */
export interface LineReader {
  /** Tells whether a person types the lines, so that a prompt is shown. */
  readonly isTerminal: boolean;
  next(prompt: string): Promise<EnteredLine>;
  close(): void;
}

/** Settings for editing lines in a terminal: prompt, history and completion. */
export interface LineEditorSettings {
  /** Completions for the end of a line: each candidate begins with the fragment that it takes the place of. */
  complete(line: string): [candidates: string[], fragment: string];
}

/** A thread of the process: it answers each message with one of its own, in their order. */
export interface Thread {
  /** Sends a message and gives the answer; both are copied. Rejects with what ended the thread. */
  ask(message: unknown): Promise<unknown>;
  /** Ends the thread at once, whatever it is doing. */
  close(): Promise<void>;
}

/** `--var NAME=VALUE`, or `--var-file FILE`, relative to the working directory. */
export type GivenVariable = { readonly flag: string } | { readonly file: string };

/** Identifies the server's run, and the attempt of it, that this process carries out. */
export interface ServerRunAttempt {
  readonly id: string;
  /** Number of the attempt, from 1. A later one begins only once the worker of the one before is known to be gone. */
  readonly attempt: number;
}

/**
 * Everything impure that the program may use, made once in main.ts. Functions take the members that they use; groups of
 * members that several take together have a name below.
 */
export interface Runtime {
  readonly clock: Clock;
  /** Draws a random number in [0, 1). */
  random(): number;
  /** Prepares connections to a service; none is opened before the first request. */
  openNetwork(settings: NetworkSettings): NetworkConnections;
  /** Reservations of other workspaces, by quota; none unless given. */
  readonly reservedQuotas?: readonly ReservedQuota[];
  /** Projects of the account that other workspaces manage; none unless given. */
  readonly ownedProjects?: readonly OtherWorkspaceProject[];
  /** The budget of the account at a service, by its base address, where this process shares one with others. */
  readonly openBudget?: (service: string) => SharedRequestBudget;
  /** Called when an apply begins, with its number of steps; the returned listener gets the events of each. */
  readonly followApply?: (steps: number) => { note(event: ApplyEvent): void };
  /** Executes a statement for the state in PostgreSQL, in a process that has no credentials for its database. */
  readonly askState?: (
    statement: string,
    values: readonly (string | number | null)[],
  ) => Promise<{ readonly rows: readonly Readonly<Record<string, string | null>>[] }>;
  /** Directory in which a worker keeps a state of the workspace that could not be written; beside the configuration unless given. */
  readonly rescueDirectory?: string;
  /** The working directory: paths in arguments and messages are relative to it. */
  readonly cwd: string;
  /** The shell's own directory, in which commands that messages name are typed; `cwd` unless `--chdir` leads elsewhere. */
  readonly shellDirectory?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Asks and reads one line of standard input; undefined when that has ended. */
  ask(question: string): Promise<string | undefined>;
  /** Tells whether a person sits at the terminal and can be asked. */
  readonly isAttended?: boolean;
  /** Shows a doubt and asks for permission; absent where no person can be asked. */
  readonly askPermission?: ((doubt: Diagnostic) => Promise<boolean>) | undefined;
  /** Reads standard input to its end. */
  readInput(): Promise<string>;
  /** Opens standard input for reading line by line. */
  openLines(settings: LineEditorSettings): Promise<LineReader>;
  /** Aborted by the first interrupt while interrupts are held: the run starts nothing new and waits for running work. */
  readonly interrupted: AbortSignal;
  /**
   * Holds interrupts: from here on the first one only aborts `interrupted`, after `onInterrupt`; the second ends the process.
   * Without a hold the first one ends it. Returns a function that ends the hold.
   */
  holdInterrupts(onInterrupt: () => void): () => void;
  /**
   * Does `work` where the process ends in the middle of a command, at an interrupt or by a bug, before the last message. It
   * must not wait for anything. Returns a function that cancels this.
   */
  beforeAbruptEnd(work: () => void): () => void;
  /** Does `before` where a person suspends the process, and `after` once it goes on. Returns a function that cancels this. */
  aroundSuspension(work: { readonly before: () => void; readonly after: () => void }): () => void;
  /**
   * Runs a shell command and gives its output; rejects with its exit. With `secretly`, `input` is its standard input, `env`
   * its whole environment, and its output is dropped: it may repeat the secret in the input.
   */
  execute(
    command: string,
    secretly?: { readonly input: string; readonly env: Runtime['env'] },
  ): Promise<string>;
  /**
   * Runs a program without a shell, on the terminal of this one; it never sees `HOSTWRIGHT_…`.
   * @returns its exit code; null where a signal ended it. Rejects where it cannot start
   */
  runInTerminal(program: string, args: readonly string[]): Promise<number | null>;
  /** Opens a thread that runs a file of the program; absent where there is one thread alone. */
  readonly openThread?: (file: 'thread') => Promise<Thread>;
  /** `--token-command`: the shell command that prints the access token. */
  readonly tokenCommand?: string;
  /** `--var NAME=VALUE` and `--var-file FILE`, in the order in which they were given. */
  readonly variables?: readonly GivenVariable[];
  /** `--allow-env NAME`: environment variables that the configuration may read. */
  readonly readableEnv?: readonly string[];
  /** Files outside of its directory that the configuration may have read. */
  readonly allowsOutsideFiles?: OutsideFilesPermission;
  /** `--policies DIR`: absolute paths of directories whose policies are judged beside those of the configuration. */
  readonly policyDirectories?: readonly string[];
  /** `--max-resources`, `--max-module-instances`, `--max-file-size`; the usual ones unless given. */
  readonly bounds?: ConfigurationSizeLimits;
  /** `--allow-commands`: an apply may run the commands that the configuration names. */
  readonly allowsCommands?: boolean;
  /** `--allow-probes [RANGES]`: an apply may ask the probes of rollouts; `ranges` are private ones that it may reach. */
  readonly probePermission?: { readonly ranges: readonly string[] } | undefined;
  /**
   * Opens what asks probes: it reaches public addresses, on a server only those of the account, and these ranges; commands
   * run in the directory.
   */
  openProber(settings: {
    readonly ranges: readonly string[];
    readonly directory: string;
    readonly isOnServer: boolean;
  }): RunProbeOnce;
  /** `--allow-other-service`: the service, or who vouches for it, may be one that neither the state nor the user knows. */
  readonly allowsOtherService?: boolean;
  /** `--allow-other-contract`: the service may be spelled otherwise than at the last apply. */
  readonly allowsOtherContract?: boolean;
  /** `--allow-other-state`: the state, and the credentials for it, may be in another place than before. */
  readonly allowsOtherState?: boolean;
  /** `--allow-plain-state`: a state that is not encrypted, although it is to be, is read once more. */
  readonly allowsPlainState?: boolean;
  /** `--allow-plain-http`: the access token, and the state, may be sent without encryption, also beyond this machine. */
  readonly allowsPlainHttp?: boolean;
  /** Tells whether an agent may write the configuration: what it names on this machine may then be that agent's own. */
  readonly distrustsLoopback?: boolean;
  /** Identity of this process, which the lock of a state shows to others. */
  readonly process: {
    readonly pid: number;
    readonly host: string;
    readonly user: string;
    /** The server's run that this process carries out; absent for a command of a user. */
    readonly run?: ServerRunAttempt;
  };
}

/** Members of the runtime that are needed to read a configuration. */
export type ReadingRuntime = Pick<
  Runtime,
  | 'allowsOutsideFiles'
  | 'bounds'
  | 'cwd'
  | 'env'
  | 'policyDirectories'
  | 'readableEnv'
  | 'shellDirectory'
  | 'variables'
>;

/** Runtime members that trusting a service needs, whoever names it. */
type TrustRuntime = Pick<
  Runtime,
  | 'allowsOtherService'
  | 'allowsPlainHttp'
  | 'askPermission'
  | 'clock'
  | 'cwd'
  | 'distrustsLoopback'
  | 'env'
  | 'execute'
  | 'openNetwork'
  | 'process'
>;

/** Members of the runtime that are needed to connect to a service. */
export type ConnectingRuntime = TrustRuntime &
  Pick<Runtime, 'allowsOtherContract' | 'openBudget' | 'random' | 'stderr' | 'tokenCommand'>;

/** Members of the runtime that are needed to open a state. */
export type StateRuntime = TrustRuntime &
  Pick<
    Runtime,
    | 'allowsOtherState'
    | 'allowsOutsideFiles'
    | 'allowsPlainState'
    | 'askState'
    | 'bounds'
    | 'interrupted'
    | 'rescueDirectory'
  >;

/**
 * Permission to read files outside of a directory: all with `--allow-outside-files`, those below real paths with
 * `--reads`.
 */
export type OutsideFilesPermission = boolean | readonly string[];

/** Needs of a session: a configuration, its state, and a connection to the service. */
export type SessionRuntime = ReadingRuntime & ConnectingRuntime & StateRuntime;

/** Runtime members that a dialogue with a person at a terminal needs. */
export type TerminalRuntime = Pick<
  Runtime,
  | 'aroundSuspension'
  | 'ask'
  | 'beforeAbruptEnd'
  | 'clock'
  | 'env'
  | 'interrupted'
  | 'stderr'
  | 'stdout'
>;
