// A budget of requests that several processes share: a server's runs against one account.

/** Budget of requests that all processes share for one account at a service, so that together they keep its limits. */
export interface SharedRequestBudget {
  /**
   * Resolves with 0 once one request may start, or else with the milliseconds for which no process may start any. Rejects
   * with the reason of the signal.
   */
  take(signal?: AbortSignal): Promise<number>;
  /** The service asked everybody to wait. `status` is that of its answer. */
  noteOverload(afterMs: number, status: number | undefined): void;
  /** Returns the unused part of the shared budget of requests. */
  close(): void;
}
