// A budget of requests that several processes draw on: what a server gives to its runs.

/** Requests to one service, on one account, of all processes together. */
export interface SharedBudget {
  /**
   * Resolves with 0 once one request may start, or else with the milliseconds for which nobody may start any. Rejects with
   * the reason of the signal.
   */
  take(signal?: AbortSignal): Promise<number>;
  /** The service asked everybody to wait. `status` is that of its answer. */
  noteOverload(afterMs: number, status: number | undefined): void;
  /** Gives back what is left. */
  close(): void;
}
