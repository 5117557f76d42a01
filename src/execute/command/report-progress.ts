import type { Change } from '../../model/plan/plan.ts';
import type { ApplyStep } from '../../model/plan/result.ts';
import type { CommandJob, CommandProgress } from '../context/command-context.ts';
import type { RunContext } from '../context/run-context.ts';

/** Reports the progress of a change's commands as events. */
export function createCommandProgressReporter(
  { emit, clock }: Pick<RunContext, 'emit' | 'clock'>,
  { address }: Change,
  step: ApplyStep,
): CommandJob['report'] {
  return (progress) => {
    const lock = progress.kind === 'locked' ? progress.lock : undefined;
    emit({
      kind: 'progress',
      address,
      step,
      status: describeProgress(progress),
      ...(lock && { lock }),
      at: clock.now(),
    });
  };
}

function describeProgress(progress: CommandProgress): string {
  if (progress.kind === 'unlocked') return 'waited for a lock';
  const { kind, status } = progress;
  return kind === 'locked' ? `waiting for a lock: ${status}` : status;
}
