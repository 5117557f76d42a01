import { learnFromSandbox } from '../support/known-durations.ts';
import { ServiceDialect } from '../../src/api/binding/dialect.ts';
import type { Binding } from '../../src/model/account/binding.ts';
import { exchangeByFetch } from '../../src/api/transport/exchange-by-fetch.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceClient, type ServiceClient } from '../../src/api/client.ts';
import type { AccountConnection } from '../../src/engine/account-link.ts';
import { createIgnoredInterrupts } from '../../src/engine/carry-out.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { PlanWithSources } from '../../src/engine/make-plan.ts';
import { makeDefaultPlanParameters, type PlanParameters } from '../../src/engine/plan-order.ts';
import { makeDiscardingSecretSinks, makeFilelessSecretSinks } from '../../src/engine/sinks.ts';
import type { ClaimSecretSink } from '../../src/execute/secrets/secret-sink.ts';
import type { EvaluationBudget } from '../../src/expressions/values/budget.ts';
import { loadConfiguration } from '../../src/config/load-configuration.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import { readLiveSnapshot } from '../../src/live/read-live.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { LiveResource } from '../../src/model/account/live.ts';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import {
  isEffectivePlan,
  noPlanOptions,
  type PlanMode,
  type PlanOptions,
} from '../../src/model/plan/plan.ts';
import type { DesiredGraph } from '../../src/model/resource.ts';
import type { ApplyEvent, ApplySummary } from '../../src/model/plan/result.ts';
import type { HttpExchange } from '../../src/model/http.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import type { State } from '../../src/model/state/state.ts';
import type { LockFence } from '../../src/state/lock/fence.ts';
import type { StateFileName, StateFiles } from '../../src/state/files/files.ts';
import { createSeededRandom } from '../../src/sandbox/clock/seeded-random.ts';
import { openStateStoreOnFiles } from '../../src/state/store.ts';
import {
  openMemoryState,
  type MemoryDiskWrite,
  type MemoryStateStore,
} from '../../src/state/memory-store.ts';
import { VirtualTime, type ProcessClock } from './virtual-time.ts';
import { worldWatcher } from './world-watcher.ts';

/** What of a write is on the disk when it is killed in the middle. */
export function tearWrite(write: MemoryDiskWrite): MemoryDiskWrite {
  return { ...write, text: write.text.slice(0, Math.ceil(write.text.length / 2)) };
}

/** What may happen to one request: pass it on, answer for the service, or lose it. */
export type Meddle = (request: Request, pass: () => Promise<Response>) => Promise<Response>;

/** A point at which a process can be killed. */
export type Point =
  | { readonly kind: 'request' | 'answer' | 'secret' }
  | { readonly kind: 'write'; readonly write: MemoryDiskWrite };

/** What becomes of the process there: `tear` kills it when half of what it appends is on disk. */
export type Fate = 'go' | 'kill' | 'tear';

/** Where several processes work on one state. */
export interface RunPlace {
  readonly process: ProcessClock;
  /** The texts of the state; each write is announced, which delays it or fails it. */
  readonly openFiles: (onWrite: (write: MemoryDiskWrite) => Promise<void>) => StateFiles;
  readonly fence: LockFence;
  /** How long the run had been silent whose lock was taken over; undefined where it was free. */
  readonly silentForMs: number | undefined;
}

