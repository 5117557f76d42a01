import { resolve } from 'node:path';
import { listConfigurationFiles } from '../../config/source/read-files.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import { kinds } from '../../kinds/registry.ts';
import type { DiagnosticError } from '../../model/errors.ts';
import type { Plan, PlanMode } from '../../model/plan/plan.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { Runtime } from '../../model/runtime.ts';
import { isEqual } from '../../model/value.ts';
import { comparePlans } from '../../plan/compare-plans.ts';
import { openAnyKeyring } from '../../state/encryption/read-passphrases.ts';
import { readPlanFile, type SavedPlan } from '../../state/plan-file.ts';
import { findService, type ServicePlace } from '../session/locate-service.ts';
import type { Planned } from '../../engine/make-plan.ts';
import { requireSameQueries, restoreData } from '../planning/read-data.ts';
import type { Reporter } from '../session/reporter.ts';
import { refuse } from '../session/refuse.ts';
import { maskPlan, isSealedAlike } from '../session/seal-secrets.ts';
import { readConfiguration, type Session } from '../session/session.ts';
import { createStaleError } from '../../state/stale-plan.ts';
import { validate } from './validate.ts';
import { restoreSecrets } from '../../state/redact-plan.ts';

/** At most so many differences are shown. */
const maxShown = 20;

/** A plan as its file has it, and how that was kept. */
export interface OpenedPlan extends SavedPlan {
  readonly mode: PlanMode;
  readonly isEncrypted: boolean;
}

/** Reads a plan file for `apply`. @throws DiagnosticError when it is no usable plan */
export async function openSavedPlan(runtime: Runtime, path: string): Promise<OpenedPlan> {
  const saved = await readPlanFile(resolve(runtime.cwd, path), () => openAnyKeyring(runtime));
  return { ...saved, mode: saved.plan.mode };
}

/**
 * The configuration that a saved plan was made of. The plan says what changes, and its sensitive values come from the
 * configuration of the moment, since no plan file holds them. So do the service, commands and files: whoever can
 * replace the plan must not get at these. What cannot be read of that configuration and is not needed does not matter.
 * @throws DiagnosticError where the plan has another service, command or file, or is not from here
 */
export async function restoreConfiguration(
  runtime: Runtime,
  saved: SavedPlan,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Configuration> {
  const { variables, desired } = saved;
  const directory = resolve(runtime.cwd, saved.directory);
  // The state stands beside the configuration: elsewhere there would be none, and all of it be made twice.
  const files = await listConfigurationFiles(directory);
  if (files.length === 0) throw notFromHere(saved.directory);
  // With the variables of this run: those of the plan could be made to name anything.
  const readable = await restoreData(
    (await validate(runtime, saved.directory)).readable(),
    desired.data,
  );
  requireSameService(saved, findService(runtime, { ...readable, directory }));
  if (desired.data) {
    const asked = (await validate(runtime, saved.directory, { saved: variables })).readable();
    requireSameQueries(desired.data, asked.pending?.queries ?? []);
  }
  const graph = saved.isIncomplete
    ? restoreSecrets(desired, (await readAgain(runtime, saved, reporter)).graph)
    : desired;
  requireSameLocals(graph, readable.graph);
  return { ...readable, directory, variables, graph };
}

/** The configuration of the moment, with the variables and the data that the plan was made of. */
async function readAgain(
  runtime: Runtime,
  { directory, variables, desired }: SavedPlan,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Configuration> {
  const configuration = await readConfiguration(runtime, directory, reporter, { saved: variables });
  return restoreData(configuration, desired.data);
}

function requireSameService({ service }: SavedPlan, place: ServicePlace): void {
  const { name, givenBy, source } = place;
  if (service === name) return;
  throw refuse('other-service', 'The saved plan was made for another service', {
    detail: `It was made for ${service}; ${givenBy} names ${name}.`,
    hint: 'Correct the address, or make the plan again.',
    ...(source && { source }),
  });
}

/** What names a command or a file of this machine is as the configuration has it, and known beforehand. */
function requireSameLocals(saved: DesiredGraph, current: DesiredGraph): void {
  const byAddress = new Map(current.resources.map((one) => [one.address, one]));
  for (const { address, kind, attributes, deferred } of saved.resources) {
    const found = byAddress.get(address)?.attributes;
    for (const [name, { isLocal }] of Object.entries(kinds[kind].fields)) {
      const isSame = isEqual(attributes[name] ?? null, found?.[name] ?? null);
      if (!isLocal || (isSame && deferred?.[name] === undefined)) continue;
      throw createStaleError(
        `The configuration does not give \`${name}\` of ${address} as the plan has it. Commands and files are taken from the configuration alone, with the variables of this run.`,
      );
    }
  }
}

function notFromHere(directory: string): DiagnosticError {
  return refuse(
    'plan-from-elsewhere',
    `There is no configuration in ${directory}, which the plan was made for`,
    {
      detail: 'The state is beside the configuration.',
      hint: 'Apply the plan from the directory that it was made in.',
    },
  );
}

/**
 * Whoever can replace a file could have put one that is not encrypted in place of one that is.
 * @throws DiagnosticError `plan-not-encrypted`
 */
export function requireEncrypted(
  { allowsPlainState = false }: Pick<Runtime, 'allowsPlainState'>,
  { isEncrypted }: Pick<OpenedPlan, 'isEncrypted'>,
  { keyring }: Pick<Session, 'keyring'>,
): void {
  if (!keyring || isEncrypted || allowsPlainState) return;
  throw refuse('plan-not-encrypted', 'The saved plan is not encrypted', {
    detail: '`state.encryption` is set, so that plans are saved encrypted. Nothing was changed.',
    hint: 'Make the plan again with "hostwright plan --out FILE", or add --allow-plain-state.',
  });
}

/**
 * Makes sure that a saved plan still says what would happen: the same state, and, once the account was read anew, the
 * same changes. What moved elsewhere does not matter.
 * @throws DiagnosticError `stale-plan`, with what moved
 */
export function confirmSavedPlan(
  saved: SavedPlan,
  { store }: Pick<Session, 'store'>,
  planned?: Planned,
): void {
  const { lineage, serial } = store.state;
  // A state that was never written has no lineage to compare: its first one is made up on the spot.
  const isSameState = saved.serial === serial && (serial === 0 || saved.lineage === lineage);
  if (!isSameState)
    throw createStaleError('The state was changed by another run since the plan was made.');
  if (!planned) return;
  // Through JSON, as the saved one has been.
  const now = JSON.parse(JSON.stringify(maskPlan(planned.plan))) as Plan;
  const moved = comparePlans(saved.plan, now);
  if (moved.length > 0) {
    const rest = moved.length > maxShown ? [`and ${moved.length - maxShown} more`] : [];
    const lines = [...moved.slice(0, maxShown), ...rest];
    throw createStaleError(
      `The account has changed since the plan was made, so the changes would differ:\n\n${lines.join('\n')}`,
    );
  }
  if (!isSealedAlike(saved.seal, planned.order.desired, planned.plan)) {
    throw createStaleError('A sensitive value is no longer the one that the plan was made with.');
  }
}
