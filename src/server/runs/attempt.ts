import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../model/runtime.ts';
import { maskSecretsInValue, type SecretMask } from '../../model/text/mask-texts.ts';
import type {
  StateSqlStatement,
  StateSqlResult,
} from '../../state/backends/postgres/state-statements.ts';
import { identifyProcess } from '../../state/lock/lock-holder.ts';
import type { AccountIdentityKey } from '../accounts/accounts.ts';
import { RequestLeaseGranter, type RequestLeaseDependencies } from '../accounts/serve-requests.ts';
import type { RunCheckout } from '../sources/open-checkout.ts';
import { readStateSqlRequest, type StateSqlRequest } from '../states/serve-statements.ts';
import type { RunLogStream } from '../store/run-log.ts';
import type { EqualOlderPlan, StoredRun } from '../store/run.ts';
import { isAccountChangingRun } from '../store/server-hold.ts';
import type { ServerStore } from '../store/store.ts';
import type { Tracing } from '../traces/tracing.ts';
import type { StartChildProgram } from './run-child.ts';
import { RunPostponedError } from './run-postponed.ts';
import type { RunStepWriter } from './step-writer.ts';
import { parseJsonObject } from '../../model/json-object.ts';

/** Dependencies that are needed for one attempt to carry out a run. */
export interface RunAttemptOptions {
  readonly run: StoredRun;
  readonly store: ServerStore;
  readonly startProgram: StartChildProgram;
  /** Answers what the run's processes ask about the state of their workspace. */
  readonly answerState: HearChild['answerState'];
  readonly clock: Clock;
  /** Moment at which the attempt began: its limit counts from then on. */
  readonly begunMs: number;
  /** Complete environment of the run's processes; nothing else is inherited from the worker. */
  readonly env: Readonly<Record<string, string>>;
  readonly checkout: RunCheckout;
  /** Account that the run works on. */
  readonly account: AccountIdentityKey;
  /** Name of this computer, which the log shows. */
  readonly host: string;
  readonly lost: AbortSignal;
  /** Lists who wrote the commits since an older one, see `EqualOlderPlan`. */
  readonly listAuthors: (since: string) => Promise<EqualOlderPlan['authors']>;
  readonly tracing: Tracing;
  readonly say: (stream: RunLogStream, text: string) => void;
  /** Masks the secrets of the workspace in the output of the processes. */
  readonly mask: SecretMask;
  /** Takes the progress of the run's apply. */
  readonly steps: Pick<RunStepWriter, 'begin' | 'note'>;
}

/** Options of one call of the command-line program. */
interface ProgramCall {
  readonly onLine: RunAttemptOptions['say'];
  /** Environment variables of this process, added to those of the run. */
  readonly env: Readonly<Record<string, string>>;
  /** Set where a cancel of the run ends the process; unless set, the process goes on. */
  readonly heedsCancel: boolean;
}

const lookMs = 500;
/** Time that a run waits for the lock of its state, which a person's own computer may hold. */
const lockWait = '10m';
/** The program's advice to interrupt at the terminal, which a run does not have: the server's own advice replaces it. */
const terminalHint = /Interrupt again to stop at once/;
const serverHint = 'Cancel the run again to stop it at once';
/** Exit codes of the program: see the help. */
const failed = 1;
const interrupted = 130;

/**
 * One attempt of a worker to carry out a run, with its files and processes. A run has a further attempt when its worker is
 * killed.
 */
export class RunAttempt {
  readonly run: StoredRun;
  readonly store: ServerStore;
  readonly checkout: RunCheckout;
  readonly say: RunAttemptOptions['say'];
  readonly mask: SecretMask;
  readonly listAuthors: RunAttemptOptions['listAuthors'];
  readonly #options: RunAttemptOptions;
  #isCancelled = false;
  #hasBegun = false;
  #heldMs: number | undefined;

  constructor(options: RunAttemptOptions) {
    this.#options = options;
    ({ run: this.run, store: this.store, checkout: this.checkout } = options);
    ({ say: this.say, mask: this.mask, listAuthors: this.listAuthors } = options);
  }

