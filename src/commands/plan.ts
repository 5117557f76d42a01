import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { hasErrors } from '../model/diagnostic.ts';
import { isEffective, type PlanMode, type PlanWishes } from '../model/plan.ts';
import type { Runtime } from '../model/runtime.ts';
import { checkPlanPlace, writePlanFile } from '../state/plan-file.ts';
import { makePlan } from './make-plan.ts';
import type { Reporter } from './reporter.ts';
import { maskPlan, sealSecrets } from './seal-secrets.ts';
import { openSession, relativeTo, type SessionOptions } from './session.ts';
import { version } from './version.ts';
import { withholdSecrets } from './withhold-secrets.ts';

/** What `plan` takes. */
export interface PlanOptions extends SessionOptions {
  readonly mode: PlanMode;
  /** Where to save the plan; undefined to show it alone. */
  readonly out: string | undefined;
  readonly wishes: PlanWishes;
}

/** How a plan turned out. */
export type PlanOutcome = 'empty' | 'changes' | 'errors';

/** Shows what apply would do, and saves it when asked. Changes nothing, and takes no lock. */
export async function plan(
  runtime: Runtime,
  options: PlanOptions,
  reporter: Reporter,
): Promise<PlanOutcome> {
  const out = options.out === undefined ? undefined : resolve(runtime.cwd, options.out);
  if (out !== undefined) await checkPlanPlace(out);
  const isRefusedInUse = out !== undefined;
  const purpose = { operation: 'plan', access: 'read', isRefusedInUse } as const;
  const session = await openSession(runtime, options, purpose, reporter);
  try {
    const { configuration, store, connection } = session;
    const planned = await makePlan({
      mode: options.mode,
      desired: configuration.graph,
      steps: configuration.steps,
      state: store.state,
      connection,
      clock: runtime.clock,
      wishes: options.wishes,
    });
    const directory = relativeTo(runtime, session.directory);
    reporter.showPlan({ ...planned, directory });
    if (hasErrors(planned.plan.findings)) return 'errors';
    if (out !== undefined) {
      const { lineage, serial } = store.state;
      const { service, requestsPerSecond, requestTimeouts, leaseMs, variables, graph } =
        configuration;
      const seal = sealSecrets(planned.desired, planned.plan);
      const desired = withholdSecrets(graph);
      await writePlanFile(out, {
        version,
        directory,
        service: connection.service,
        lineage,
        serial,
        plannedAt: planned.plannedAt,
        fingerprints: planned.fingerprints(),
        desired,
        ...(service && { connection: service }),
        ...(requestsPerSecond !== undefined && { requestsPerSecond }),
        ...(requestTimeouts && { requestTimeouts }),
        ...(leaseMs !== undefined && { leaseMs }),
        isIncomplete: !isDeepStrictEqual(desired, graph),
        variables,
        wishes: options.wishes,
        plan: maskPlan(planned.plan),
        ...(seal && { seal }),
      });
    }
    return isEffective(planned.plan) ? 'changes' : 'empty';
  } finally {
    await session.close();
  }
}
