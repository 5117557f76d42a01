import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { Runtime } from '../../../model/runtime.ts';
import type { StateBackend } from '../../../state/backends/backend.ts';
import { readProgress } from '../../../state/journal/read-progress.ts';
import type { LockInfo } from '../../../state/lock/lock-info.ts';
import type { WaitOptions } from '../../../state/lock/watch-holder.ts';
import { formatElapsed } from '../../../render/format/elapsed.ts';
import type { Reporter } from '../reporter.ts';

/** Options of waiting for a lock, with reports of its holder and of that run's progress. */
export function makeLockWaitOptions(
  { clock, interrupted, process: { run } }: Pick<Runtime, 'clock' | 'interrupted' | 'process'>,
  backend: StateBackend,
  timeoutMs: number,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): WaitOptions {
  const say = (words: string) => reporter.showDiagnostics([note(words)]);
  const nameOf = ({ Who, Operation }: LockInfo) => `${Who} (${Operation})`;
  return {
    clock,
    timeoutMs,
    run,
    signal: interrupted,
    onWait: (holder) =>
      say(
        `Waiting for the lock of the state, held by ${nameOf(holder)}, for ${formatElapsed(timeoutMs)} at most`,
      ),
    async onStillWaiting(holder) {
      const files = backend.openFiles();
      const progress = await readProgress(files);
      await files.close();
      const far = progress && `: ${progress.finished} finished, ${progress.underWay} under way`;
      say(`Still waiting for the lock, held by ${nameOf(holder)}${far ?? ''}`);
    },
  };
}

function note(summary: string): Diagnostic {
  return { severity: 'note', code: 'waiting-for-lock', summary };
}
