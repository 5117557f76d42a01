import type { QuotaName } from './live.ts';

/** A part of a quota that another workspace of a server needs for a plan that is approved, and not applied yet. */
export interface ReservedQuota {
  readonly name: QuotaName;
  readonly amount: number;
  readonly workspace: string;
  /** Number of the run whose plan has reserved part of the quota. */
  readonly run: number;
}

/** Describes for a message who has reserved parts of a quota. */
export function describeReservedQuota(reserved: readonly ReservedQuota[], unit: string): string {
  return reserved
    .map(
      ({ amount, workspace, run }) =>
        `${amount}${unit} reserved by the workspace ${workspace}, run #${run}`,
    )
    .join(', ');
}
