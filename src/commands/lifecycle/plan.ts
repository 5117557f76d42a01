import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from '../../config/load-configuration.ts';
import { makePlan, type PlanWithSources } from '../../engine/make-plan.ts';
import type { PlanParameters } from '../../engine/plan-order.ts';
import { openSecretSinks } from '../../engine/sinks.ts';
import { isAtOrBelowAddress, type ResourceAddress } from '../../model/address.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import {
  isEffectivePlan,
  type PlanMode,
  type PlanOptions,
  type Plan,
} from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Runtime, SessionRuntime } from '../../model/runtime.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { suggestNearestName } from '../../model/text/suggest.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import { estimateApplyMs } from '../../plan/forecast/expect-spans.ts';
import {
  explainResourceChange,
  type ChangeExplanation,
} from '../../render/explain/view-explanation.ts';
import type { EncryptionKeyring } from '../../state/encryption/keyring.ts';
import { openPlanKeyring } from '../../state/encryption/read-passphrases.ts';
import { requireWritablePlanPath, writePlanFile, type SavedPlan } from '../../state/plan-file.ts';
import { redactConfigurationSecrets } from '../../state/redact-plan.ts';
import { identifyPlan } from '../planning/identify-plan.ts';
import { resolveConfigurationData, type ResolvedConfiguration } from '../planning/read-data.ts';
import type { RehearsalRequest } from '../rehearsal/rehearse-plan.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import type { Reporter } from '../session/reporter.ts';
import { maskPlanSecrets, fingerprintPlanSecrets } from '../session/seal-secrets.ts';
import {
  openConfigurationSession,
  formatRelativePath,
  type ConfigurationSession,
  type ConfigurationSessionOptions,
} from '../session/session.ts';
import { listPlanFlags } from './plan-flags.ts';

/** Options of `plan`. */
export interface PlanCommandOptions extends ConfigurationSessionOptions {
  readonly mode: PlanMode;
  /** Path of the file that the plan is saved to; undefined to show the plan only. */
  readonly out: string | undefined;
  readonly planOptions: PlanOptions;
  /** Options of a rehearsal (`--rehearse`); undefined without one. */
  readonly rehearsal?: RehearsalRequest | undefined;
}

/** Outcome of `plan`. */
export interface PlanOutcome {
  readonly kind: 'empty' | 'changes' | 'errors';
  /** The arguments for an apply of the saved plan; undefined where none was saved. */
  readonly again?: SavedPlanArguments;
  /** Expected time of an apply of the saved plan, in milliseconds; undefined where none was saved. */
  readonly expectedMs?: number;
}

/** The arguments that an apply needs beside the file of a plan. */
export interface SavedPlanArguments {
  /** Command-line flags of the apply of a saved plan, except those that set variables. */
  readonly flags: readonly string[];
  /** Variables that the apply needs set again: all, the sensitive ones (no plan file has their values), or none. */
  readonly variables: 'all' | 'sensitive' | 'none';
  /** Names of sensitive variables, whose values are not printed. */
  readonly sensitive: readonly string[];
}

/** Shows the changes that an apply would make, and saves the plan when asked. Changes nothing, and takes no lock. */
export async function plan(
  runtime: SessionRuntime &
    Pick<Runtime, 'allowsCommands' | 'probePermission' | 'reservedQuotas' | 'ownedProjects'>,
  options: PlanCommandOptions,
  reporter: Reporter,
): Promise<PlanOutcome> {
  const out = options.out === undefined ? undefined : resolve(runtime.cwd, options.out);
  const planKeyring = openPlanKeyring(runtime);
  if (out !== undefined) {
    await requireWritablePlanPath(out);
    await planKeyring?.check();
  }
  const rehearse = options.rehearsal && (await loadRehearsal(runtime, options.rehearsal));
  const isRefusedInUse = out !== undefined;
  const purpose = { operation: 'plan', access: 'read', isRefusedInUse } as const;
  const session = await openConfigurationSession(runtime, options, purpose, reporter);
  try {
    const { store, connection } = session;
    const { configuration, source } = await resolveConfigurationData(
      session.configuration,
      connection.client,
      reporter,
    );
    const sinks = openSecretSinks(runtime, session.directory);
    const place = { state: store.state, connection, clock: runtime.clock, sinks };
    const { mode, planOptions } = options;
    const made = await makePlan(place, orderPlan(runtime, options, configuration), { source });
    const explained = options.traced && explainPlan(made.plan, options.traced, configuration);
    const rehearsal = await rehearse?.(session, made);
    const planned = withRehearsed(made, rehearsal);
    const account = connection.service;
    const identity = await identifyPlan(runtime, session.directory, { account });
    await reporter.showPlan({
      ...planned,
      identity,
      variables: configuration.variables,
      offerChoices: async () => {
        const { listDriftChoices: offerChoices } = await import('../drift/offer-choices.ts');
        return offerChoices(runtime, configuration, planned.plan);
      },
      ...(explained && { explained }),
      ...(rehearsal && { rehearsal }),
    });
    if (hasErrors(planned.plan.findings)) return { kind: 'errors' };
    const kind = isEffectivePlan(planned.plan) ? 'changes' : 'empty';
    if (out === undefined) return { kind };
    const desired = redactConfigurationSecrets(configuration.graph);
    const isIncomplete = !isDeepStrictEqual(desired, configuration.graph);
    const directory = formatRelativePath(runtime, session.directory);
    const kept = { directory, identity, desired, isIncomplete, planOptions };
    await savePlan(out, session, planned, kept, planKeyring ?? session.keyring);
    return {
      kind,
      expectedMs: estimateApplyMs(planned.plan.tasks, store.state),
      again: {
        flags: planKeyring ? [] : listPlanFlags({ directory, mode, planOptions }),
        variables: planKeyring ? (isIncomplete ? 'sensitive' : 'none') : 'all',
        sensitive: configuration.sensitiveVariables,
      },
    };
  } finally {
    await session.close();
  }
}

