import { DiagnosticError } from '../model/errors.ts';

/** The error for a saved plan that no longer describes what would happen. @param detail the part that moved */
export function createStalePlanError(detail: string): DiagnosticError {
  const hint = 'Make the plan again, read it, and apply that one.';
  const summary = 'Saved plan is stale';
  return new DiagnosticError([{ severity: 'error', code: 'stale-plan', summary, detail, hint }]);
}
