import { resolve } from 'node:path';
import { listConfigurationFiles } from '../../config/source/read-files.ts';
import type { Configuration, ConfigurationLoadResult } from '../../config/load-configuration.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { hasErrors } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Plan, PlanMode } from '../../model/plan/plan.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { ReadingRuntime, Runtime } from '../../model/runtime.ts';
import { isEqual } from '../../model/value.ts';
import { publishedHostwrightVersion } from '../../model/version.ts';
import { compareDesiredGraphs } from '../../plan/compare-graphs.ts';
import { listStalePlanReasons } from '../../plan/list-moved.ts';
import {
  openEnvironmentKeyring,
  openPlanKeyring,
} from '../../state/encryption/read-passphrases.ts';
import { readPlanFile, type LoadedPlanFile, type SavedPlan } from '../../state/plan-file.ts';
import { findConfiguredService, type ServiceLocation } from '../session/locate-service.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import { requireSameQueries, restoreQueryResults } from '../planning/read-data.ts';
import type { Reporter } from '../session/reporter.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { maskPlanSecrets, hasSamePlanSecrets } from '../session/seal-secrets.ts';
import {
  readConfiguration,
  formatRelativePath,
  type ConfigurationSession,
} from '../session/session.ts';
import { createStalePlanError } from '../../state/stale-plan.ts';
import { formatVariableFlag, listPlanFlags, type PlanRequest } from './plan-flags.ts';
import { validate } from '../session/validate.ts';
import {
  redactConfigurationSecrets,
  restoreConfigurationSecrets,
} from '../../state/redact-plan.ts';

/** The most differences between a saved plan and a new one that are shown. */
const maxShown = 20;

/** Content of a plan file, and whether the file was sealed (so that it cannot be forged) or encrypted. */
export interface OpenedPlanFile extends LoadedPlanFile {
  readonly mode: PlanMode;
}

/** Reads a plan file. @throws DiagnosticError when it is no usable plan */
export async function openSavedPlan(
  runtime: Pick<Runtime, 'cwd' | 'env' | 'execute'>,
  path: string,
): Promise<OpenedPlanFile> {
  const openKeys = () => openPlanKeyring(runtime) ?? openEnvironmentKeyring(runtime);
  const saved = await readPlanFile(resolve(runtime.cwd, path), openKeys);
  return { ...saved, mode: saved.plan.mode };
}

/**
 * Opens the configuration for an apply of a saved plan. A sealed plan brings the configuration that it was made of. For any
 * other, it is the present one with the variables of this run, and must be the one of the plan.
 * @param asked directory and options of this run @throws DiagnosticError where the plan is of anything else
 */
