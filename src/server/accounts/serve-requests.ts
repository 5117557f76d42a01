// Answers of a worker to the process of a run, which asks for the requests that it may send.
import type { Duplex } from 'node:stream';
import type { Clock } from '../../model/runtime.ts';
import { requestLeaseMs, type RequestLease, type RequestBudgetStore } from './request-budgets.ts';

/** A message of a run's process about the requests that it sends to the service. */
interface Said {
  /** Address of the service, which the first message tells. */
  readonly service?: unknown;
  /** Number of requests that the process wants to send. */
  readonly take?: unknown;
  /** Number of requests that the process has sent since its last message. */
  readonly used?: unknown;
  /** Number of leased requests that the process returns unused. */
  readonly back?: unknown;
  /** For how many milliseconds the service asked everybody to wait. */
  readonly hold?: unknown;
  /** True where the service refused with status 429. */
  readonly isRefused?: unknown;
}

/** Dependencies for granting the processes of runs the right to send requests to the service. */
export interface RequestLeaseDependencies {
  readonly budgets: RequestBudgetStore;
  readonly clock: Pick<Clock, 'sleep'>;
  /**
   * Called once the process was paused for long and the service has refused all of its requests, so that the run is better
   * postponed.
   */
  readonly onOnlyRefused?: (afterMs: number) => void;
  /** Finds the account that is behind an address, or creates it. @returns its id */
  readonly findAccount: (service: string) => Promise<string>;
}

const mostAtOnce = 20;
const mostCounted = 1_000;
const retryMs = 500;
const longestAddress = 2_000;
/** Total pause, in milliseconds, from which a run is postponed, provided that all of its requests were refused. */
const longPauseMs = 5_000;
/** Bounds of the time for which a run is postponed, whatever the service or the run's process says. */
const leastPauseMs = 10_000;
const mostPauseMs = 120_000;

/** Grants the process of one run the right to send requests to the service, within the budget of the account. */
export class RequestLeaseGranter {
  readonly #pipe: Duplex;
  readonly #means: RequestLeaseDependencies;
  readonly #ended: AbortSignal;
  readonly #work = new Set<Promise<void>>();
  #account: Promise<string> | undefined;
  #used = 0;
  #refused = 0;
  #pausedMs = 0;

  /** @param ended aborted when the pipe to the process closes. */
  constructor(pipe: Duplex, means: RequestLeaseDependencies, ended: AbortSignal) {
    this.#pipe = pipe;
    this.#means = means;
    this.#ended = ended;
  }

  /** Handles a message of the run's process. Its content is checked, since the process may run a stranger's configuration. */
  hear(said: Said): void {
    const { budgets, findAccount } = this.#means;
    const { service } = said;
    if (typeof service === 'string' && service.length <= longestAddress) {
      this.#account = this.#insist(() => findAccount(service));
      // The rejection is handled by whoever awaits the account.
      this.#account.catch(() => undefined);
    }
    const account = this.#account;
    if (!account) return;
    const isRefused = said.isRefused === true;
    const [used, back, hold] = [readCount(said.used), readCount(said.back), Number(said.hold)];
    this.#do(async () => budgets.count(await account, used, isRefused ? 1 : 0));
    if (back > 0) this.#do(async () => budgets.giveBack(await account, back));
    this.#used += used;
    if (hold > 0) {
      this.#do(async () => budgets.hold(await account, hold));
      this.#refused += 1;
      this.#notePause(hold);
    }
    const take = Math.min(readCount(said.take), mostAtOnce);
    if (take > 0) this.#do(async () => this.#give(await account, take));
  }

  /** The process is to wait, for what it was answered itself or for what another one was. */
  #notePause(ms: number): void {
    this.#pausedMs += ms;
    if (this.#pausedMs < longPauseMs || this.#refused < this.#used) return;
    this.#means.onOnlyRefused?.(Math.min(Math.max(ms, leastPauseMs), mostPauseMs));
  }

  /** Resolves when every message of the process has been handled. */
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
    if (lease.count === 0) this.#notePause(lease.waitMs);
    if (this.#ended.aborted) await budgets.giveBack(account, lease.count);
    else this.#pipe.write(`${JSON.stringify({ ...lease, leftMs: requestLeaseMs, isDelayed })}\n`);
  }

  /** The service may have refused another run while this one waited, so that its lease is void. */
  async #heedHold(account: string, { count }: RequestLease): Promise<RequestLease> {
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

function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value)
    ? Math.min(Math.max(value, 0), mostCounted)
    : 0;
}
