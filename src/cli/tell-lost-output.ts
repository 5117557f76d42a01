import { refuse } from '../commands/session/refuse.ts';
import type { Runtime } from '../model/runtime.ts';
import { explainFailure } from './explain-failure.ts';

/** Says on standard error that the results on standard output are not whole. */
export function tellLostOutput(fault: Error, runtime: Runtime, isColorRefused: boolean): void {
  const lost = refuse('output-lost', 'The results cannot be written to standard output', {
    detail: `${fault.message}. What was begun has ended as usual; only what it printed is not whole.`,
    hint: 'Make room, or send the output elsewhere. "hostwright plan" shows how things stand now.',
  });
  explainFailure(lost, runtime, { isColorRefused, isCompact: false, isVerbose: false });
}
