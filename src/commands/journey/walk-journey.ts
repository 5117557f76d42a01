// Carries out the steps of `contract journey`, which tries the operations of the contract on an account. It uses the engine and
// the commands that people use, and compares the account before each step with the account after it.
import { isDeepStrictEqual } from 'node:util';
import { listBackups } from '../../api/backups.ts';
import { listSales } from '../../api/sales.ts';
import { Engine } from '../../engine/engine.ts';
import type { PlanWithSources } from '../../engine/make-plan.ts';
import { makeDefaultPlanParameters, type PlanParameters } from '../../engine/plan-order.ts';
import { makeDiscardingSecretSinks } from '../../engine/sinks.ts';
import type { Sale } from '../../model/account/account.ts';
import type { JourneyStep, JourneyVerdict } from '../../model/account/journey.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { ReportedOrUntoldField } from '../../model/account/told.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { noPlanOptions, type Change } from '../../model/plan/plan.ts';
import type { Runtime } from '../../model/runtime.ts';
import { describeCommandFailure } from '../session/describe-failure.ts';
import { operateJourneyVm } from './ask-vm.ts';
import type { JourneyReporter } from './journey-reporter.ts';
import {
  emptyJourneyConfiguration,
  type JourneyApplyStep,
  type VmOperationStep,
  type JourneyConfigurationInputs,
  type JourneyConfiguration,
  type PlannedJourneyStep,
} from './journey-steps.ts';
import { loadJourneyConfiguration } from './load-journey.ts';
import type { OpenedJourneyAccount } from './open-journey.ts';
import { describeTariffPrice } from './order-journey.ts';

/** A verdict with the differences of the account; `isLast`: the account cannot be worked with any more. */
interface StepEnd {
  readonly verdict: JourneyVerdict;
  readonly seen?: readonly string[];
  readonly isLast?: boolean;
}

