// What a fleet looks after, as far as a server sees any of it: accounts that count requests, and what stands in them. Every
// workspace has a project with networks; a commit says what it wants of them.
import type { DayClock } from './day-clock.ts';

/** Networks by their names, with one setting each. */
export type Networks = ReadonlyMap<string, string>;

/** A change of a network. */
export interface NetworkChange {
  readonly name: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly after: string | undefined;
}

/** How many requests an account allows, and how it answers. */
export class AccountDouble {
  readonly name: string;
  readonly perSecond: number;
  readonly burst: number;
  requests = 0;
  /** Refused because they were too many, which a budget has to prevent. */
  excess = 0;
  /** Refused in an outage. */
  refusals = 0;
  /** Until when everything is refused. */
  outageUntil = 0;
  readonly #clock: DayClock;
  #tokens: number;
  #filledAt: number;

  constructor(clock: DayClock, name: string, limits: { perSecond: number; burst: number }) {
    this.#clock = clock;
    this.name = name;
    ({ perSecond: this.perSecond, burst: this.burst } = limits);
    this.#tokens = this.burst;
    this.#filledAt = clock.now();
  }

  /** True where the request is answered with what it asks for; else it is 429. */
  ask(): boolean {
    const now = this.#clock.now();
    const earned = ((now - this.#filledAt) / 1_000) * this.perSecond;
    this.#tokens = Math.min(this.burst, this.#tokens + earned);
    this.#filledAt = now;
    this.requests += 1;
    if (now < this.outageUntil) {
      this.refusals += 1;
      return false;
    }
    // Of fractions, some dust is left over.
    if (this.#tokens < 0.999) {
      this.excess += 1;
      return false;
    }
    this.#tokens -= 1;
    return true;
  }
}

/** What one workspace has in its account, and what its state knows of it. */
export interface Ground {
  readonly name: string;
  readonly account: AccountDouble;
  live: Map<string, string>;
  state: Map<string, string>;
  /** The revision of its newest commit. */
  revision: number;
}

/** A commit with a revision in it. */
export const nameCommit = (revision: number): string => revision.toString(16).padStart(40, '0');

/** What a commit asks for. Each revision changes, adds and removes something. */
export function readCommit(commit: string): Networks {
  const revision = Number.parseInt(commit, 16);
  return new Map([
    ['main', `r${revision}`],
    [`n${revision % 5}`, 'x'],
    [`n${(revision + 1) % 5}`, `v${revision >> 1}`],
  ]);
}

/** What leads from one to the other. */
export function compareNetworks(before: Networks, after: Networks): readonly NetworkChange[] {
  const changes: NetworkChange[] = [];
  for (const [name, setting] of after) {
    if (before.get(name) === setting) continue;
    changes.push({ name, action: before.has(name) ? 'update' : 'create', after: setting });
  }
  for (const name of before.keys())
    if (!after.has(name)) changes.push({ name, action: 'delete', after: undefined });
  return changes;
}

/** What was changed outside: of what is in the state, whatever else there is. */
export const findDrift = ({ live, state }: Ground): readonly NetworkChange[] =>
  [...state].flatMap(([name, setting]): NetworkChange[] => {
    const now = live.get(name);
    if (now === setting) return [];
    return [{ name, action: now === undefined ? 'delete' : 'update', after: now }];
  });
