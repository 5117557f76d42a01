// The clocks of a service. Its answers bear a `Date`, and its records the time when they came to be; both may come from machines
// that do not agree, by seconds or by the hours of a time zone. How far they are apart is learned from what was certainly made
// at a known time. From then on every time that the client tells is by the clock of `Date`.
import type { LiveResource } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { lostCreateSearchBounds } from '../model/state/evidence.ts';
import type { ServiceRecordClockLeads } from '../model/state/state.ts';

/** A span of time by `Date`, in milliseconds since the Unix epoch; undefined where the service did not tell one of both. */
interface Span {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

type Timed = Pick<LiveOperation, 'createdAt'> | Pick<LiveResource, 'createdAt'>;

/** Milliseconds of one step of the `Date` header, which has no fractions of a second. */
const dateStepMs = 1_000;
/** Largest difference between two clocks, above that of time zones: a record further off was made at another time. */
const largestSkewMs = 26 * 3_600_000;

/** Differences between the service's clocks and ours, learned from its answers. */
export class ServiceClocks {
  #known: ServiceRecordClockLeads = {};
  #hasLearned = false;
  /** Spans of time in which resources were created, by resource id, to compare with the times that the service gives for them. */
  readonly #madeIn = new Map<string, Span>();
  /** Times as the service told them, of what was translated. */
  readonly #told = new WeakMap<object, number>();
  #isReported = false;

  /** Known is how far the times of resources are from `Date`. */
  get areKnown(): boolean {
    return this.#known.resourcesAheadMs !== undefined;
  }

  /** The learned clock differences, to be stored for later runs; undefined where nothing is new. */
  get learned(): ServiceRecordClockLeads | undefined {
    return this.#hasLearned ? this.#known : undefined;
  }

  /** Starts from the clock differences that an earlier run has stored. */
  recall(known: ServiceRecordClockLeads = {}): void {
    this.#known = { ...known, ...this.#known };
  }

  /** Learns from a resource that was certainly made in a span of time. */
  noteMade(live: LiveResource, span: Span): void {
    this.#learn('resourcesAheadMs', live, span);
    if (this.#known.operationsAheadMs === undefined) this.#madeIn.set(live.id, span);
  }

  /** Learns the clock difference from the operation record of a create. */
  noteCreateRecord(operation: LiveOperation): void {
    const span = this.#madeIn.get(operation.resourceId ?? '');
    if (!span) return;
    this.#learn('operationsAheadMs', operation, span);
    this.#madeIn.clear();
  }

  /** A resource with its time by the clock of `Date`, as far as that is known. */
  readResource<L extends Pick<LiveResource, 'createdAt'>>(live: L): L {
    const { createdAt } = live;
    const { resourcesAheadMs: aheadMs } = this.#known;
    if (!aheadMs || typeof createdAt !== 'number') return live;
    return this.#keepTold({ ...live, createdAt: createdAt - aheadMs }, createdAt);
  }

  /** An operation record with its times by the clock of `Date`, as far as the difference is known. */
  readOperation(operation: LiveOperation): LiveOperation {
    const { operationsAheadMs: aheadMs } = this.#known;
    const { createdAt, completedAt } = operation;
    if (!aheadMs || createdAt === null) return operation;
    const ended = completedAt === null ? null : completedAt - aheadMs;
    return this.#keepTold(
      { ...operation, createdAt: createdAt - aheadMs, completedAt: ended },
      createdAt,
    );
  }

  /** The lead of records over `Date`, in milliseconds, where that is more than clocks differ; once, and undefined from then on. */
  takeNews(): number | undefined {
    const aheadMs = this.#known.resourcesAheadMs || this.#known.operationsAheadMs;
    if (!aheadMs || this.#isReported) return undefined;
    this.#isReported = true;
    return aheadMs;
  }

  #learn(clock: keyof ServiceRecordClockLeads, timed: Timed, { from, to }: Span): void {
    const told = this.#told.get(timed) ?? timed.createdAt;
    if (typeof told !== 'number' || from === undefined || to === undefined) return;
    // A create that took longer than the tolerated skew bounds the clock difference too loosely to be used.
    if (Math.abs(to - from) > lostCreateSearchBounds.clockSkewMs) return;
    const seenMs = Math.round(told - (from + to + dateStepMs) / 2);
    const isNear = (ms: number | undefined) =>
      ms !== undefined && Math.abs(seenMs - ms) <= lostCreateSearchBounds.clockSkewMs;
    if (isNear(this.#known[clock]) || Math.abs(seenMs) > largestSkewMs) return;
    this.#known = { ...this.#known, [clock]: isNear(0) ? 0 : seenMs };
    this.#hasLearned = true;
  }

  #keepTold<T extends object>(translated: T, told: number): T {
    this.#told.set(translated, told);
    return translated;
  }
}
