import { describeError } from '../../api/errors/describe-error.ts';
import { ApiError } from '../../api/errors/errors.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import { BackendError } from '../../state/backends/backend-error.ts';
import { createBackendFailureError } from '../../state/faults.ts';

/** Diagnostics of the error that stopped a command; undefined when it is a bug. */
export function describeCommandFailure(error: unknown): readonly Diagnostic[] | undefined {
  if (error instanceof DiagnosticError) return error.diagnostics;
  if (error instanceof ApiError) return [describeError(error)];
  if (error instanceof BackendError) return createBackendFailureError(error).diagnostics;
  return undefined;
}
