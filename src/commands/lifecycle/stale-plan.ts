import type { DiagnosticError } from '../../model/errors.ts';
import { refuse } from '../session/refuse.ts';

/** What is answered where a saved plan no longer says what would happen. @param detail what moved */
export function createStaleError(detail: string): DiagnosticError {
  const hint = 'Make the plan again, read it, and apply that one.';
  return refuse('stale-plan', 'Saved plan is stale', { detail, hint });
}
