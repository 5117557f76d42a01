import type { Diagnostic } from '../model/diagnostic.ts';
import { escapeOutput } from '../render/format/escape.ts';

/** What is said of a bug of Hostwright: what it means for users, its stack, and what to do with it. */
export function describeBug(error: unknown): string {
  return escapeOutput(
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

/** The same as a diagnostic, for programs: its stack is for people, on standard error. */
export const describeBugShortly = (error: unknown): Diagnostic => ({
  severity: 'error',
  code: 'internal-error',
  summary: `This is a bug in Hostwright: ${error instanceof Error ? error.message : String(error)}`,
  detail: 'What was recorded before it is safe.',
});
