import type { Diagnostic } from '../../model/diagnostic.ts';
import type { SourceRange } from '../../model/source.ts';
import { VirtualTimeError } from '../../sandbox/clock/virtual-clock.ts';
import { describeCommandFailure } from '../session/describe-failure.ts';

/** Code of the diagnostic for a test that does not end by itself. */
export const testTimeoutCode = 'test-timeout';

/** Result of a test step, before its assertions are evaluated. */
export interface TestStepResult {
  readonly diagnostics: readonly Diagnostic[];
  /** Set where the step did not end, so that later steps cannot run. */
  readonly isAborted?: true;
}

/** Does work that may fail in ways that a user can fix; diagnostics without a position are reported at `source`. @throws bugs */
export async function attemptTestStep<T>(
  source: SourceRange,
  work: () => Promise<T>,
): Promise<TestStepResult & { readonly value?: T }> {
  try {
    return { value: await work(), diagnostics: [] };
  } catch (error) {
    if (error instanceof VirtualTimeError) {
      return { isAborted: true, diagnostics: [explainStuck(error, source)] };
    }
    const found = describeCommandFailure(error);
    if (!found) throw error;
    const diagnostics = found.map((one) => ({ source, ...one }));
    const isAborted = found.some(({ code }) => code === testTimeoutCode);
    return { diagnostics, ...(isAborted && { isAborted }) };
  }
}

function explainStuck({ reason }: VirtualTimeError, source: SourceRange): Diagnostic {
  return {
    severity: 'error',
    code: testTimeoutCode,
    summary:
      reason === 'limit'
        ? 'The step did not end within 48 hours of virtual time'
        : 'The step waits for something that never happens',
    hint: 'Run "hostwright plan" on a sandbox to see what it does.',
    source,
  };
}
