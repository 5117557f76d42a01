/** The record of an asynchronous operation: work of the service on a resource that is done, running or queued. */
export interface LiveOperation {
  readonly id: string;
  /** Type of the operation in the service's words: `Provision`, `Stop`, …; not all are published. */
  readonly type: string;
  /** `Queued`, `Succeeded`, …; not all values are published. See `readOperationOutcome`. */
  readonly status: string;
  /**
   * Kind of the operation's resource: `vm`, `network`, `publicIp`, `portForward` or `backup`; null when the record does not say.
   */
  readonly resourceType: string | null;
  /** Resource of the operation; null when the record does not say. */
  readonly resourceId: string | null;
  /** Begin, by the service's clock, in milliseconds since the Unix epoch; null when the record does not say. */
  readonly createdAt: number | null;
  /** End, by the service's clock, in milliseconds since the Unix epoch; null while the operation runs. */
  readonly completedAt: number | null;
  /** Code of the failure: `insufficientCapacity`, `timeout` or `internal`; null unless the operation failed. */
  readonly failureCode: string | null;
}
