import type { QuotaName } from './live.ts';

/** A part of a quota that another workspace of a server needs for a plan that is approved, and not applied yet. */
export interface ReservedQuota {
  readonly name: QuotaName;
  readonly amount: number;
  readonly workspace: string;
  /** The number of the run that made the plan. */
  readonly run: number;
}

/** Who has reserved parts of a quota, as a message says it. */
export function describeReserved(reserved: readonly ReservedQuota[], unit: string): string {
  return reserved
    .map(
      ({ amount, workspace, run }) =>
        `${amount}${unit} reserved by the workspace ${workspace}, run #${run}`,
    )
    .join(', ');
}
