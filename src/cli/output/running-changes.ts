import type { ResourceAddress } from '../../model/address.ts';
import type { ApplyEvent, ChangeLock } from '../../model/plan/result.ts';
import type { RunningChange } from '../../render/progress/progress-lines.ts';

/** Milliseconds between two lines about a change that is still running, where no line is drawn over again. */
export const stillRunningIntervalMs = 10_000;

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

/** Running changes of an apply, collected from the apply's events. */
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

  /** Running changes whose next line is due; from now on they count as reported. */
  listDue(now: number): RunningChange[] {
    const due = [...this.#running.values()].filter(
      ({ saidAt }) => now - saidAt >= stillRunningIntervalMs,
    );
    for (const one of due) one.saidAt = now;
    return due.map((one) => describe(one, now));
  }

  /** Milliseconds until every running change must have ended by its timeout. */
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
