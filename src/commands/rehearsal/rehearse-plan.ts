import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Runtime } from '../../model/runtime.ts';
import { readFaultScript } from '../../sandbox/faults/read-script.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import { readFileNamedByFlag } from '../session/read-given-file.ts';
import { defaultMaxConnections } from '../session/service-network.ts';
import type { ConfigurationSession } from '../session/session.ts';
import { rehearsePlan } from './rehearse.ts';
import { listFaultScriptTargets } from './rehearsed-names.ts';

/** Options of `--rehearse`. */
export interface RehearsalRequest {
  /** The number of times that the plan is rehearsed. */
  readonly times: number;
  /** The number of changes that each rehearsed apply runs at once. */
  readonly parallelism: number;
  /** Path of the script of faults to inject, as the user wrote it; absent for none. */
  readonly faults?: string | undefined;
}

/** Rehearses a plan of a session; undefined for one that changes nothing. */
type RehearsePlan = (
  session: Pick<ConfigurationSession, 'configuration' | 'store' | 'connection'>,
  planned: PlanWithSources,
) => Promise<Rehearsal | undefined>;

/**
 * Reads the fault script before anything else, so that an error in it shows at once, and makes the function that rehearses a
 * plan. The script is checked once more against the resources of that plan.
 */
export async function prepareRehearsal(
  { cwd, clock }: Pick<Runtime, 'cwd' | 'clock'>,
  { times, parallelism, faults: file }: RehearsalRequest,
): Promise<RehearsePlan> {
  const text = file === undefined ? '' : await readFileNamedByFlag(cwd, file, '--faults');
  // A first reading of the fault script, for its shape alone: names in it are checked once the account was read.
  if (file !== undefined) await readFaultScript(text, file, 'any');
  return async ({ configuration, store: { state }, connection }, planned) => {
    const { configurations: sizes } = planned.live.catalog;
    const faults =
      file === undefined
        ? undefined
        : {
            file,
            script: await readFaultScript(text, file, sizes, listFaultScriptTargets(planned)),
          };
    const { service, speed } = connection;
    const { maxConnections = defaultMaxConnections, requestsPerSecond } = configuration;
    const timeouts = configuration.requestTimeouts;
    // The limit of requests per second is left out for a sandbox, which needs no protection.
    const pace = { maxConnections, timeouts, ...(speed === undefined && { requestsPerSecond }) };
    const input = { state, service, speed, pace, parallelism, now: clock.now() };
    return rehearsePlan(planned, input, { times, faults });
  };
}
