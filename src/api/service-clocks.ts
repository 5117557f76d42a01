// The clocks of a service. Its answers bear a `Date`, and its records the time when they came to be; both may come from machines
// that do not agree, by seconds or by the hours of a time zone. How far they are apart is learned from what was certainly made
// at a known time. From then on every time that the client tells is by the clock of `Date`.
import type { LiveResource } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { evidenceBounds } from '../model/state/evidence.ts';
import type { KnownClocks } from '../model/state/state.ts';

/** A span of time by `Date`, in milliseconds since the Unix epoch; undefined where the service did not tell one of both. */
interface Span {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

type Timed = Pick<LiveOperation, 'createdAt'> | Pick<LiveResource, 'createdAt'>;

/** A `Date` header tells whole seconds. */
const dateStepMs = 1_000;
/** Largest difference between two clocks, above that of time zones: a record further off was made at another time. */
const largestSkewMs = 26 * 3_600_000;

/** The clocks of one service, as far as they are known. */
export class ServiceClocks {
  #known: KnownClocks = {};
  #hasLearned = false;
  /** When resources were made, by id. */
  readonly #madeIn = new Map<string, Span>();
  /** Times as the service told them, of what was translated. */
  readonly #told = new WeakMap<object, number>();
  #isReported = false;

  /** Known is how far the times of resources are from `Date`. */
  get areKnown(): boolean {
    return this.#known.resourcesAheadMs !== undefined;
  }

  /** Knowledge to be remembered; undefined where nothing is new. */
  get learned(): KnownClocks | undefined {
    return this.#hasLearned ? this.#known : undefined;
  }

  /** Starts from what an earlier run has learned. */
  recall(known: KnownClocks = {}): void {
    this.#known = { ...known, ...this.#known };
  }

  /** Learns from a resource that was certainly made in a span of time. */
  noteMade(live: LiveResource, span: Span): void {
    this.#learn('resourcesAheadMs', live, span);
    if (this.#known.operationsAheadMs === undefined) this.#madeIn.set(live.id, span);
  }

  /** Learns from the operation record of a create. */
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

  #learn(clock: keyof KnownClocks, timed: Timed, { from, to }: Span): void {
    const told = this.#told.get(timed) ?? timed.createdAt;
    if (typeof told !== 'number' || from === undefined || to === undefined) return;
    // The longer the span, the less it tells.
    if (Math.abs(to - from) > evidenceBounds.clockSkewMs) return;
    const seenMs = Math.round(told - (from + to + dateStepMs) / 2);
    const isNear = (ms: number | undefined) =>
      ms !== undefined && Math.abs(seenMs - ms) <= evidenceBounds.clockSkewMs;
    if (isNear(this.#known[clock]) || Math.abs(seenMs) > largestSkewMs) return;
    this.#known = { ...this.#known, [clock]: isNear(0) ? 0 : seenMs };
    this.#hasLearned = true;
  }

  #keepTold<T extends object>(translated: T, told: number): T {
    this.#told.set(translated, told);
    return translated;
  }
}
