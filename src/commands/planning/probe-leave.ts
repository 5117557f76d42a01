import type { ProbeLeave } from '../../model/plan/readiness.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Leave to ask probes, as the person who runs the program gives it. A run of a server has none. */
export function findProbeLeave({
  probeLeave,
  process,
}: Pick<Runtime, 'probeLeave' | 'process'>): ProbeLeave {
  if (process.run) return 'on-server';
  return probeLeave ? 'given' : 'missing';
}
