import { makePlan } from '../../engine/make-plan.ts';
import { makeDefaultPlanParameters } from '../../engine/plan-order.ts';
import { makeDiscardingSecretSinks } from '../../engine/sinks.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import type { DriftChoice } from '../../model/plan/drift-choice.ts';
import type { SessionRuntime } from '../../model/runtime.ts';
import { resolveConfigurationData } from '../planning/read-data.ts';
import type { Reporter } from '../session/reporter.ts';
import { openConfigurationSession } from '../session/session.ts';
import { listDriftChoices } from './offer-choices.ts';

/** Drift of an account, and the configuration that it was found with. */
export interface DriftWithConfiguration {
  readonly configuration: Configuration;
  readonly choices: readonly DriftChoice[];
}

/**
 * Reads the account and lists what was changed outside of Hostwright, each with the ways to settle it. Changes nothing, and takes
 * no lock.
 */
export async function readDrift(
  runtime: SessionRuntime,
  directory: string,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<DriftWithConfiguration> {
  const options = { directory, lockTimeoutMs: 0 };
  const purpose = { operation: 'plan', access: 'read', isRefusedInUse: false } as const;
  const session = await openConfigurationSession(runtime, options, purpose, reporter);
  try {
    const { store, connection } = session;
    const { configuration, source } = await resolveConfigurationData(
      session.configuration,
      connection.client,
      reporter,
    );
    const { clock } = runtime;
    const place = {
      state: store.state,
      connection,
      clock,
      sinks: makeDiscardingSecretSinks('drift'),
    };
    const order = makeDefaultPlanParameters('apply', configuration.graph, configuration.steps);
    const { plan } = await makePlan(place, order, { source });
    return { configuration, choices: await listDriftChoices(runtime, configuration, plan) };
  } finally {
    await session.close();
  }
}
