import { DiagnosticError } from '../model/errors.ts';

/** What is answered where a saved plan no longer says what would happen. @param detail what moved */
export function createStaleError(detail: string): DiagnosticError {
  const hint = 'Make the plan again, read it, and apply that one.';
  const summary = 'Saved plan is stale';
  return new DiagnosticError([{ severity: 'error', code: 'stale-plan', summary, detail, hint }]);
}
