import type { ApprovalDifference } from '../../model/plan/approval.ts';

/** The version of this document; in a new minor version, keys are only added. */
const version = '2.0';

/** Two saved plans side by side, each difference on its own: `schemas/day-two.schema.json`, `compare`. */
export function renderPlanDifferencesJson(differences: readonly ApprovalDifference[]): object {
  return {
    format_version: version,
    is_same: differences.length === 0,
    differences: differences.map(({ line, ...difference }) => ({ ...difference, message: line })),
  };
}
