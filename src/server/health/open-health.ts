// Health in parts: each is looked at by itself, and waited for no longer than a bound, whatever hangs.
import { setTimeout as sleep } from 'node:timers/promises';
import { BackendError } from '../../state/backends/backend-error.ts';

/** Health of a part of the process: `failed` where its check failed, `silent` where the check did not end in time. */
export type ComponentHealth = 'ok' | 'failed' | 'silent';

/** Health checks of the parts of a process, by name. Each throws where its part is not well. */
export type HealthChecks = Readonly<Record<string, () => unknown>>;

/** Time limit of a health check, in milliseconds: clients that ask for the health of a process rarely wait for longer. */
export const healthCheckTimeoutMs = 2_000;

/**
 * Makes the reader of a process's health. A check that hangs is not started again before it ends, so that it occupies one
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

/**
 * Tells whether the database has free disk space: no longer once a statement fails for lack of it, and again once a write
 * succeeds.
 */
export class DatabaseDiskSpace {
  #isMissing = false;

  /** Takes note of the error of each failed statement. */
  note(error: unknown): void {
    if (error instanceof BackendError && error.fault === 'full') this.#isMissing = true;
  }

  /** Tries a write where disk space was lacking. Rejects while it still is. */
  async look(write: () => Promise<unknown>): Promise<void> {
    if (!this.#isMissing) return;
    await write();
    this.#isMissing = false;
  }
}
