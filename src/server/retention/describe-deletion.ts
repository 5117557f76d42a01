import type { DeletedDetails } from '../runs/run.ts';

/** Why a run has no log, no saved plan and no page any more. */
export function describeDeletion({ at, keptDays }: DeletedDetails): string {
  const day = at.toISOString().slice(0, 10);
  return `Its log and its plan were deleted on ${day}: they are kept for ${keptDays} days.`;
}