/** Results of the steps, and the diagnostics of failed ones. */
export interface JourneyStepResults {
  readonly steps: readonly JourneyStep[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens the engine that plans and applies the steps of a journey. The signal `interrupted` ends it early, once running commands
 * have ended.
 */
export function openJourneyEngine(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  { store, connection, silentForMs }: OpenedJourneyAccount,
  interrupted: AbortSignal,
): Engine {
  return new Engine({
    store,
    connection,
    silentForMs,
    clock: runtime.clock,
    random: () => runtime.random(),
    // The journey handles Ctrl+C itself, also between its applies.
    interrupts: { interrupted, holdInterrupts: () => () => undefined },
    sinks: makeDiscardingSecretSinks('the journey'),
    pace: { parallelism: 10, capacityWaitMs: undefined },
  });
}

/** Runs the steps of a journey, and collects their results. */
export class JourneyRunner {
  readonly #runtime: Runtime;
  readonly #place: OpenedJourneyAccount;
  readonly #engine: Engine;
  readonly #material: JourneyConfigurationInputs;
  readonly #reporter: JourneyReporter;
  readonly #made = new Set<ResourceAddress>();
  readonly #shown = new Map<ResourceAddress, LiveResource>();
  readonly #diagnostics: Diagnostic[] = [];
  #wanted: JourneyConfiguration = emptyJourneyConfiguration;
  /** Renewal setting of the VM's sale when it was last read. */
  #renewal: ReportedOrUntoldField<string>;

  constructor(
    runtime: Runtime,
    place: OpenedJourneyAccount,
    material: JourneyConfigurationInputs,
    reporter: JourneyReporter,
  ) {
    this.#runtime = runtime;
    this.#place = place;
    this.#material = material;
    this.#reporter = reporter;
    this.#engine = openJourneyEngine(runtime, place, runtime.interrupted);
  }

  /** Takes the steps; one that cannot be taken has the reason as its verdict. @throws LockLostError, StateWriteError, bugs */
  async take(planned: readonly PlannedJourneyStep[]): Promise<JourneyStepResults> {
    const { clock } = this.#runtime;
    const steps: JourneyStep[] = [];
    let over: string | undefined;
    for (const step of planned) {
      const { title, operation } = step;
      if (this.#runtime.interrupted.aborted) over = 'the journey was interrupted';
      const why = over ?? (await this.#findObstacle(step));
      const startedAt = clock.now();
      let end: StepEnd = { verdict: { kind: 'not-tried', words: why ?? '' } };
      if (why === undefined) {
        this.#reporter.startStep(title);
        end = await this.#attempt(step);
        if (end.isLast) over = 'an earlier step could not be finished';
      }
      const { verdict, seen = [] } = end;
      const ended = { title, operation, verdict, seen, elapsedMs: clock.now() - startedAt };
      this.#reporter.showStep(ended);
      steps.push(ended);
    }
    return { steps, diagnostics: this.#diagnostics };
  }

  /** Tells why a step cannot be done, as a resource that it needs is missing; undefined if it can. */
  async #findObstacle({
    address,
    needs = [],
    ...step
  }: PlannedJourneyStep): Promise<string | undefined> {
    const gap = this.#findGap(step.operation);
    if (gap !== undefined) return gap;
    const isCreate = step.kind === 'applied' && step.action === 'create';
    const missing = [...needs, ...(isCreate ? [] : [address])].find((one) => !this.#made.has(one));
    if (missing !== undefined) return `${missing} was not made`;
    if (step.kind !== 'applied') return undefined;
    if (step.wants === 'image' && !this.#material.vm.otherImage) return 'the catalog has 1 image';
    if (step.wants !== 'sale') return undefined;
    const id = this.#place.store.state.resources.get(address)?.id;
    const sale = await this.#findSale(id);
    this.#renewal = sale?.renewal;
    return sale ? undefined : 'the account shows no sale of the VM';
  }

  /** The reason why an operation cannot be requested at all, as the contract file has it; undefined where it can. */
  #findGap(operation: string): string | undefined {
    const { gaps } = this.#place.connection.client;
    const gap = gaps.find((one) => one.operation === operation);
    if (!gap) return undefined;
    if (gap.why === 'none') return `the service has no ${operation}`;
    return gap.why === 'forbidden'
      ? `the access token may not use ${operation}`
      : `${operation} is not bound: the contract file has no line for it that is answered`;
  }

  async #findSale(id: string | undefined): Promise<Sale | undefined> {
    const sales = await listSales(this.#place.connection.client).catch(() => []);
    return sales.find(({ resourceId }) => resourceId === id);
  }

  async #attempt(step: PlannedJourneyStep): Promise<StepEnd> {
    const { store } = this.#place;
    try {
      const end = await (step.kind === 'applied' ? this.#apply(step) : this.#ask(step));
      if (store.failure) throw store.failure;
      return end;
    } catch (error) {
      if (store.failure) throw store.failure;
      if (this.#runtime.interrupted.aborted) return interrupted;
      const diagnostics = describeCommandFailure(error);
      if (!diagnostics) throw error;
      this.#diagnostics.push(...diagnostics);
      const words = diagnostics.map(({ summary }) => summary).join('; ');
      return { verdict: { kind: 'otherwise', words }, isLast: true };
    }
  }

  async #apply(step: JourneyApplyStep): Promise<StepEnd> {
    const { address, edit, action } = step;
    const wanted = edit(this.#wanted);
    const order = await this.#orderFor(wanted, address);
    let objection: JourneyVerdict | undefined;
    const applied = await this.#engine.apply(order, {
      showDiagnostics: (diagnostics) => this.#showTrouble(diagnostics),
      approve: (planned) => {
        objection = this.#findObjection(planned, step);
        return Promise.resolve(objection === undefined);
      },
      follow: () => ({
        showDiagnostics: (diagnostics) => this.#showTrouble(diagnostics),
        showEvent: () => undefined,
      }),
    });
    if (applied.kind === 'refused') return this.#blame(applied.planned.plan.findings);
    if (applied.kind !== 'ended') return objection ? { verdict: objection } : otherwise('');
    const { result } = applied.summary.changes.find((one) => one.address === address) ?? {};
    if (result?.kind === 'interrupted' || !result) return interrupted;
    if ('diagnostic' in result) {
      return { ...this.#blame([result.diagnostic]), seen: await this.#look(address) };
    }
    this.#wanted = wanted;
    if (action === 'create') this.#made.add(address);
    const seen = await (step.wants === 'sale' ? this.#lookAtSale(address) : this.#look(address));
    const { plan } = await this.#engine.plan(order);
    const [again] = listEffective(plan.changes);
    if (again) return { ...otherwise(`afterwards, the plan would still ${describe(again)}`), seen };
    return { verdict: { kind: 'works' }, seen };
  }

  async #ask({ address, verb }: VmOperationStep): Promise<StepEnd> {
    const managed = this.#place.store.state.resources.get(address);
    if (!managed) return otherwise('it is not in the state any more');
    const { client } = this.#place.connection;
    const fault = await operateJourneyVm(this.#runtime, this.#place, managed, verb);
    const vmPlace = { projectId: managed.projectId, vmId: managed.id };
    const backups = verb === 'reboot' ? [] : [await listBackups(client, vmPlace)];
    const seen = [
      ...(await this.#look(address)),
      ...backups.map((listed) => `backups: ${listed.length}`),
    ];
    if (typeof fault === 'string') return { verdict: { kind: 'not-tried', words: fault }, seen };
    return fault ? { ...this.#blame([fault]), seen } : { verdict: { kind: 'works' }, seen };
  }

  async #orderFor(wanted: JourneyConfiguration, address: ResourceAddress): Promise<PlanParameters> {
    const { directory } = this.#place.configuration;
    const { graph, steps } = await loadJourneyConfiguration(directory, wanted, this.#material);
    const selection = { targets: [address], excludes: [] };
    return {
      ...makeDefaultPlanParameters('apply', graph, steps),
      planOptions: { ...noPlanOptions, selection },
    };
  }

  /**
   * A step makes the change that was told, at the price that was approved, and nothing else. What the account shows already, as
   * after an earlier step that was not tried, tells nothing of the operation.
   */
  #findObjection(
    { plan, live }: PlanWithSources,
    { address, action }: JourneyApplyStep,
  ): JourneyVerdict | undefined {
    const changes = listEffective(plan.changes);
    const [other] = changes.filter((one) => one.address !== address || one.action !== action);
    if (other) return otherwise(`nothing was sent: the plan would also ${describe(other)}`).verdict;
    if (changes.length === 0) return { kind: 'not-tried', words: 'the account shows it already' };
    const { tariff } = this.#material.vm;
    const now = live.catalog.tariffs.find(({ id }) => id === tariff.id);
    if (action !== 'create' || (now && describeTariffPrice(now) === describeTariffPrice(tariff)))
      return undefined;
    const price = now ? describeTariffPrice(now) : 'nothing known';
    return otherwise(`nothing was ordered: ${tariff.name} costs ${price} by now`).verdict;
  }

  async #look(address: ResourceAddress): Promise<readonly string[]> {
    const { store, connection } = this.#place;
    const managed = store.state.resources.get(address);
    if (!managed) return [];
    const after = await connection.client.get(managed.kind, managed, managed.id);
    const seen = describeResourceDifferences(this.#shown.get(address), after);
    if (after) this.#shown.set(address, after);
    return seen;
  }

  async #lookAtSale(address: ResourceAddress): Promise<readonly string[]> {
    const sale = await this.#findSale(this.#place.store.state.resources.get(address)?.id);
    return [
      `renewal: ${describeShownValue(this.#renewal)} -> ${describeShownValue(sale?.renewal)}`,
    ];
  }

  #blame(findings: readonly Diagnostic[]): StepEnd {
    const errors = findings.filter(({ severity }) => severity === 'error');
    this.#diagnostics.push(...errors);
    return otherwise(errors.map(({ summary }) => summary).join('; '));
  }

  #showTrouble(diagnostics: readonly Diagnostic[]): void {
    this.#reporter.showDiagnostics(diagnostics.filter(({ severity }) => severity !== 'note'));
  }
}

const interrupted: StepEnd = {
  verdict: { kind: 'not-tried', words: 'the journey was interrupted' },
};

function otherwise(words: string): StepEnd {
  return { verdict: { kind: 'otherwise', words } };
}

function listEffective(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ action }) => action !== 'no-op');
}

