import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';

/** Result of some work, or a fault that a user can fix. */
export type CheckUpAttempt<T> = { readonly value: T } | { readonly fault: Diagnostic };

/** Does some work that may fail with faults that a user can fix; other errors are thrown. */
export async function attemptCheckUp<T>(work: () => T | Promise<T>): Promise<CheckUpAttempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const [fault] = error instanceof DiagnosticError ? error.diagnostics : [];
    if (!fault) throw error;
    return { fault };
  }
}
