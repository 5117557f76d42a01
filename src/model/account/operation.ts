/** The record of an asynchronous operation: what the service did, is doing or will do to a resource. */
export interface LiveOperation {
  readonly id: string;
  /** `Provision`, `Stop`, …; not all values are published. */
  readonly type: string;
  /** `Queued`, `Succeeded`, …; not all values are published. See `outcomeOf`. */
  readonly status: string;
  /** `vm`, `network`, `publicIp`, `portForward` or `backup`; null when the record does not say. */
  readonly resourceType: string | null;
  /** The resource that it is about; null when the record does not say. */
  readonly resourceId: string | null;
  /** Begin, by the service's clock, in milliseconds since the Unix epoch; null when the record does not say. */
  readonly createdAt: number | null;
  /** End, by the service's clock, in milliseconds since the Unix epoch; null while the operation runs. */
  readonly completedAt: number | null;
  /** `insufficientCapacity`, `timeout`, `internal`; null unless it failed. */
  readonly failureCode: string | null;
}
