// Reports the steps of an apply from the process of a run to its worker: people watch them on a page. Loaded for such a run
// alone.
import type { Runtime } from '../model/runtime.ts';
import type { WorkerConnection } from './worker-line.ts';

/** Says how many steps an apply has, and when each begins and ends. */
export function reportApplySteps(line: WorkerConnection): NonNullable<Runtime['followApply']> {
  return (steps) => {
    line.say({ steps });
    return {
      note({ kind, address, step, at }) {
        if (kind !== 'progress') line.say({ step: { kind, address, step, at } });
      },
    };
  };
}
