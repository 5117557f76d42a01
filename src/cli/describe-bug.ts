import type { Diagnostic } from '../model/diagnostic.ts';
import { escapeStreamOutput } from '../render/format/escape.ts';

/** Text about a bug of Hostwright for its user: it is a bug, its stack, and how to report it. */
export function describeProgramBug(error: unknown): string {
  return escapeStreamOutput(
    [
      'This is a bug in Hostwright. What was recorded before it is safe.',
      'Please report it with what follows and with the command that you ran.',
      '',
      error instanceof Error ? describeStack(error) : String(error),
      '',
    ].join('\n'),
  );
}

function describeStack(error: Error): string {
  const stack = error.stack ?? error.message;
  return error.cause instanceof Error
    ? `${stack}\nCaused by: ${describeStack(error.cause)}`
    : stack;
}

/** Describes a bug as a diagnostic for programs. Its stack is left out: it goes to standard error, for people. */
export const describeBugAsDiagnostic = (error: unknown): Diagnostic => ({
  severity: 'error',
  code: 'internal-error',
  summary: `This is a bug in Hostwright: ${error instanceof Error ? error.message : String(error)}`,
  detail: 'What was recorded before it is safe.',
});