  /** True once somebody has cancelled the run. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /**
   * Tells whether an apply of the attempt has begun its first step. One that was refused before that, as for a stale plan, has
   * changed nothing.
   */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Runs a plan, an apply or a destroy in the directory of the configuration. What it prints goes into the log, and so does whom
   * it waits for where a laptop holds the lock of the state.
   * @returns its exit code @throws RunPostponedError
   */
  async runProgram(
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<number | undefined> {
    return this.#run([...args, '--lock-timeout', lockWait, '--no-color'], {
      onLine: (stream, text) => this.say(stream, text.replace(terminalHint, serverHint)),
      env,
      heedsCancel: true,
    });
  }

  /**
   * Runs it, and returns what it prints, secrets and all. What it has to complain about is in the log where it fails. A cancel does not end
   * what takes a moment: a run that was cancelled must not fail by it, and one that is applied must not lose its outputs.
   */
  async readProgram(
    args: readonly string[],
    takes: 'a moment' | 'a while',
  ): Promise<{ code: number | undefined; text: string }> {
    const lines: string[] = [];
    const complaints: string[] = [];
    const onLine: RunAttemptOptions['say'] = (stream, text) => {
      (stream === 'output' ? lines : complaints).push(text);
    };
    const code = await this.#run(args, { onLine, env: {}, heedsCancel: takes === 'a while' });
    if (code !== 0) for (const text of complaints) this.say('error', text);
    return { code, text: lines.join('\n') };
  }

  /** Runs it within a span, which has the name of the command alone: arguments may say more. */
  #run(args: readonly string[], call: ProgramCall): Promise<number | undefined> {
    return this.#options.tracing.span(args[0] ?? '', {}, async (span) => {
      const code = await this.#runChild(args, call);
      if (code === undefined) span.fail('signal');
      else span.add({ 'process.exit.code': code });
      if (code === failed || code === interrupted) span.fail(`exit-${code}`);
      return code;
    });
  }

  async #runChild(
    args: readonly string[],
    { onLine, env: more, heedsCancel }: ProgramCall,
  ): Promise<number | undefined> {
    const { run, store, env, checkout, host, lost, account, clock, steps, answerState, begunMs } =
      this.#options;
    const ended = new AbortController();
    const child = this.#options.startProgram({
      args: [...args, ...checkout.reads.flatMap((directory) => ['--reads', directory])],
      cwd: checkout.directory,
      env: { ...env, ...more },
      isLow: run.operation === 'drift',
      spentMs: clock.now() - begunMs,
      onLine,
      serve: (pipe) =>
        hearChildProcess(pipe, {
          budgets: store.budgets,
          clock,
          answerState,
          steps: {
            begin: (count) => {
              this.#hasBegun = true;
              steps.begin(count);
            },
            note: (step) => steps.note(maskSecretsInValue(step, this.mask)),
          },
          onOnlyRefused: (afterMs) => {
            // Runs that change the account go on. All others are stopped, to be tried later.
            if (isAccountChangingRun(run)) return;
            this.#heldMs = afterMs;
            child.kill();
          },
          findAccount: (service) => store.accounts.open(run.workspaceId, { service, ...account }),
        }),
      onStart: async (pid) =>
        (await store.runs.noteChild(run, identifyProcess(pid, host))) && !lost.aborted,
    });
    const end = () => child.kill();
    lost.addEventListener('abort', end, { once: true });
    const interrupt = heedsCancel ? child.interrupt : () => undefined;
    const watching = this.#watch(interrupt, ended.signal);
    try {
      const code = await child.ended;
      if (this.#heldMs !== undefined && code === undefined)
        throw new RunPostponedError('service', this.#heldMs);
      return code;
    } finally {
      ended.abort();
      lost.removeEventListener('abort', end);
      await watching;
    }
  }

  /** Hands on what is asked of the run: an interrupt for each cancel, and one where a later attempt has begun. */
  async #watch(interrupt: () => void, ended: AbortSignal): Promise<void> {
    const { run, store } = this.#options;
    let heeded = 0;
    while (!ended.aborted) {
      // The database may be away for a while: then nobody can ask for anything.
      const now = await store.runs.find(run.id).catch(() => undefined);
      const asked = (now?.cancels ?? 0) + (now && now.attempt > run.attempt ? 1 : 0);
      if (now && now.cancels > 0) this.#isCancelled = true;
      // One signal each time: of two signals at the same moment, a process sees one.
      if (heeded < Math.min(asked, 2)) {
        interrupt();
        heeded += 1;
      }
      await sleep(lookMs, undefined, { signal: ended }).catch(() => undefined);
    }
  }
}

// A worker's end of the pipe to the process of a run, which asks for requests and says how far it is. One JSON object a line.

/** Dependencies of hearing the process of a run. */
interface HearChild extends RequestLeaseDependencies {
  readonly steps: Pick<RunStepWriter, 'begin' | 'note'>;
  /** Does a statement about the state of the workspace. */
  readonly answerState: (asked: StateSqlStatement) => Promise<StateSqlResult>;
}

/** A message of the process, but for its requests. */
interface Said {
  /** Number of steps of the apply. */
  readonly steps?: unknown;
  /** Step of the apply that began or ended. */
  readonly step?: unknown;
  /** A statement about its state. */
  readonly state?: unknown;
}

/** Hears one process until its pipe closes. */
export async function hearChildProcess(pipe: Duplex, means: HearChild): Promise<void> {
  const ended = new AbortController();
  const requests = new RequestLeaseGranter(pipe, means, ended.signal);
  pipe.on('error', () => undefined);
  try {
    for await (const line of createInterface({ input: pipe, crlfDelay: Infinity })) {
      const said = parseJsonObject(line) ?? {};
      const { steps, step, state }: Said = said;
      const asked = state === undefined ? undefined : readStateSqlRequest(state);
      if (steps !== undefined) means.steps.begin(steps);
      else if (step !== undefined) means.steps.note(step);
      else if (asked) void answer(pipe, asked, means);
      else requests.hear(said);
    }
  } catch {
    // A process that is killed breaks its pipe.
  } finally {
    ended.abort();
    await requests.finish();
  }
}

/** A process that has ended reads no answer; what it wrote is kept by the epoch of its lock from being too late. */
async function answer(
  pipe: Duplex,
  { id, ...asked }: StateSqlRequest,
  { answerState }: Pick<HearChild, 'answerState'>,
): Promise<void> {
  const answered = await answerState(asked);
  if (pipe.writable) pipe.write(`${JSON.stringify({ state: { id, ...answered } })}\n`);
}
