import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceRange } from '../../model/source.ts';
import { VirtualTimeError } from '../../sandbox/clock/virtual-clock.ts';
import { describeFailure } from '../session/describe-failure.ts';

/** The code of what ends a test that does not end by itself. */
export const timeoutCode = 'test-timeout';

/** What a step came to, before it is judged. */
export interface Attempted {
  readonly diagnostics: readonly Diagnostic[];
  /** True where it could not come to its end, so that nothing after it can run. */
  readonly isAborted?: true;
}

/** Does work that may fail in ways that a user can fix; what has no place of its own is reported at `source`. @throws bugs */
export async function attemptStep<T>(
  source: SourceRange,
  work: () => Promise<T>,
): Promise<Attempted & { readonly value?: T }> {
  try {
    return { value: await work(), diagnostics: [] };
  } catch (error) {
    if (error instanceof VirtualTimeError) {
      return { isAborted: true, diagnostics: [explainStuck(error, source)] };
    }
    const found = describeFailure(error);
    if (!found) throw error;
    const diagnostics = found.map((one) => ({ source, ...one }));
    const isAborted = found.some(({ code }) => code === timeoutCode);
    return { diagnostics, ...(isAborted && { isAborted }) };
  }
}

function explainStuck({ reason }: VirtualTimeError, source: SourceRange): Diagnostic {
  return {
    severity: 'error',
    code: timeoutCode,
    summary:
      reason === 'limit'
        ? 'The step did not end within 48 hours of virtual time'
        : 'The step waits for something that never happens',
    hint: 'Run "hostwright plan" on a sandbox to see what it does.',
    source,
  };
}
