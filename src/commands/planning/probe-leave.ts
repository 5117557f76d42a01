// Leave to ask probes: from the person who runs the program, or, on a server, from the owner of the workspace.
import type { RunProbeOnce } from '../../model/plan/readiness.ts';
import type { Runtime } from '../../model/runtime.ts';

/** Makes the prober of a directory, within the permissions that there are. */
export function openAskProbe(
  runtime: Pick<Runtime, 'openProber' | 'probeLeave' | 'process'>,
  directory: string,
): RunProbeOnce {
  const { probeLeave, process } = runtime;
  const isOnServer = process.run !== undefined;
  return runtime.openProber({ ranges: probeLeave?.ranges ?? [], directory, isOnServer });
}

