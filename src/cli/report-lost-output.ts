import { createCommandRefusal } from '../commands/session/refuse.ts';
import type { Runtime } from '../model/runtime.ts';
import { explainFailure } from './explain-failure.ts';

/** Reports on standard error that the results on standard output are incomplete, since they could not be written. */
export function reportLostOutput(
  fault: Error,
  runtime: Pick<Runtime, 'env' | 'stderr'>,
  isColorRefused: boolean,
): void {
  const lost = createCommandRefusal(
    'output-lost',
    'The results cannot be written to standard output',
    {
      detail: `${fault.message}. The command finished as usual; only its output is incomplete.`,
      hint: 'Free disk space, or send the output elsewhere. "hostwright plan" shows the current state.',
    },
  );
  explainFailure(lost, runtime, { isColorRefused, isCompact: false, isVerbose: false });
}
