// Probes where nothing leads outside: a script answers for them. Without one they hold as soon as their member runs.
import { findBlockAddress } from '../../model/address.ts';
import type { RunProbeOnce } from '../../model/plan/readiness.ts';
import type { ProbeReadinessScript } from '../../model/plan/ready-script.ts';
import type { Clock } from '../../model/runtime.ts';

/**
 * Answers the probes of a rehearsal by a readiness script: by its entry for the instance, else for the block, else for all. The
 * script is about VMs that a change has touched; one that was restored from a backup is ready at once.
 */
export function answerRehearsalProbes(
  script: ProbeReadinessScript,
  clock: Pick<Clock, 'now'>,
): RunProbeOnce {
  return (_probe, { address, since, isRestored }) => {
    const { byAddress } = script;
    const afterMs =
      byAddress.get(address) ?? byAddress.get(findBlockAddress(address)) ?? script.afterMs;
    const isReady = isRestored === true || clock.now() - since >= afterMs;
    return Promise.resolve(
      isReady ? { kind: 'holds' } : { kind: 'failing', seen: 'not ready by the script' },
    );
  };
}
