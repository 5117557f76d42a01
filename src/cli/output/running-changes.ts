import type { ResourceAddress } from '../../model/address.ts';
import type { ApplyEvent, ChangeLock } from '../../model/plan/result.ts';
import type { RunningChange } from '../../render/progress/progress-lines.ts';

/** Milliseconds between two lines about a change that is still running, on outputs without live lines. */
export const progressLineIntervalMs = 10_000;

interface Running {
  readonly address: ResourceAddress;
  readonly step: ApplyEvent['step'];
  readonly id: string | null;
  readonly startedAt: number;
  readonly withinMs: number;
  status?: string;
  lock?: ChangeLock | undefined;
  saidAt: number;
}

/** Changes of an apply that are running now, collected from the events of the apply. */
export class RunningApplyChanges {
  readonly #running = new Map<ResourceAddress, Running>();

  get size(): number {
    return this.#running.size;
  }

  note(event: ApplyEvent): void {
    const { address, step, at } = event;
    if (event.kind === 'started') {
      const { id, withinMs = 0 } = event;
      this.#running.set(address, { address, step, id, startedAt: at, withinMs, saidAt: at });
    } else if (event.kind === 'progress') {
      const one = this.#running.get(address);
      if (!one) return;
      one.status = event.status;
      one.lock = event.lock;
    } else {
      this.#running.delete(address);
    }
  }

  /** Lists the running changes, the oldest first. */
  list(now: number): RunningChange[] {
    return [...this.#running.values()].map((one) => describe(one, now));
  }

  /** Lists the running changes whose next progress line is due, and counts them as reported. */
  listDue(now: number): RunningChange[] {
    const due = [...this.#running.values()].filter(
      ({ saidAt }) => now - saidAt >= progressLineIntervalMs,
    );
    for (const one of due) one.saidAt = now;
    return due.map((one) => describe(one, now));
  }

  /** Milliseconds until the last of the running changes must have ended, by their timeouts. */
  drainMs(now: number): number {
    const ends = [...this.#running.values()].map(({ startedAt, withinMs }) => startedAt + withinMs);
    return Math.max(0, ...ends.map((end) => end - now));
  }
}

function describe(running: Running, now: number): RunningChange {
  const { address, step, id, startedAt, status, lock } = running;
  return {
    address,
    step,
    id,
    elapsedMs: now - startedAt,
    ...(status !== undefined && { status }),
    ...(lock && { lock }),
  };
}