/** How one run of the program goes. */
export interface RunOptions {
  readonly mode?: PlanMode;
  readonly planOptions?: Partial<PlanOptions>;
  /** What the expressions of the run may still cost; as much as those of any run unless given. */
  readonly steps?: EvaluationBudget;
  readonly meddle?: Meddle;
  /** Kills the process at its nth step: every request, every answer and every write of the state is one. */
  readonly killAt?: number;
  /** The disk of the state is full from its nth write on. */
  readonly fullFrom?: number;
  /** What then holds the rescued state; there is no rescue directory unless given. */
  readonly rescue?: Map<StateFileName, string>;
  /** Asked at every such step. Fails a write by throwing. */
  readonly onStep?: (point: Point) => Fate;
  readonly random?: () => number;
  readonly parallelism?: number;
  /** How many requests may be under way at once; 128 unless given. */
  readonly connections?: number;
  readonly capacityWaitMs?: number;
  /** Where the values of tokens go; the world keeps the last one unless given. */
  readonly claimSink?: ClaimSecretSink;
  /** The answers of probes, which hold unless given. */
  readonly askProbe?: RunProbeOnce;
  readonly interrupted?: AbortSignal;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** How far the clock of the process is ahead of the service's. */
  readonly aheadMs?: number;
  /** A state that others work on, too; the world's own unless given. */
  readonly place?: RunPlace;
  /** Told of the process once it has begun. */
  readonly onStart?: (process: ProcessClock) => void;
  /** Told of the plan before it is carried out or refused. */
  readonly onPlanned?: (planned: PlanWithSources) => void;
  /** Told of what is said beside the plan and the events. */
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

/** How it ended. `steps` counts the points at which it could have been killed. */
export type RunEnd =
  | { readonly kind: 'killed'; readonly steps: number }
  | { readonly kind: 'refused'; readonly planned: PlanWithSources; readonly steps: number }
  | {
      readonly kind: 'ended';
      readonly planned: PlanWithSources;
      readonly summary: ApplySummary;
      readonly steps: number;
    };

/** Which of the two spellings of the contract the service has. */
export type Variant = NonNullable<SandboxOptions['variant']>;

/** As the worlds call their service. */
export const serviceName = 'sandbox';

/** The service of a world, and what earlier runs have learned of it. */
export interface WorldOptions extends Partial<SandboxOptions> {
  readonly isFirst?: boolean;
  /** What earlier runs have learned; as from the sandbox unless given. */
  readonly learned?: Pick<State, 'durations' | 'readyTimes'>;
}

/** The engine and the service in one process, on virtual time. */
export class World {
  readonly time = new VirtualTime();
  readonly sandbox: Sandbox;
  store: MemoryStateStore;
  requests = 0;
  /** The value that was kept last. */
  secret: string | undefined;
  /** True: values cannot be kept. */
  isSinkBroken = false;

  /** When the last process was killed, as its lock tells; undefined when it came to its end. */
  #killedAt: number | undefined;

  /** How the service spells the contract. */
  readonly #dialect: ServiceDialect;

  private constructor(
    sandbox: Sandbox,
    store: MemoryStateStore,
    time: VirtualTime,
    binding: Binding | undefined,
  ) {
    this.#dialect = new ServiceDialect(binding);
    this.sandbox = sandbox;
    this.store = store;
    this.time = time;
  }

  /** `isFirst`: no earlier run has learned how long the service takes. */
  static async open({ isFirst = false, learned, ...options }: WorldOptions = {}): Promise<World> {
    const time = new VirtualTime();
    const sandbox = await openSandbox({
      dataFile: ':memory:',
      now: () => time.now(),
      sleep: (ms, signal) => time.openClock().sleep(ms, signal),
      seed: 7,
      validateAnswers: options.variant !== 'loose',
      ...options,
    });
    const store = await openMemoryState();
    const known = learned ?? { durations: learnFromSandbox(options.speed ?? 1) };
    const state = { ...store.state, service: serviceName, ...known };
    const memory = isFirst ? store : await openMemoryState({ state });
    const world = new World(sandbox, memory, time, options.binding);
    worldWatcher.onOpen?.(world);
    return world;
  }

  /** One process: plans and applies, unless it is killed. A later run starts from what was durable. */
  apply(desired: DesiredGraph, options: RunOptions = {}): Promise<RunEnd> {
    return this.time.run(this.start(desired, options));
  }

