import { networkOf } from '../support/network.ts';
import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { runCommandLine } from '../../src/cli/program.ts';
import type { Clock } from '../../src/model/runtime.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { hostileText, hostileTexts } from '../support/hostile-text.ts';
import { createRecordingSink } from '../support/recording-sink.ts';
import { silentRuntime } from '../support/silent-runtime.ts';

/** How a command line ended, and what it printed. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An account in whose texts a stranger has written, and the program that works on it. */
export interface HostileAccount {
  /** True: every text of the service's answers that is not read as a word of the contract holds something hostile. */
  isHostile: boolean;
  /** What is put behind the texts, in turn. */
  endings: readonly string[];
  /** True: the names of images, sizes and tariffs too, so that none that is configured is found. */
  hasHostileCatalog: boolean;
  /** True: every operation fails. */
  fails: boolean;
  /** Answers for the service where it gives something. */
  answer: ((request: Request) => unknown) | undefined;
  /** `GET /projects/p`, as they were sent. */
  readonly requests: string[];
  /** Without a terminal, unless it is given how wide one is. */
  run(args: readonly string[], columns?: number): Promise<Ended>;
  close(): void;
}

/** Members of the service's records that somebody else can write, or that the service may fill as it likes. */
const foreign: ReadonlySet<string> = new Set([
  ...['name', 'title', 'message', 'detail', 'failureCode', 'address', 'internalIp'],
  ...['fingerprint', 'availability', 'bootStatus', 'commandId'],
]);

/**
 * Hostile from the first answer on: with its name and its CIDR changed, a network would be another one, and every plan refused. So
 * the state holds it, too.
 */
function poisonCidrs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poisonCidrs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === 'cidr' && typeof one === 'string' ? `${one} ${hostileText}` : poisonCidrs(one),
    ]),
  );
}

/** Gives each text another hostile ending, and the same text the same one. */
function createPoison(account: Pick<HostileAccount, 'endings'>) {
  const given = new WeakMap<readonly string[], Map<string, string>>();
  const poisonText = (text: string) => {
    const { endings } = account;
    const known = given.get(endings) ?? new Map<string, string>();
    given.set(endings, known);
    const poisoned = known.get(text) ?? `${text} ${endings[known.size % endings.length] ?? ''}`;
    known.set(text, poisoned);
    return poisoned;
  };
  const poison = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((item) => poison(item, key));
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'string' && foreign.has(key) ? poisonText(value) : value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, poison(one, name)]),
    );
  };
  return poison;
}

/** How many times as fast as the clock on the wall. */
const speed = 200;
/** How long a sleeper sleeps before it looks at the clock again, in milliseconds on the wall: it may have been held. */
const napMs = 5;

/** A fast clock, which stands still while a request is under way: those take as long as this machine needs. */
class FastClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  #readAt = performance.now();
  #holds = 0;

  now(): number {
    const at = performance.now();
    if (this.#holds === 0) this.#now += (at - this.#readAt) * speed;
    this.#readAt = at;
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const until = this.now() + ms;
    for (let leftMs = ms; leftMs > 0; leftMs = until - this.now()) {
      signal?.throwIfAborted();
      await setTimeout(Math.min(leftMs / speed, napMs));
    }
    signal?.throwIfAborted();
  }

  async holdDuring<T>(work: () => Promise<T>): Promise<T> {
    this.now();
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.now();
      this.#holds -= 1;
    }
  }
}

/** Opens an account for the configuration of a directory. */
export async function openHostileAccount(
  cwd: string,
  options: Partial<SandboxOptions> = {},
): Promise<HostileAccount> {
  const clock = new FastClock();
  const service = await openSandbox({
    ...{ dataFile: ':memory:', now: () => clock.now(), speed: 100 },
    planFailure: () => (account.fails ? 'insufficientCapacity' : null),
    ...options,
  });
  const env = { HOSTWRIGHT_BASE_URL: 'https://account.test/v1', HOSTWRIGHT_TOKEN: service.token };
  const answer = async (request: Request): Promise<Response> => {
    account.requests.push(`${request.method} ${new URL(request.url).pathname}`);
    const given = account.answer?.(request);
    if (given instanceof Response) return given;
    const response = await service.fetch(request);
    const text = await response.text();
    const { status, headers } = response;
    if (text === '') return new Response(null, { status, headers });
    const body: unknown = poisonCidrs(given ?? JSON.parse(text));
    const isCatalog = /\/(images|configurations|tariffs)$/.test(new URL(request.url).pathname);
    const isPoisoned = account.isHostile && (!isCatalog || account.hasHostileCatalog);
    const shown = isPoisoned ? poison(body) : body;
    return new Response(JSON.stringify(shown), { status, headers });
  };

  const run = async (args: readonly string[], columns?: number): Promise<Ended> => {
    const [stdout, stderr] = [createRecordingSink(columns), createRecordingSink(columns)];
    const code = await runCommandLine(args, {
      ...silentRuntime,
      ...{
        clock,
        random: () => 0.5,
        ...networkOf((request) => clock.holdDuring(() => answer(request)), clock),
        cwd,
        env,
        stdout,
        stderr,
      },
      ask: () => Promise.resolve('yes'),
      readInput: () => Promise.resolve(''),
      interrupted: new AbortController().signal,
      process: { pid: process.pid, host: hostname(), user: 'me' },
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  };

  const account: HostileAccount = {
    isHostile: false,
    endings: Object.values(hostileTexts),
    hasHostileCatalog: false,
    fails: false,
    answer: undefined,
    requests: [],
    run,
    close: () => service.close(),
  };
  const poison = createPoison(account);
  return account;
}
