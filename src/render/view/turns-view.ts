import { listModuleInstanceTurns, type ModuleInstanceTurns } from '../../model/plan/list-turns.ts';
import type { Task } from '../../model/plan/task.ts';
import type { PlannedCommand } from '../../model/write-to.ts';
import { formatElapsed } from '../format/elapsed.ts';

/** The instances of modules that go one after the other, by the use of the module, in words. Not yet escaped. */
export function viewInstanceTurns(tasks: readonly Task[]): readonly PlannedCommand[] {
  return listModuleInstanceTurns(tasks).map((turns) => ({
    address: turns.module,
    command: [nameInstanceTurns(turns), ...nameBetween(turns)].join('\n'),
  }));
}

/** Names the order of a module's instances: `3 instances one after the other: dev, staging, prod`. */
export function nameInstanceTurns({ keys }: ModuleInstanceTurns): string {
  const listed = keys.join(', ');
  return keys.length === 1
    ? `${listed}, once the checks hold`
    : `${keys.length} instances one after the other: ${listed}`;
}

function nameBetween({ keys, needsChecks, waitMs }: ModuleInstanceTurns): readonly string[] {
  const parts = [
    ...(needsChecks ? ['the checks must hold'] : []),
    ...(waitMs > 0 ? [`${formatElapsed(waitMs)} pass`] : []),
  ];
  return keys.length === 1 || parts.length === 0 ? [] : [`between them ${parts.join(' and ')}`];
}