  /** The same, for a caller who lets time pass. */
  async start(desired: DesiredGraph, options: RunOptions = {}): Promise<RunEnd> {
    const { place } = options;
    const clock = place?.process ?? this.time.openClock(options.aheadMs);
    options.onStart?.(clock);
    let steps = 0;
    let kill: () => void = () => undefined;
    const killed = new Promise<'killed'>((resolve) => {
      kill = () => resolve('killed');
    });
    let isDead = false;
    let torn: MemoryDiskWrite | undefined;
    /** Never returns once the process is dead. */
    const step = async (point: Point) => {
      if (isDead) await new Promise(() => undefined);
      steps += 1;
      const fate = options.onStep?.(point) ?? (steps === options.killAt ? 'kill' : 'go');
      await clock.ready();
      if (isDead) await new Promise(() => undefined);
      if (fate === 'go') return;
      if (fate === 'tear' && point.kind === 'write' && point.write.kind === 'append') {
        torn = point.write;
      }
      isDead = true;
      clock.stop();
      kill();
      await new Promise(() => undefined);
    };
    let writes = 0;
    const failWhenFull = async (write: MemoryDiskWrite) => {
      await step({ kind: 'write', write });
      writes += 1;
      if (writes < (options.fullFrom ?? Number.POSITIVE_INFINITY)) return;
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };
    const { rescue } = options;
    const openOwn = async () => {
      const disk = this.store.readDisk();
      const own = await openMemoryState({ disk, onWrite: failWhenFull, ...(rescue && { rescue }) });
      this.store = own;
      return own;
    };
    const opening = place
      ? openStateStoreOnFiles(place.openFiles(failWhenFull), {
          fence: place.fence,
          openRescue: () => Promise.reject(new Error('There is no rescue.')),
        })
      : openOwn();
    // Under a lock, what an earlier run has left is taken over at once: it can be killed there.
    const store = await Promise.race([opening, killed]);
    if (store === 'killed') return { kind: 'killed', steps };
    const carry = (exchange: HttpExchange): HttpExchange => {
      return async (request) => {
        await step({ kind: 'request' });
        const answer = await exchange(request);
        await step({ kind: 'answer' });
        return answer;
      };
    };
    const client = this.#connect(clock, {
      meddle: options.meddle,
      connections: options.connections,
      carry,
      beforeChange: () => store.requireLock(),
    });
    const {
      random = createSeededRandom(1),
      interrupted,
      capacityWaitMs,
      parallelism = 10,
    } = options;
    const engine = new Engine({
      store,
      clock,
      random,
      connection: describeConnection(client),
      sinks: makeFilelessSecretSinks(
        options.claimSink ?? (() => Promise.resolve(this.#sink(step))),
      ),
      interrupts: { ...createIgnoredInterrupts(), ...(interrupted && { interrupted }) },
      pace: { parallelism, capacityWaitMs },
      askProbe: async (...asked) => {
        await step({ kind: 'request' });
        return options.askProbe?.(...asked) ?? { kind: 'holds' };
      },
      // As a lock tells it: by the clock of the disk, whatever the clock of the process shows.
      silentForMs: place ? place.silentForMs : this.#silentForMs(),
    });
    const showDiagnostics = (diagnostics: readonly Diagnostic[]) =>
      options.onDiagnostics?.(diagnostics);
    const work = (async (): Promise<RunEnd> => {
      const applied = await engine.apply(orderPlan(desired, options), {
        showDiagnostics,
        review: (planned) => options.onPlanned?.(planned),
        follow: () => ({ showDiagnostics, showEvent: (event) => options.onEvent?.(event) }),
      });
      const { planned } = applied;
      if (applied.kind !== 'ended') return { kind: 'refused', planned, steps };
      return { kind: 'ended', planned, summary: applied.summary, steps };
    })();
    const end = await Promise.race([work, killed]);
    if (!place) this.#killedAt = end === 'killed' ? this.time.now() : undefined;
    if (end !== 'killed') return end;
    work.catch(() => undefined);
    if (torn && !place) await this.#append(tearWrite(torn));
    return { kind: 'killed', steps };
  }

  #silentForMs(): number | undefined {
    return this.#killedAt === undefined ? undefined : this.time.now() - this.#killedAt;
  }

  /** Goes on with a disk that several processes have written; `diedAt`: when the last of them was last heard of. */
  async useDisk(
    disk: ReadonlyMap<StateFileName, string>,
    diedAt: number | undefined,
  ): Promise<void> {
    this.store = await openMemoryState({ disk });
    this.#killedAt = diedAt;
  }

  /** A place for the values of tokens, in which the last one stands. */
  #sink(step: (point: Point) => Promise<void>) {
    return {
      label: 'a file',
      keep: async (value: string) => {
        if (this.isSinkBroken) throw new Error(`no room for ${value}`);
        await step({ kind: 'secret' });
        this.secret = value;
        await step({ kind: 'secret' });
      },
      abandon: () => Promise.resolve(),
    };
  }

  /** The beginning of a last append stands on the disk. */
  async #append({ name, text }: MemoryDiskWrite): Promise<void> {
    const disk = this.store.readDisk();
    disk.set(name, (disk.get(name) ?? '') + text);
    this.store = await openMemoryState({ disk });
  }

  /** The state is lost: what is on disk is gone. */
  async loseState(): Promise<void> {
    this.store = await openMemoryState();
  }

  /** The plan that a new run would make now. */
  async plan(
    desired: DesiredGraph,
    mode: PlanMode = 'apply',
    planOptions: Partial<PlanOptions> = {},
  ): Promise<PlanWithSources> {
    const clock = this.time.openClock();
    const engine = new Engine({
      store: await openMemoryState({ disk: this.store.readDisk() }),
      clock,
      random: createSeededRandom(1),
      connection: describeConnection(this.#connect(clock)),
      sinks: makeDiscardingSecretSinks('nowhere'),
      interrupts: createIgnoredInterrupts(),
      pace: { parallelism: 1, capacityWaitMs: undefined },
      silentForMs: undefined,
    });
    return this.time.run(engine.plan(orderPlan(desired, { mode, planOptions })));
  }

  /** Everything that the account holds, in every project. */
  async readAccount(): Promise<readonly LiveResource[]> {
    const client = this.connect();
    const projects = await this.time.run(client.listProjects());
    const scope = { projectIds: projects.map(({ id }) => id), projectNames: [] };
    const live = await this.time.run(readLiveSnapshot(client, scope));
    return [...live.projects, ...live.resources];
  }

  /** A client of a person in the console. */
  connect(): ServiceClient {
    return this.#connect(this.time.openClock());
  }

  /** Lets everything that the service is doing come to its end. */
  async settle(ms = 3_600_000): Promise<void> {
    await this.time.run(this.time.openClock().sleep(ms));
  }

  #connect(
    clock: { now(): number; sleep(ms: number): Promise<void> },
    {
      meddle,
      connections = 128,
      carry = (exchange) => exchange,
      beforeChange,
    }: {
      readonly meddle?: Meddle | undefined;
      readonly connections?: number | undefined;
      readonly carry?: (exchange: HttpExchange) => HttpExchange;
      readonly beforeChange?: () => void | Promise<void>;
    } = {},
  ): ServiceClient {
    const byFetch = exchangeByFetch((request) => {
      const pass = () => this.sandbox.fetch(request);
      return meddle ? meddle(request, pass) : pass();
    }, clock);
    const exchange = carry(meddle ? byFetch : this.sandbox.openExchange(byFetch));
    return createServiceClient({
      kinds: kindRegistry,
      baseUrl: 'http://sandbox/v1',
      token: this.sandbox.token,
      dialect: this.#dialect,
      clock,
      random: createSeededRandom(2),
      maxConcurrency: connections,
      beforeChange,
      exchange: (request) => {
        this.requests += 1;
        return exchange(request);
      },
    });
  }
}

