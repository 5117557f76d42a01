import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';

/** Makes the error by which a command refuses a fault that the user can fix. */
export function createCommandRefusal(
  code: string,
  summary: string,
  words: Pick<Diagnostic, 'detail' | 'hint' | 'address' | 'source'> = {},
): DiagnosticError {
  return new DiagnosticError([{ severity: 'error', code, summary, ...words }]);
}
