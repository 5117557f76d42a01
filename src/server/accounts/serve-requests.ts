// A worker's end of the pipe to the process of a run: it asks here for the requests that it may send, and says how far it is.
// One JSON object a line.
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../model/runtime.ts';
import type { StepWriter } from '../progress/step-writer.ts';
import { leaseMs, type Lease, type RequestBudgets } from './request-budgets.ts';

/** What the process of a run says. */
interface Said {
  /** The address of the service: at first, before anything else. */
  readonly service?: unknown;
  /** How many requests it would like to send. */
  readonly take?: unknown;
  /** How many it has sent since it said so last. */
  readonly used?: unknown;
  /** How many of its lease it does not use. */
  readonly back?: unknown;
  /** For how many milliseconds the service asked everybody to wait. */
  readonly hold?: unknown;
  /** True where it did so with 429. */
  readonly isRefused?: unknown;
  /** How many steps its apply has. */
  readonly steps?: unknown;
  /** One of them that began or ended. */
  readonly step?: unknown;
}

/** What serving needs. */
export interface ServeRequests {
  readonly budgets: RequestBudgets;
  readonly clock: Pick<Clock, 'sleep'>;
  /** Finds the account that is behind an address, or creates it. @returns its id */
  readonly findAccount: (service: string) => Promise<string>;
  /** Hears of the steps of an apply. */
  readonly steps: Pick<StepWriter, 'begin' | 'note'>;
}

const mostAtOnce = 20;
const mostCounted = 1_000;
const retryMs = 500;
const longestAddress = 2_000;

/** Answers one process until its pipe closes. */
export async function serveRequests(pipe: Duplex, means: ServeRequests): Promise<void> {
  const ended = new AbortController();
  const serving = new Serving(pipe, means, ended.signal);
  pipe.on('error', () => undefined);
  try {
    for await (const line of createInterface({ input: pipe, crlfDelay: Infinity })) {
      serving.hear(line);
    }
  } catch {
    // A process that is killed breaks its pipe.
  } finally {
    ended.abort();
    await serving.finish();
  }
}

class Serving {
  readonly #pipe: Duplex;
  readonly #means: ServeRequests;
  readonly #ended: AbortSignal;
  readonly #work = new Set<Promise<void>>();
  #account: Promise<string> | undefined;

  constructor(pipe: Duplex, means: ServeRequests, ended: AbortSignal) {
    this.#pipe = pipe;
    this.#means = means;
    this.#ended = ended;
  }

  hear(line: string): void {
    const said = parse(line);
    const { budgets, findAccount, steps } = this.#means;
    const { service } = said;
    if (said.steps !== undefined) steps.begin(said.steps);
    if (said.step !== undefined) steps.note(said.step);
    if (typeof service === 'string' && service.length <= longestAddress) {
      this.#account = this.#insist(() => findAccount(service));
      // Who awaits it sees its fault.
      this.#account.catch(() => undefined);
    }
    const account = this.#account;
    if (!account) return;
    const isRefused = said.isRefused === true;
    const [used, back, hold] = [readCount(said.used), readCount(said.back), Number(said.hold)];
    this.#do(async () => budgets.count(await account, used, isRefused ? 1 : 0));
    if (back > 0) this.#do(async () => budgets.giveBack(await account, back));
    if (hold > 0) this.#do(async () => budgets.hold(await account, hold));
    const take = Math.min(readCount(said.take), mostAtOnce);
    if (take > 0) this.#do(async () => this.#give(await account, take));
  }

  async finish(): Promise<void> {
    await Promise.all(this.#work);
  }

  /** Whatever waits here, waits in vain once the process has ended; what it holds is given back. */
  async #give(account: string, take: number): Promise<void> {
    const { budgets, clock } = this.#means;
    let lease = await this.#insist(() => budgets.lease(account, take));
    const isDelayed = lease.count > 0 && lease.waitMs > 0;
    if (isDelayed) {
      await clock.sleep(lease.waitMs, this.#ended).catch(() => undefined);
      lease = await this.#heedHold(account, lease);
    }
    if (this.#ended.aborted) await budgets.giveBack(account, lease.count);
    else this.#pipe.write(`${JSON.stringify({ ...lease, leftMs: leaseMs, isDelayed })}\n`);
  }

  /** Somebody was refused while this one waited for its tokens. */
  async #heedHold(account: string, { count }: Lease): Promise<Lease> {
    const { budgets } = this.#means;
    const holdMs = this.#ended.aborted ? 0 : await this.#insist(() => budgets.readHold(account));
    if (holdMs <= 0) return { count, waitMs: 0 };
    await budgets.giveBack(account, count);
    return { count: 0, waitMs: holdMs };
  }

  /** The database may be away for a while: nothing is sent meanwhile. */
  async #insist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (this.#ended.aborted) throw error;
        await this.#means.clock.sleep(retryMs, this.#ended).catch(() => undefined);
      }
    }
  }

  #do(work: () => Promise<unknown>): void {
    const task: Promise<void> = work().then(
      () => void this.#work.delete(task),
      // Counts are lost with the database, and tokens come back as the bucket fills.
      () => void this.#work.delete(task),
    );
    this.#work.add(task);
  }
}

function parse(line: string): Said {
  try {
    const said: unknown = JSON.parse(line);
    return typeof said === 'object' && said !== null ? said : {};
  } catch {
    return {};
  }
}

function readCount(value: unknown): number {
  return Number.isInteger(value) ? Math.min(Math.max(value as number, 0), mostCounted) : 0;
}
