import type { ApprovalDifference } from '../../model/plan/approval.ts';

/** The version of this document; in a new minor version, keys are only added. */
const version = '2.0';

/**
 * Renders the JSON of `compare`: every difference between two saved plans as an entry of its own (see
 * `schemas/day-two.schema.json`).
 */
export function renderPlanDifferencesJson(differences: readonly ApprovalDifference[]): object {
  return {
    format_version: version,
    is_same: differences.length === 0,
    differences: differences.map(({ line, ...difference }) => ({ ...difference, message: line })),
  };
}