function describeConnection(client: ServiceClient): AccountConnection {
  return { client, service: serviceName, isSandbox: () => false };
}

/** The order of a plan in a world. */
function orderPlan(
  desired: DesiredGraph,
  { mode = 'apply', planOptions, steps }: Pick<RunOptions, 'mode' | 'planOptions' | 'steps'>,
): PlanParameters {
  return {
    ...makeDefaultPlanParameters(mode, desired, steps),
    ...{ allowsProbes: true, allowsCommands: true },
    planOptions: { ...noPlanOptions, ...planOptions },
  };
}

/** A configuration from YAML text, as the program would read it. `module`: the text of the directory ./module. */
export async function configure(yaml: string, module?: string): Promise<DesiredGraph> {
  const directory = await mkdtemp(join(tmpdir(), 'hostwright-scenario-'));
  try {
    await writeFile(join(directory, 'main.yaml'), `version: 1\n${yaml}`);
    if (module !== undefined) {
      await mkdir(join(directory, 'module'));
      await writeFile(join(directory, 'module', 'main.yaml'), `version: 1\n${module}`);
    }
    const { configuration, diagnostics } = await loadConfiguration({
      directory,
      workingDirectory: directory,
    });
    if (!configuration) throw new Error(JSON.stringify(diagnostics, null, 2));
    return configuration.graph;
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The changes of a run that did not come about, a line each; empty when all did. */
export function describeFailures(end: RunEnd): string[] {
  if (end.kind === 'killed') return ['the run was killed'];
  if (end.kind === 'refused') {
    return end.planned.plan.findings.map(({ code, summary }) => `${code}: ${summary}`);
  }
  return end.summary.changes
    .filter(({ result }) => result.kind !== 'applied')
    .map(({ address, result }) => `${address} ${JSON.stringify(result)}`);
}

/** What is wrong with an account after a run that should have brought everything about; empty when nothing is. */
export async function findViolations(world: World, desired: DesiredGraph): Promise<string[]> {
  const violations: string[] = [];
  const next = await world.plan(desired);
  if (isEffectivePlan(next.plan)) {
    for (const { address, action, fields } of next.plan.changes) {
      if (action !== 'no-op') {
        violations.push(
          `the next plan is not empty: ${action} ${address} ${JSON.stringify(fields)}`,
        );
      }
    }
  }
  const account = await world.readAccount();
  const allocated = desired.resources.filter(
    ({ attributes }) => attributes.publicIp === 'new',
  ).length;
  for (const kind of ['project', 'sshKey', 'network', 'publicIp', 'vm', 'portForward'] as const) {
    const wanted =
      desired.resources.filter((resource) => resource.kind === kind).length +
      (kind === 'publicIp' ? allocated : 0);
    const held = account.filter((resource) => resource.kind === kind).length;
    if (wanted !== held) violations.push(`${wanted} ${kind} wanted, the account holds ${held}`);
  }
  const { state } = await world.store.reopen();
  if (state.resources.size !== desired.resources.length) {
    violations.push(
      `the state has ${state.resources.size} resources of ${desired.resources.length}`,
    );
  }
  return violations;
}
