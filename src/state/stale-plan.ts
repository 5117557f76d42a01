import { DiagnosticError } from '../model/errors.ts';

/**
 * Creates the error for a saved plan that no longer describes the effects of an apply.
 * @param detail the part that has changed
 */
export function createStalePlanError(detail: string): DiagnosticError {
  const hint = 'Make the plan again, read it, and apply that one.';
  const summary = 'Saved plan is stale';
  return new DiagnosticError([{ severity: 'error', code: 'stale-plan', summary, detail, hint }]);
}