/** Order of a plan: the configuration and the flags, with the permissions and reservations of this process. */
function orderPlan(
  runtime: Pick<Runtime, 'allowsCommands' | 'probePermission' | 'reservedQuotas' | 'ownedProjects'>,
  { mode, planOptions }: PlanCommandOptions,
  { graph, steps }: ResolvedConfiguration['configuration'],
): PlanParameters {
  return {
    mode,
    planOptions,
    desired: graph,
    steps,
    allowsCommands: runtime.allowsCommands === true,
    allowsProbes: runtime.probePermission !== undefined,
    reservedQuotas: runtime.reservedQuotas ?? [],
    ownedProjects: runtime.ownedProjects ?? [],
  };
}

/** Replaces the forecast of downtime by that of the rehearsal, which is more exact. */
function withRehearsed(
  planned: PlanWithSources,
  rehearsal: Rehearsal | undefined,
): PlanWithSources {
  const { downtime } = rehearsal ?? {};
  return downtime ? { ...planned, plan: { ...planned.plan, downtime } } : planned;
}

/** Imports the code of rehearsals, which only a rehearsed plan needs. */
async function loadRehearsal(runtime: Pick<Runtime, 'clock' | 'cwd'>, request: RehearsalRequest) {
  const { prepareRehearsal } = await import('../rehearsal/rehearse-plan.ts');
  return prepareRehearsal(runtime, request);
}

function savePlan(
  path: string,
  { configuration: { variables }, store, connection }: ConfigurationSession,
  planned: PlanWithSources,
  shown: Pick<SavedPlan, 'directory' | 'identity' | 'desired' | 'isIncomplete' | 'planOptions'>,
  keyring: EncryptionKeyring | undefined,
): Promise<void> {
  const { lineage, serial } = store.state;
  const { service } = connection;
  const seal = fingerprintPlanSecrets(planned.order.desired, planned.plan, service);
  const content: SavedPlan = {
    ...shown,
    version: publishedHostwrightVersion,
    service,
    lineage,
    serial,
    plannedAt: planned.plannedAt,
    fingerprints: planned.fingerprints(),
    variables,
    plan: maskPlanSecrets(planned.plan),
    ...(seal && { seal }),
  };
  return writePlanFile(path, content, keyring);
}

/** The most instances that are named where the address means all of them. */
const mostNamed = 5;

/**
 * Explains the planned changes of resources, and their reasons.
 * @throws DiagnosticError where an address is none of one resource of the plan
 */
function explainPlan(
  plan: Plan,
  addresses: readonly ResourceAddress[],
  { origins }: Pick<Configuration, 'origins'>,
): readonly ChangeExplanation[] {
  return addresses.map((address) => {
    const change = plan.changes.find((one) => one.address === address);
    if (!change) throw refuseAddress(plan, address);
    return explainResourceChange(plan, change, origins?.get(address) ?? []);
  });
}

function refuseAddress({ changes }: Plan, address: ResourceAddress) {
  const known = changes.map((change) => change.address);
  const within = known.filter((one) => isAtOrBelowAddress(one, address));
  if (within.length > 0) {
    const named = within.slice(0, mostNamed).join(', ');
    const more = within.length > mostNamed ? ` and ${within.length - mostNamed} more` : '';
    return createCommandRefusal(
      'several-resources',
      `--explain ${address} means ${formatCountWithNoun('resource', within.length)}`,
      {
        detail: `Affected: ${named}${more}.`,
        hint: `Name one of them, such as --explain '${within[0] ?? ''}'.`,
      },
    );
  }
  const meant = suggestNearestName(address, known);
  return createCommandRefusal(
    'unknown-address',
    `--explain ${address}: there is no such resource`,
    {
      detail: 'Neither the configuration nor the state has it.',
      hint: meant === undefined ? 'Correct the address.' : `Did you mean ${meant}?`,
    },
  );
}
