import { hostname } from 'node:os';
import { runCommandLine } from '../../src/cli/program.ts';
import type { Clock, TextSink } from '../../src/model/runtime.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { hostileText } from '../support/hostile-text.ts';

/** How a command line ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An account in whose texts a stranger has written, and the program that works on it. */
export interface HostileAccount {
  /** True: every text of the service's answers holds something hostile. */
  isHostile: boolean;
  /** Answers for the service where it gives something. */
  answer: ((request: Request) => Response | undefined) | undefined;
  run(...args: readonly string[]): Promise<Ended>;
  runOn(terminal: { columns: number }, ...args: readonly string[]): Promise<Ended>;
  close(): void;
}

/** Members of the service's records that somebody else can write, or the service may fill as it likes. */
const foreign: ReadonlySet<string> = new Set([
  ...['name', 'title', 'message', 'detail', 'failureCode', 'cidr', 'address', 'internalIp'],
  ...['fingerprint', 'operation', 'availability', 'subject', 'text', 'body', 'event', 'locale'],
]);

function poison(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => poison(item, key));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, name)]));
  }
  return typeof value === 'string' && foreign.has(key) ? value + hostileText : value;
}

/** A clock on which waiting takes no time; what is waited for at most is waited for by nobody. */
function createClock(): Clock {
  let now = Date.UTC(2026, 0, 1);
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        if (ms < 10_000)
          setImmediate(() => {
            now += ms;
            resolve();
          });
      }),
  };
}

/** Opens an account for the configuration of a directory. */
export async function openHostileAccount(cwd: string): Promise<HostileAccount> {
  const clock = createClock();
  const sandbox = await openSandbox({ dataFile: ':memory:', now: () => clock.now(), speed: 100 });
  const env = { HOSTWRIGHT_BASE_URL: 'https://account.test/v1', HOSTWRIGHT_TOKEN: sandbox.token };

  const account: HostileAccount = {
    isHostile: false,
    answer: undefined,
    run: (...args) => start(args, undefined),
    runOn: ({ columns }, ...args) => start(args, columns),
    close: () => sandbox.close(),
  };

  const send = async (request: Request): Promise<Response> => {
    const given = account.answer?.(request);
    if (given) return given;
    const response = await sandbox.fetch(request);
    const text = await response.text();
    const { status, headers } = response;
    if (text === '') return new Response(null, { status, headers });
    const body = account.isHostile ? JSON.stringify(poison(JSON.parse(text))) : text;
    return new Response(body, { status, headers });
  };

  const start = async (args: readonly string[], columns: number | undefined): Promise<Ended> => {
    const sink = (): TextSink & { text: string } => ({
      ...{ text: '', isTTY: columns !== undefined, columns, rows: columns && 24 },
      write(text) {
        this.text += text;
      },
    });
    const [stdout, stderr] = [sink(), sink()];
    const code = await runCommandLine(args, {
      ...{ clock, random: () => 0.5, fetch: send, cwd, env, stdout, stderr },
      ask: () => Promise.resolve('yes'),
      readInput: () => Promise.resolve(''),
      execute: () => Promise.reject(new Error('nothing is executed here')),
      interrupted: new AbortController().signal,
      holdInterrupts: () => () => undefined,
      beforeAbruptEnd: () => () => undefined,
      process: { pid: process.pid, host: hostname(), user: 'me' },
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
  return account;
}
