import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';

/** Result of a part of `doctor`, or the fault, fixable by the user, that prevented it. */
export type CheckUpAttempt<T> = { readonly value: T } | { readonly fault: Diagnostic };

/**
 * Does a part of `doctor`; a fault that a user can fix becomes a result, so that the other checks go on. Other errors are thrown.
 */
export async function attemptCheckUp<T>(work: () => T | Promise<T>): Promise<CheckUpAttempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const [fault] = error instanceof DiagnosticError ? error.diagnostics : [];
    if (!fault) throw error;
    return { fault };
  }
}
