import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';

/** What came of some work, or what a user can fix of its failure. */
export type Attempted<T> = { readonly value: T } | { readonly fault: Diagnostic };

/** Does some work that may fail for what a user can fix. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<Attempted<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const [fault] = error instanceof DiagnosticError ? error.diagnostics : [];
    if (!fault) throw error;
    return { fault };
  }
}