export async function openSavedPlanConfiguration(
  runtime: ReadingRuntime & Pick<Runtime, 'clock' | 'process'>,
  saved: OpenedPlanFile,
  asked: PlanRequest,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Configuration> {
  requireSameVersion(saved);
  refuseEndedExemptions(saved, runtime.clock.now());
  const request = {
    ...asked,
    directory: formatRelativePath(runtime, resolve(runtime.cwd, asked.directory)),
  };
  if (saved.isTrusted || saved.directory !== request.directory) {
    requireSameFlags(listPlanFlags(saved), listPlanFlags(request));
  }
  // The local state is beside the configuration: in another directory there would be none, and everything would be created
  // again.
  const files = await listConfigurationFiles(resolve(runtime.cwd, request.directory));
  if (files.length === 0) throw notFromHere(request.directory);
  return saved.isTrusted
    ? restoreConfiguration(runtime, saved, reporter)
    : confirmConfiguration(runtime, saved, request, reporter);
}

/** A plan that met its policies by an exemption does so no longer than that holds, whatever vouches for the plan. */
function refuseEndedExemptions({ plan, desired, plannedAt }: OpenedPlanFile, nowMs: number): void {
  if (!plan.findings.some(({ code }) => code === 'policy-exempted')) return;
  const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
  const [planned, today] = [dayOf(plannedAt), dayOf(nowMs)];
  const exemptions = (desired.policies ?? []).flatMap(({ exemptions: own = [] }) => own);
  const ended = exemptions.find(({ until }) => planned <= until && until < today);
  if (ended)
    throw createStalePlanError(
      `The exemption ${ended.name} ended with ${ended.until}, and the plan was made with it.`,
    );
}

/** Another version may plan and show the same configuration in another way. */
function requireSameVersion({ version: made }: SavedPlan): void {
  if (made === publishedHostwrightVersion) return;
  throw createCommandRefusal(
    'plan-file-version',
    `The plan was saved by another version of Hostwright (${made})`,
    {
      detail: `This is version ${publishedHostwrightVersion}.`,
      hint: 'Make the plan again with "hostwright plan --out FILE".',
    },
  );
}

/** @throws DiagnosticError `plan-with-other-options`, with what to add and what to omit */
function requireSameFlags(planned: readonly string[], given: readonly string[]): void {
  const added = planned.filter((flag) => !given.includes(flag));
  const omitted = given.filter((flag) => !planned.includes(flag));
  const [add, omit] = [added.join(' '), omitted.join(' ')];
  if (add === '' && omit === '') return;
  const steps = [add && `add ${add}`, omit && `omit ${omit}`].filter((step) => step !== '');
  const hint = `${steps.join(', and ')} to apply the plan as it was made. Or make the plan again.`;
  throw createCommandRefusal(
    'plan-with-other-options',
    'The saved plan was made with other options',
    {
      detail: [
        'A plan that is not sealed is applied with the directory, variables and options of this run alone.',
        add && `Only the plan has: ${add}`,
        omit && `Only this run has: ${omit}`,
      ]
        .filter((line) => line !== '')
        .join('\n'),
      hint: `${hint.charAt(0).toUpperCase()}${hint.slice(1)}`,
    },
  );
}

/**
 * The present configuration, which must be the one of the plan: nothing is taken from the plan file, which may be forged.
 * Nothing is asked of the account.
 */
async function confirmConfiguration(
  runtime: ReadingRuntime & Pick<Runtime, 'process'>,
  saved: OpenedPlanFile,
  request: PlanRequest,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Configuration> {
  const { directory } = request;
  const read = await validate(runtime, directory, { mode: saved.mode });
  const { configuration, diagnostics } = read;
  const place = { ...read.readable(), directory: resolve(runtime.cwd, directory) };
  requireSameService(saved, findConfiguredService(runtime, place));
  requireSameRequest(saved, request, read);
  if (!configuration || hasErrors(diagnostics)) throw new DiagnosticError(diagnostics);
  reporter.showDiagnostics(diagnostics);
  const { pending, graph } = configuration;
  requireSameQueries(saved.desired.data ?? [], pending?.queries ?? []);
  if (!pending) requireSameDesiredGraph(saved, graph);
  return configuration;
}

/**
 * Checks that flags and variables are those of the plan. In a configuration with faults, only declared variables count:
 * undeclared ones are among its faults.
 */
function requireSameRequest(
  saved: OpenedPlanFile,
  request: PlanRequest,
  read: ConfigurationLoadResult,
): void {
  const { variables: planned } = saved;
  const { configuration, values } = read;
  const { variables: given } = read.readable();
  const list = (
    variables: typeof planned,
    others: typeof planned,
    isShown: (name: string) => boolean,
  ) =>
    Object.entries(variables)
      .filter(([name, value]) => isShown(name) && !isEqual(value, others[name]))
      .map(([name, value]) => formatVariableFlag(name, value));
  const isDeclared = (name: string) => configuration !== undefined || values.has(name);
  const isNew = (name: string) => !Object.hasOwn(planned, name);
  requireSameFlags(
    [...listPlanFlags(saved), ...list(planned, given, isDeclared)],
    [...listPlanFlags(request), ...list(given, planned, isNew)],
  );
}

/** Checks that an unsealed plan is of the whole configuration as it is now. */
export function requireSameDesiredGraph({ desired }: SavedPlan, graph: DesiredGraph): void {
  const moved = compareDesiredGraphs(desired, redactConfigurationSecrets(graph));
  if (moved.length === 0) return;
  throw createStalePlanError(
    `The configuration is not the one that the plan was made of:\n\n${listShown(moved)}`,
  );
}

/**
 * Restores the configuration of a sealed plan. The plan has the changes; sensitive values, which no plan file holds, come
 * from the present configuration, and so do the service, commands and files. Faults in other parts of it do not matter.
 */
async function restoreConfiguration(
  runtime: ReadingRuntime & Pick<Runtime, 'process'>,
  saved: OpenedPlanFile,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Configuration> {
  const { variables, desired, mode } = saved;
  const directory = resolve(runtime.cwd, saved.directory);
  // Evaluated with the variables of this run, since a forged plan could set them to name any file or command.
  const readable = await restoreQueryResults(
    (await validate(runtime, saved.directory, { mode })).readable(),
    desired.data,
  );
  requireSameService(saved, findConfiguredService(runtime, { ...readable, directory }));
  const hasPolicies = (runtime.policyDirectories ?? []).length > 0;
  if (desired.data || hasPolicies) {
    const asked = (await validate(runtime, saved.directory, { saved: variables, mode })).readable();
    if (desired.data) requireSameQueries(desired.data, asked.pending?.queries ?? []);
    if (hasPolicies) requireSamePolicies(desired, asked.graph);
  }
  const graph = saved.isIncomplete
    ? restoreConfigurationSecrets(desired, (await readAgain(runtime, saved, reporter)).graph)
    : desired;
  requireSameLocals(graph, readable.graph);
  return { ...readable, directory, variables, graph };
}

/** The configuration of the moment, with the variables and the data that the plan was made of. */
async function readAgain(
  runtime: ReadingRuntime,
  { directory, variables, desired, mode }: OpenedPlanFile,
  reporter: Pick<Reporter, 'showDiagnostics'>,
): Promise<Configuration> {
  const configuration = await readConfiguration(runtime, directory, reporter, {
    saved: variables,
    mode,
  });
  return restoreQueryResults(configuration, desired.data);
}

function requireSameService({ service }: SavedPlan, place: ServiceLocation): void {
  const { name, givenBy, source } = place;
  if (service === name) return;
  throw createCommandRefusal('other-service', 'The saved plan was made for another service', {
    detail: `It was made for ${service}; ${givenBy} names ${name}.`,
    hint: 'Correct the address, or make the plan again.',
    ...(source && { source }),
  });
}

/** Whoever runs the apply may have made their policies stricter since the plan: a seal vouches for the plan, and not for them. */
function requireSamePolicies({ policies }: DesiredGraph, current: DesiredGraph): void {
  const { policies: now } = redactConfigurationSecrets(current);
  const moved = compareDesiredGraphs(
    { resources: [], ...(policies && { policies }) },
    { resources: [], ...(now && { policies: now }) },
  );
  if (moved.length === 0) return;
  throw createStalePlanError('The policies are not those that the plan was made with.');
}

/** Checks that fields that name a command or a file of this machine are as in the present configuration, and known beforehand. */
function requireSameLocals(saved: DesiredGraph, current: DesiredGraph): void {
  const byAddress = new Map(current.resources.map((one) => [one.address, one]));
  for (const { address, kind, attributes, deferred } of saved.resources) {
    const found = byAddress.get(address)?.attributes;
    for (const [name, { isLocal }] of Object.entries(kindRegistry[kind].fields)) {
      const isSame = isEqual(attributes[name] ?? null, found?.[name] ?? null);
      if (!isLocal || (isSame && deferred?.[name] === undefined)) continue;
      throw createStalePlanError(
        `The configuration does not give \`${name}\` of ${address} as the plan has it. Commands and files are taken from the configuration alone, with the variables of this run.`,
      );
    }
  }
}

function notFromHere(directory: string): DiagnosticError {
  return createCommandRefusal(
    'plan-from-elsewhere',
    `There is no configuration in ${directory}, which the plan was made for`,
    {
      detail: 'The state is beside the configuration.',
      hint: 'Apply the plan from the directory that it was made in.',
    },
  );
}

/**
 * Refuses an unencrypted plan file where plans are to be encrypted, since an attacker who can replace the file may have forged
 * it.
 */
export function requireEncryptedPlan(
  { allowsPlainState = false }: Pick<Runtime, 'allowsPlainState'>,
  { isEncrypted }: Pick<OpenedPlanFile, 'isEncrypted'>,
  { keyring }: Pick<ConfigurationSession, 'keyring'>,
): void {
  if (!keyring || isEncrypted || allowsPlainState) return;
  throw createCommandRefusal('plan-not-encrypted', 'The saved plan is not encrypted', {
    detail: '`state.encryption` is set, so that plans are saved encrypted. Nothing was changed.',
    hint: 'Make the plan again with "hostwright plan --out FILE", or add --allow-plain-state.',
  });
}

/**
 * Checks that an apply of a saved plan still does what the plan says: state and contract file are the same, and a new reading of
 * the account leads to the same changes. Other changes in the account do not matter.
 */
export function requireUpToDateSavedPlan(
  saved: SavedPlan,
  { store, connection }: Pick<ConfigurationSession, 'store' | 'connection'>,
  planned?: PlanWithSources,
): void {
  const { lineage, serial } = store.state;
  // A state that was never written has no lineage to compare: its first one is made up on the spot.
  const isSameState = saved.serial === serial && (serial === 0 || saved.lineage === lineage);
  if (!isSameState)
    throw createStalePlanError('The state was changed by another run since the plan was made.');
  if (saved.fingerprints.contract !== connection.contractDigest)
    throw createStalePlanError(
      'The contract file is not the one that the plan was made with, so requests would be spelled otherwise.',
    );
  if (!planned) return;
  // Converted to JSON and back as the saved plan was, so that both compare equal.
  const now = JSON.parse(JSON.stringify(maskPlanSecrets(planned.plan))) as Plan;
  const moved = listStalePlanReasons(saved.plan, now);
  if (moved.length > 0) {
    throw createStalePlanError(
      `The account has changed since the plan was made, so the changes would differ:\n\n${listShown(moved)}`,
    );
  }
  if (!hasSamePlanSecrets(saved.seal, planned.order.desired, planned.plan)) {
    throw createStalePlanError(
      'A sensitive value is no longer the one that the plan was made with.',
    );
  }
}

function listShown(moved: readonly string[]): string {
  const rest = moved.length > maxShown ? [`and ${moved.length - maxShown} more`] : [];
  return [...moved.slice(0, maxShown), ...rest].join('\n');
}
