// `contract journey`: the acceptance test of Hostwright on an account that is paid for. It tells first what it orders, and asks;
// it works in one project of its own, on a state of its own, and takes everything away again, also after it was killed.
import { operationIds } from '../../api/contract/operation-ids.ts';
import { routes, type OperationId } from '../../api/contract/routes.ts';
import type { RequestAttemptEvent } from '../../api/transport/attempt.ts';
import type { Configuration } from '../../config/load-configuration.ts';
import { makeDefaultPlanParameters } from '../../engine/plan-order.ts';
import { findNeededTokenScopes } from '../../kinds/access-token/token-scopes.ts';
import type { DoctorCheckUp } from '../../model/account/check-up.ts';
import type {
  JourneyPurchases,
  JourneyOutcome,
  JourneyReport,
  JourneyQuotaNeed,
  JourneyStep,
  JourneyVerdict,
  JourneyOperationResult,
} from '../../model/account/journey.ts';
import { hasErrors, type Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import { explainRescuedState } from '../../state/faults.ts';
import { stateFileNames } from '../../state/files/files.ts';
import { LockLostError } from '../../state/lock/fence.ts';
import { locateContractFile, recordObservedContractLines } from '../contract/record-observed.ts';
import { examineToken } from '../doctor/examine-token.ts';
import { createCommandRefusal } from '../session/refuse.ts';
import { findContractFile } from '../session/resolve-contract.ts';
import type { JourneyReporter } from './journey-reporter.ts';
import {
  journeySteps,
  peakJourneyConfiguration,
  type JourneyConfigurationInputs,
} from './journey-steps.ts';
import { loadJourneyConfiguration } from './load-journey.ts';
import {
  makeDiscardedSshKey,
  openJourneyAccount,
  type OpenedJourneyAccount,
} from './open-journey.ts';
import { nameJourneyResources, chooseJourneyVm, describeTariffPrice } from './order-journey.ts';
import { listJourneyResources, removeJourneyResources } from './take-away.ts';
import { JourneyRunner, openJourneyEngine } from './walk-journey.ts';

/** Options of `contract journey`. */
export interface JourneyOptions {
  /** Directory of the configuration, as given on the command line. */
  readonly directory: string;
  readonly lockTimeoutMs: number;
  /** Name of the project that the journey creates in the account. */
  readonly project: string;
  /** The only sum that is approved without a question: `0.01 EUR`; undefined to ask. */
  readonly approvedSum: string | undefined;
}

/**
 * Carries out a journey: creates, changes and deletes test resources on a live account, to find out which operations of its
 * contract work.
 * @throws DiagnosticError, ApiError where it cannot begin: then only remains of an earlier journey were changed
 */
export async function runJourney(
  runtime: Runtime,
  options: JourneyOptions,
  reporter: JourneyReporter,
): Promise<JourneyReport> {
  const { clock } = runtime;
  const log = new CallLog();
  const onRequest: CallLog['note'] = (event) => log.note(event);
  const place = await openJourneyAccount(runtime, { ...options, onRequest }, reporter);
  try {
    await clearFormer(runtime, place, reporter);
    const { order, material } = await prepare(runtime, place, options, reporter);
    reporter.showOrder(order);
    const nothing = { order, steps: [], operations: [], left: [], diagnostics: [], elapsedMs: 0 };
    if (!(await approve(order, options, reporter))) return { ...nothing, outcome: 'declined' };
    const startedAt = clock.now();
    const letGo = runtime.holdInterrupts(() => reporter.showDiagnostics([interruptedNote]));
    try {
      const walked = await new JourneyRunner(runtime, place, material, reporter).take(journeySteps);
      const removed = await removeJourneyResources(runtime, place, reporter);
      const steps = [...walked.steps, ...removed.steps];
      const left = listJourneyResources(place.store.state);
      const operations = log.classifyCalls(steps);
      const unrecorded = await recordWorking(runtime, place, operations);
      reporter.showDiagnostics(unrecorded);
      return {
        order,
        steps,
        left,
        outcome: classifyJourney(steps, left, runtime.interrupted.aborted),
        operations,
        diagnostics: [...walked.diagnostics, ...removed.diagnostics, ...unrecorded],
        elapsedMs: clock.now() - startedAt,
      };
    } finally {
      letGo();
    }
  } catch (error) {
    throw explainUnwritten(place, error);
  } finally {
    await place.close();
  }
}

/** Notes beside the contract file which operations work. Warns where something else stands in the place of the notes. */
async function recordWorking(
  runtime: Pick<Runtime, 'cwd' | 'env'>,
  { configuration }: OpenedJourneyAccount,
  operations: JourneyReport['operations'],
): Promise<readonly Diagnostic[]> {
  const contract = await findContractFile(runtime, configuration);
  if (!contract) return [];
  const working = operations.filter(({ verdict }) => verdict.kind === 'works');
  const path = locateContractFile(runtime, configuration.directory, contract);
  const lines = working.map(({ operation }) => `operations.${operation}`);
  const fault = await recordObservedContractLines(path, contract.binding, lines);
  return fault ? [fault] : [];
}

/** A state that cannot be written ends a journey: where its newest records are is said. */
function explainUnwritten({ store, backend }: OpenedJourneyAccount, error: unknown): unknown {
  const { failure, rescue } = store;
  if (error !== failure || !failure || failure instanceof LockLostError) return error;
  return explainRescuedState(failure, backend.openFiles().pathOf(stateFileNames.snapshot), rescue);
}

const interruptedNote: Diagnostic = {
  severity: 'note',
  code: 'interrupted',
  summary: 'Interrupted: nothing new is tried; the journey removes what it made',
  hint: 'Interrupt again to stop at once; the next journey removes what is left.',
};

function classifyJourney(
  steps: JourneyReport['steps'],
  left: JourneyReport['left'],
  isInterrupted: boolean,
): JourneyOutcome {
  if (left.length > 0) return 'left';
  if (isInterrupted) return 'interrupted';
  return steps.some(({ verdict }) => verdict.kind === 'otherwise') ? 'otherwise' : 'done';
}

/** Removes the remains of a journey that was killed. @throws DiagnosticError `journey-left` where it cannot */
async function clearFormer(
  runtime: Pick<Runtime, 'clock' | 'holdInterrupts' | 'interrupted' | 'random'>,
  place: OpenedJourneyAccount,
  reporter: JourneyReporter,
): Promise<void> {
  const former = listJourneyResources(place.store.state);
  if (former.length === 0) return;
  reporter.showDiagnostics([
    {
      severity: 'note',
      code: 'journey-unfinished',
      summary: 'An earlier journey did not end: this one first removes what that made',
      detail: `Affected: ${former.join(', ')}.`,
    },
  ]);
  const letGo = runtime.holdInterrupts(() => reporter.showDiagnostics([interruptedNote]));
  try {
    const { diagnostics } = await removeJourneyResources(runtime, place, reporter);
    const left = listJourneyResources(place.store.state);
    if (left.length > 0) throw new DiagnosticError([describeLeft(left), ...diagnostics]);
  } finally {
    letGo();
  }
  runtime.interrupted.throwIfAborted();
}

function describeLeft(left: readonly string[]): Diagnostic {
  return {
    severity: 'error',
    code: 'journey-left',
    summary: 'The journey cannot remove what an earlier one made',
    detail: `Left: ${left.join(', ')}. No new journey has begun.`,
    hint: 'Fix the errors below, or delete what they name in the console of the service, and run the journey again.',
  };
}

/** Chooses the VM to order, and finds the obstacles. @throws DiagnosticError with all of them */
async function prepare(
  runtime: Runtime,
  place: OpenedJourneyAccount,
  { project }: JourneyOptions,
  reporter: JourneyReporter,
): Promise<{ order: JourneyPurchases; material: JourneyConfigurationInputs }> {
  const { connection, configuration } = place;
  const { client, service } = connection;
  const [catalog, caps] = await Promise.all([client.getCatalog(), client.getNameLengths()]);
  const vm = chooseJourneyVm(catalog);
  const names = nameJourneyResources(project, caps);
  const material = { names, vm, publicKey: makeDiscardedSshKey() };
  const atPeak = await loadJourneyConfiguration(
    configuration.directory,
    peakJourneyConfiguration,
    material,
  );
  const { findings, quotas } = await examine(runtime, place, atPeak, names.first.project);
  if (hasErrors(findings)) throw new DiagnosticError(findings);
  reporter.showDiagnostics(findings);
  const { configuration: size, image, tariff } = vm;
  const order = {
    service,
    quotas,
    tariff,
    sum: describeTariffPrice(tariff),
    configuration: size,
    image: image.name,
    isPriceAssumed: connection.isSandbox(),
    project: names.first.project,
    scopes: [...findNeededTokenScopes(atPeak.graph.resources).changes].sort(),
  };
  return { order, material };
}

/** Plans all that stands at the peak of a journey, and looks at the scopes of the token. */
async function examine(
  runtime: Runtime,
  place: OpenedJourneyAccount,
  { graph, steps }: Configuration,
  project: string,
): Promise<{ findings: readonly Diagnostic[]; quotas: readonly JourneyQuotaNeed[] }> {
  const { client } = place.connection;
  const subject = { runtime, caller: client, error: undefined, resources: graph.resources };
  const engine = openJourneyEngine(runtime, place, runtime.interrupted);
  const [{ plan }, checkUps] = await Promise.all([
    engine.plan(makeDefaultPlanParameters('apply', graph, steps)),
    examineToken(subject),
  ]);
  const findings = [
    ...plan.findings.map((finding) => explainFinding(finding, project)),
    ...checkUps.flatMap(readCheckUp),
  ];
  const quotas = plan.quotas.flatMap(({ name, used, limit, after }) =>
    after > used ? [{ name, needed: after - used, left: limit - used }] : [],
  );
  return { findings: findings.filter(({ severity }) => severity !== 'note'), quotas };
}

function readCheckUp({
  outcome,
  name,
  code = name,
  ...words
}: DoctorCheckUp): readonly Diagnostic[] {
  if (outcome !== 'failure' && outcome !== 'warning') return [];
  return [{ ...words, code, severity: outcome === 'failure' ? 'error' : 'warning' }];
}

/** A finding without its place, since a journey has no files, and without advice to adopt a project of the account. */
function explainFinding(finding: Diagnostic, project: string): Diagnostic {
  const { severity, code, summary, detail, hint } = finding;
  if (code === 'name-taken') {
    return {
      severity,
      code,
      summary: `The account has a project ${project} that no journey of this workspace made`,
      detail: 'A journey works in a project of its own. Nothing was changed.',
      hint: 'Give another name with --project.',
    };
  }
  return {
    severity,
    code,
    summary,
    ...(detail !== undefined && { detail }),
    ...(hint !== undefined && { hint }),
  };
}

/** @throws DiagnosticError `other-sum` where another sum was approved on the command line */
async function approve(
  { sum, project }: JourneyPurchases,
  { approvedSum }: JourneyOptions,
  reporter: JourneyReporter,
): Promise<boolean> {
  if (approvedSum === undefined) {
    return reporter.confirm({
      question: `Do you want to take the journey, and order for ${sum}?`,
      consequences: [
        `The service bills what the journey orders. At the end, the journey deletes the project ${project} with everything in it.`,
      ],
      ifDeclined: 'Nothing was ordered or changed.',
      skipWith: `--yes "${sum}"`,
    });
  }
  const fold = (text: string) => text.trim().replace(/\s+/g, ' ').toUpperCase();
  if (fold(approvedSum) === fold(sum)) return true;
  throw createCommandRefusal(
    'other-sum',
    `The journey costs ${sum}, and --yes approves ${approvedSum}`,
    {
      detail: 'Nothing was ordered or changed.',
      hint: `Check the price, then give --yes "${sum}".`,
    },
  );
}

// Verdicts of a journey on every operation of the contract: from the results of its steps, or else from the answers that
// other requests got on the way.

/** Operations that no step tries, although they concern resources of the journey, with the reason. */
const leftOut: Readonly<Partial<Record<OperationId, string>>> = {
  resizeVm: 'never succeeds, as the contract says',
  updateAttachment: 'not used by Hostwright',
};
const notFound = 404;

/** The answers of a service, by operation. */
class CallLog {
  readonly #answers = new Map<string, Set<number>>();

  note({ operation, status }: Pick<RequestAttemptEvent, 'operation' | 'status'>): void {
    if (status === null) return;
    const known = this.#answers.get(operation) ?? new Set();
    this.#answers.set(operation, known.add(status));
  }

  /** Every operation of the contract with its verdict, in the order of the contract. */
  classifyCalls(steps: readonly JourneyStep[]): readonly JourneyOperationResult[] {
    return operationIds.map((operation) => {
      const isRead = routes[operation].method === 'GET';
      const own = steps.filter((step) => step.operation === operation);
      const verdict =
        worstOf(own.map((step) => step.verdict)) ?? this.#classifyUse(operation, isRead);
      return { operation, isRead, verdict };
    });
  }

  #classifyUse(operation: OperationId, isRead: boolean): JourneyVerdict {
    const answers = [...(this.#answers.get(operation) ?? [])];
    const isAnswered = answers.some((status) => status < 300);
    // A deleted resource is looked for until it is gone, so that a 404 is expected.
    const odd = answers.filter((status) => status >= 400 && !(isAnswered && status === notFound));
    if (odd.length > 0) return { kind: 'otherwise', words: `answered ${odd.join(', ')}` };
    if (isAnswered) return { kind: 'works' };
    const words = isRead
      ? 'reads that the journey does not use'
      : (leftOut[operation] ?? 'they change the account outside of the project');
    return { kind: 'not-tried', words };
  }
}

const ranks: readonly JourneyVerdict['kind'][] = ['otherwise', 'works', 'not-tried'];

/** The verdict over several tries: an operation that failed once does not work, and one that worked once was tried. */
function worstOf(verdicts: readonly JourneyVerdict[]): JourneyVerdict | undefined {
  const [worst] = verdicts.toSorted((a, b) => ranks.indexOf(a.kind) - ranks.indexOf(b.kind));
  return worst;
}
