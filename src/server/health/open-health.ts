// Health in parts: each is looked at by itself, and waited for no longer than a bound, whatever hangs.
import { setTimeout as sleep } from 'node:timers/promises';
import { BackendError } from '../../state/backends/backend-error.ts';

/** Health of a part: `failed` where its look said so, `silent` where that did not end in time. */
export type ComponentHealth = 'ok' | 'failed' | 'silent';

/** Looks at parts, by their names. Each throws where its part is not well. */
export type HealthChecks = Readonly<Record<string, () => unknown>>;

/** Time limit of a health check, in milliseconds: clients that ask for the health of a process rarely wait for longer. */
export const healthCheckTimeoutMs = 2_000;

/**
 * The parts of the health of a process. A look that has not ended is not begun once more: one that hangs takes one
 * connection, however often somebody asks.
 */
export function openHealthChecks(
  looks: HealthChecks,
  withinMs = healthCheckTimeoutMs,
): () => Promise<Readonly<Record<string, ComponentHealth>>> {
  const open = new Map<string, Promise<ComponentHealth>>();
  const look = async (name: string, begin: () => unknown): Promise<ComponentHealth> => {
    const begun =
      open.get(name) ??
      Promise.resolve()
        .then(begin)
        .then(
          () => 'ok' as const,
          () => 'failed' as const,
        )
        .finally(() => open.delete(name));
    open.set(name, begun);
    const over = new AbortController();
    const bound = sleep(withinMs, 'silent' as const, { signal: over.signal });
    try {
      return await Promise.race([begun, bound]);
    } finally {
      over.abort();
      bound.catch(() => undefined);
    }
  };
  return async () => {
    const found = Object.entries(looks).map(
      async ([name, begin]) => [name, await look(name, begin)] as const,
    );
    return Object.fromEntries(await Promise.all(found));
  };
}

/** Room of the database: none from the first statement that found none, until a write works again. */
export class DatabaseRoom {
  #isMissing = false;

  /** Hears of each statement that failed. */
  note(error: unknown): void {
    if (error instanceof BackendError && error.fault === 'full') this.#isMissing = true;
  }

  /** Writes only where there was no room. Rejects where there is none yet. */
  async look(write: () => Promise<unknown>): Promise<void> {
    if (!this.#isMissing) return;
    await write();
    this.#isMissing = false;
  }
}
