import { describeFailure } from '../commands/describe-failure.ts';
import type { Runtime } from '../model/runtime.ts';
import { renderDiagnosticsText } from '../render/diagnostics-text.ts';
import type { GlobalOptions } from './command-context.ts';
import { layoutFor } from './terminal.ts';

/** Shows what stopped a command: what the user can mend as a diagnostic, a bug with its stack and how to report it. */
export function explainFailure(
  error: unknown,
  runtime: Runtime,
  { isColorRefused }: GlobalOptions,
): void {
  const { stderr, env } = runtime;
  const diagnostics = describeFailure(error);
  if (diagnostics) {
    stderr.write(renderDiagnosticsText(diagnostics, layoutFor(stderr, env, isColorRefused)));
    return;
  }
  stderr.write(
    [
      'This is a bug in Hostwright. Nothing that was done is lost: the state is on disk.',
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
