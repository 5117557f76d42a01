import {
  listModuleInstanceSequences,
  type ModuleInstanceSequence,
} from '../../model/plan/list-turns.ts';
import type { Task } from '../../model/plan/task.ts';
import type { PlannedWriteToCommand } from '../../model/write-to.ts';
import { formatElapsed } from '../format/elapsed.ts';

/**
 * Describes the modules whose instances are changed one after the other, with the order of the instances in words. Not
 * yet escaped.
 */
export function describeSequentialModules(
  tasks: readonly Task[],
): readonly PlannedWriteToCommand[] {
  return listModuleInstanceSequences(tasks).map((turns) => ({
    address: turns.module,
    command: [describeModuleInstanceOrder(turns), ...nameBetween(turns)].join('\n'),
  }));
}

/** Describes the order of a module's instances: `3 instances one after the other: dev, staging, prod`. */
export function describeModuleInstanceOrder({ keys }: ModuleInstanceSequence): string {
  const listed = keys.join(', ');
  return keys.length === 1
    ? `${listed}, once the checks hold`
    : `${keys.length} instances one after the other: ${listed}`;
}

function nameBetween({ keys, needsChecks, waitMs }: ModuleInstanceSequence): readonly string[] {
  const parts = [
    ...(needsChecks ? ['the checks must hold'] : []),
    ...(waitMs > 0 ? [`${formatElapsed(waitMs)} pass`] : []),
  ];
  return keys.length === 1 || parts.length === 0 ? [] : [`between them ${parts.join(' and ')}`];
}
