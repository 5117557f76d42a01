import { describeCommandFailure } from '../commands/session/describe-failure.ts';
import type { Runtime } from '../model/runtime.ts';
import { renderDiagnosticsText } from '../render/text/diagnostics-text.ts';
import type { GlobalOptions } from './command-context.ts';
import { describeProgramBug } from './describe-bug.ts';
import { chooseTextLayout } from './output/terminal.ts';

/**
 * Prints the error that stopped a command to standard error: a fault that the user can fix as a diagnostic, a bug with its stack
 * and how to report it.
 */
export function explainFailure(
  error: unknown,
  runtime: Pick<Runtime, 'env' | 'stderr'>,
  { isColorRefused }: GlobalOptions,
): void {
  const { stderr, env } = runtime;
  const diagnostics = describeCommandFailure(error);
  const layout = chooseTextLayout(stderr, env, isColorRefused);
  stderr.write(
    diagnostics ? renderDiagnosticsText(diagnostics, layout) : describeProgramBug(error),
  );
}