/** Describes a change for messages: `update projects.journey.vms.box (name)`. */
function describe({ action, address, fields }: Change): string {
  const names = fields.map(({ name }) => name).join(', ');
  return `${action} ${address}${names === '' ? '' : ` (${names})`}`;
}

// Differences of the account before and after a step, in words: which changes the service shows, and which it leaves out.

/** Fields that tell nothing of a step. */
const constant: ReadonlySet<string> = new Set([
  ...['kind', 'id', 'projectId', 'createdAt', 'asRecorded', 'isAtRest', 'shownEntries'],
  ...['operation', 'operationStatus'],
]);
/** The longest text that is shown of a value. */
const longest = 40;

/**
 * The difference between two looks at a resource, a short text each: `bootStatus: Running -> Stopped`. Of one that is new, its
 * status, and the fields that the service does not tell.
 */
function describeResourceDifferences(
  before: LiveResource | undefined,
  after: LiveResource | undefined,
): readonly string[] {
  if (!after) return ['the service does not show it'];
  const told: Readonly<Record<string, unknown>> = { ...after };
  const names = Object.keys(told).filter((name) => !constant.has(name));
  if (!before) {
    const untold = names.filter((name) => told[name] === undefined);
    return [
      'status' in told ? `status: ${describeShownValue(told.status)}` : 'it is listed',
      ...(untold.length > 0 ? [`untold: ${untold.join(', ')}`] : []),
    ];
  }
  const former: Readonly<Record<string, unknown>> = { ...before };
  const changed = names.filter((name) => !isDeepStrictEqual(former[name], told[name]));
  if (changed.length === 0) return ['no field changed'];
  return changed.map(
    (name) => `${name}: ${describeShownValue(former[name])} -> ${describeShownValue(told[name])}`,
  );
}

/** A value in words: a field that the answer lacks is untold; an empty list, or null, is none. */
function describeShownValue(value: unknown): string {
  if (value === undefined) return 'untold';
  if (value === null) return 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map(describeShownValue).join(' ');
  if (typeof value === 'object') return Object.values(value).map(describeShownValue).join(' ');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
