import { resolve } from 'node:path';
import { listConfigurationFiles } from '../config/read-files.ts';
import type { Configuration } from '../config/load-configuration.ts';
import type { DiagnosticError } from '../model/errors.ts';
import type { Plan, PlanMode } from '../model/plan.ts';
import type { Runtime } from '../model/runtime.ts';
import { comparePlans } from '../plan/compare-plans.ts';
import { readPlanFile, type SavedPlan } from '../state/plan-file.ts';
import type { Planned } from './make-plan.ts';
import type { Reporter } from './reporter.ts';
import { refuse } from './refuse.ts';
import { maskPlan, isSealedAlike } from './seal-secrets.ts';
import { readConfiguration, type Session } from './session.ts';
import { createStaleError } from './stale-plan.ts';
import { restoreSecrets } from './withhold-secrets.ts';

/** At most so many differences are shown. */
const maxShown = 20;

/** Reads a plan file for `apply`. @throws DiagnosticError when it is no usable plan */
export async function openSavedPlan(
  runtime: Runtime,
  path: string,
): Promise<SavedPlan & { mode: PlanMode }> {
  const saved = await readPlanFile(resolve(runtime.cwd, path));
  return { ...saved, mode: saved.plan.mode };
}

/**
 * The configuration that a saved plan was made of. The YAML of the moment is only read for sensitive values, which no
 * plan file holds.
 * @throws DiagnosticError where they are not to be had, or where the plan is not from here
 */
export async function restoreConfiguration(
  runtime: Runtime,
  saved: SavedPlan,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Configuration> {
  const { connection: service, requestsPerSecond, requestTimeouts } = saved;
  const { leaseMs, variables, desired } = saved;
  const directory = resolve(runtime.cwd, saved.directory);
  const given = { directory, service, requestsPerSecond, requestTimeouts, leaseMs, variables };
  if (saved.isIncomplete) {
    const current = await readConfiguration(runtime, saved.directory, reporter, variables);
    const graph = restoreSecrets(desired, current.graph);
    return { ...given, files: current.files, graph };
  }
  // The state stands beside the configuration: elsewhere there would be none, and all of it be made twice.
  const files = await listConfigurationFiles(directory);
  if (files.length === 0) throw notFromHere(saved.directory);
  return { ...given, files, graph: desired };
}

function notFromHere(directory: string): DiagnosticError {
  return refuse(
    'plan-from-elsewhere',
    `There is no configuration in ${directory}, which the plan was made for`,
    {
      detail: 'The state stands beside the configuration.',
      hint: 'Apply the plan from the directory that it was made in.',
    },
  );
}

/**
 * Makes sure that a saved plan still says what would happen: the same state, the same service, and, once the account
 * was read anew, the same changes. What moved elsewhere does not matter.
 * @throws DiagnosticError `stale-plan`, with what moved
 */
export function confirmSavedPlan(
  saved: SavedPlan,
  { store, connection }: Session,
  planned?: Planned,
): void {
  const { lineage, serial } = store.state;
  // A state that was never written has no lineage to compare: its first one is made up on the spot.
  const isSameState = saved.serial === serial && (serial === 0 || saved.lineage === lineage);
  if (!isSameState)
    throw createStaleError('The state was changed by another run since the plan was made.');
  if (saved.service !== connection.service) {
    throw createStaleError(
      `The plan was made for ${saved.service}, this run would go to ${connection.service}.`,
    );
  }
  if (!planned) return;
  // Through JSON, as the saved one has been.
  const now = JSON.parse(JSON.stringify(maskPlan(planned.plan))) as Plan;
  const moved = comparePlans(saved.plan, now);
  if (moved.length > 0) {
    const rest = moved.length > maxShown ? [`and ${moved.length - maxShown} more`] : [];
    const lines = [...moved.slice(0, maxShown), ...rest];
    throw createStaleError(
      `The account has moved since the plan was made, so that another change would follow:\n\n${lines.join('\n')}`,
    );
  }
  if (!isSealedAlike(saved.seal, planned.desired, planned.plan)) {
    throw createStaleError('A sensitive value is no longer the one that the plan was made with.');
  }
}
