import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { DiagnosticError } from '../../../model/errors.ts';
import type { Runtime } from '../../../model/runtime.ts';

/**
 * Requires that a person, by a flag or at the terminal, allows something that only a configuration asks for.
 * @throws the refusal
 */
export async function requirePersonalPermission(
  { askPermission }: Pick<Runtime, 'askPermission'>,
  isAllowed: boolean,
  refusal: DiagnosticError,
): Promise<void> {
  const [doubt] = refusal.diagnostics;
  if (isAllowed || (doubt && (await askPermission?.(doubt)))) return;
  throw refusal;
}

/** The warning where a person's permission cannot be remembered; `fault` is a sentence. */
export function warnOfUnrememberedPermission(fault: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'trust-not-remembered',
    summary: 'Your answer cannot be remembered: the next run asks again',
    detail: fault,
    hint: 'Set HOSTWRIGHT_BASE_URL and HOSTWRIGHT_STATE, or XDG_STATE_HOME to a directory of your own.',
  };
}
