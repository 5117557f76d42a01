// One seed: a course of configurations applied while everything goes wrong, then once more while nothing does. What is
// wrong with the account and the state afterwards is a violation.
import { inspect } from 'node:util';
import { ApiError } from '../../../src/api/errors/errors.ts';
import { DiagnosticError } from '../../../src/model/errors.ts';
import { hasErrors, type Diagnostic } from '../../../src/model/diagnostic.ts';
import type { PlanOptions } from '../../../src/model/plan/plan.ts';
import type { DesiredGraph } from '../../../src/model/resource.ts';
import type { ApplyEvent } from '../../../src/model/plan/result.ts';
import type { MemoryDiskWrite } from '../../../src/state/memory-store.ts';
import type { ProcessClock } from '../virtual-time.ts';
import {
  describeFailures,
  tearWrite,
  World,
  type Fate,
  type Point,
  type RunEnd,
  type RunOptions,
} from '../world.ts';
import { raceOnBackend } from './backend/race-on-backend.ts';
import { graphsOf, type Course } from './course.ts';
import { Dice } from './dice.ts';
import {
  consoleFaults,
  operationFaults,
  raceFaults,
  remotePlaces,
  type FaultKind,
} from './fault-kinds.ts';
import { Gate } from './gate.ts';
import { Heard } from './heard.ts';
import { readJournalLine } from './journal-lines.ts';
import { Ledger } from './ledger.ts';
import { Mischief, type Strike } from './mischief.ts';
import { Network } from './network.ts';
import { findFaults } from './oracle.ts';
import { resolveByHand, removeDoubledOption } from './engine-seams.ts';
import { Person, type Advice, type Resolution } from './person.ts';
import { raceForLock, raceOnOneDisk, type Entry } from './race.ts';
import { bounds, drawMs } from './spread.ts';

/** What came of a seed. */
export interface Report {
  /** A line each; empty when everything is as it should be. */
  readonly violations: readonly string[];
  readonly strikes: readonly Strike[];
  readonly runs: number;
  readonly requests: number;
}

/** What a simulation is run with beside its course. */
export interface SimulateOptions {
  /** Only these points are struck; all that the seed strikes unless given. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Told what happens, a line each. */
  readonly log?: ((line: string) => void) | undefined;
}

/** How an attempt ended, as far as the simulation goes on from it. */
type End = RunEnd | { readonly kind: 'stopped'; readonly error: DiagnosticError | ApiError };

/** Longer than the longest chain of changes with every wait at its limit; by the virtual clock. */
const longestRunMs = 4 * 3_600_000;
/** Longer than the longest look for what an earlier run may have made. */
const longestPlanMs = 3_600_000;
/** For so long nothing keeps a run from asking the service anything. */
const longestSilenceMs = 15 * 60_000;
/** Whatever asks more often than this in one run asks without end. */
const mostRequests = 10_000;
const finalRuns = 8;

/** Runs a course to its end. */
export async function simulate(course: Course, options: SimulateOptions = {}): Promise<Report> {
  const { seed, variant, speed, quotas, quotaLagMs, rate, kinds } = course;
  const mischief = new Mischief({
    ...{ seed, rate, kinds, only: options.only },
    onStrike: ({ point, kind }, what) => options.log?.(`           ${point} ${kind} ${what}`),
  });
  const luck = { isOut: () => false };
  const world = await World.open({
    isFirst: seed % 2 === 0,
    variant,
    speed,
    seed,
    quotas,
    quotaLagMs,
    validateAnswers: false,
    planFailure: () => {
      if (luck.isOut()) return 'internal';
      const point = mischief.next('o');
      const kind = mischief.choose(point, operationFaults);
      if (!kind) return null;
      mischief.note(point, kind);
      return failureCodes[kind];
    },
  });
  try {
    const simulation = new Simulation(world, course, mischief, options.log);
    luck.isOut = () => simulation.isPersonUnlucky;
    return await simulation.run();
  } finally {
    world.sandbox.close();
  }
}

const failureCodes = {
  'operation fails: insufficientCapacity': 'insufficientCapacity',
  'operation fails: timeout': 'timeout',
  'operation fails: internal': 'internal',
} as const;

/** A run went on and on and was killed: what it leaves says no more. */
class EndlessRun extends Error {}

class Simulation {
  readonly #world: World;
  readonly #course: Course;
  readonly #mischief: Mischief;
  readonly #ledger: Ledger;
  readonly #heard: Heard;
  readonly #person: Person;
  readonly #network: Network;
  readonly #violations: string[] = [];
  /** The lines of journals so far. */
  readonly #written = new Set<string>();
  readonly #log: (line: string) => void;
  readonly #startedAt: number;
  #runs = 0;

  constructor(world: World, course: Course, mischief: Mischief, log?: (line: string) => void) {
    this.#world = world;
    this.#course = course;
    this.#mischief = mischief;
    this.#startedAt = world.time.now();
    this.#log = (line) => log?.(`${this.#elapsed()} ${line}`);
    const gate = new Gate();
    const ledger = new Ledger(world.connect(), () => world.time.now());
    this.#ledger = ledger;
    this.#heard = new Heard(ledger);
    const { hasDate, names } = course;
    this.#person = new Person(world.connect(), gate, ledger, names);
    this.#network = new Network({ world, mischief, gate, ledger, hasDate, names });
  }

  /** True while a person asks for what is to fail. */
  get isPersonUnlucky(): boolean {
    return this.#person.isUnlucky;
  }

  async run(): Promise<Report> {
    try {
      await this.#follow();
    } catch (error) {
      if (!(error instanceof EndlessRun)) throw error;
    }
    const { strikes } = this.#mischief;
    const report = { strikes, runs: this.#runs, requests: this.#world.requests };
    return { ...report, violations: this.#violations };
  }

  async #follow(): Promise<void> {
    const graphs = graphsOf(this.#course);
    let last: DesiredGraph = { resources: [] };
    for (const [index, desired] of graphs.entries()) {
      last = desired;
      for (let turn = 0; turn < (this.#course.legs[index]?.applies ?? 1); turn += 1) {
        await this.#applyInTrouble(desired, index);
      }
    }
    this.#mischief.end();
    this.#log('from here on nothing goes wrong');
    // What is on the way still arrives: before the next run, during it, or after it.
    const { dice } = this.#mischief.next('end');
    await this.#world.settle(dice.chance(0.5) ? bounds.lateMs : drawMs(dice, bounds.lateMs));
    const wanted = await this.#converge(last);
    await this.#world.settle(bounds.lateMs);
    await this.#converge(wanted);
    const witnesses = { person: this.#person, ledger: this.#ledger, heard: this.#heard };
    this.#violations.push(...(await findFaults(this.#world, wanted, witnesses)));
  }

  async #applyInTrouble(desired: DesiredGraph, index: number): Promise<void> {
    const { dice } = this.#mischief.next(`leg ${index} `);
    const mode = dice.chance(0.04) ? 'destroy' : 'apply';
    const run = () => this.#attempt(desired, { mode, planOptions: { isForced: dice.chance(0.5) } });
    const place = this.#mischief.next('b');
    const where = this.#mischief.choose(place, remotePlaces, 8);
    const point = this.#mischief.next('x');
    const race = this.#mischief.choose(point, raceFaults, 8);
    if (where) {
      const found = await raceOnBackend({
        ...{ world: this.#world, dice, mischief: this.#mischief, kind: where },
        openProcess: () => this.#world.time.openClock(this.#drawAheadMs()),
        run: (entry) => {
          const planOptions = { isForced: dice.chance(0.5) };
          return this.#attempt(desired, { mode, planOptions, place: entry.place }, entry);
        },
        log: this.#log,
      });
      for (const kind of found.struck) this.#mischief.note(place, kind);
      this.#violations.push(...found.violations);
    } else if (!race) {
      await this.#world.time.run(run());
    } else if (race === 'taken over by another realm' || race === 'unlocked by force') {
      const found = await raceOnOneDisk({
        world: this.#world,
        dice,
        isForced: race === 'unlocked by force',
        openProcess: () => this.#world.time.openClock(this.#drawAheadMs()),
        run: (entry) => {
          const planOptions = { isForced: dice.chance(0.5) };
          return this.#attempt(desired, { mode, planOptions, place: entry.place }, entry);
        },
      });
      for (const kind of found.struck) this.#mischief.note(point, kind);
    } else {
      const found = await raceForLock(this.#world, run, race === 'waits for the lock', dice);
      for (const kind of found.struck) this.#mischief.note(point, kind);
      this.#violations.push(...found.violations);
    }
    // The next one comes at once, or after a while.
    if (dice.chance(0.5)) await this.#world.settle(drawMs(dice, bounds.clockMs));
  }

  /** Applies again until everything has come about, as a person would who reads what is said. */
  async #converge(wanted: DesiredGraph): Promise<DesiredGraph> {
    const { time } = this.#world;
    let desired = wanted;
    let end: End | undefined;
    let quotaRefusals = 0;
    let adoptsAll = false;
    let removesDoubled = false;
    for (let turn = 0; turn < finalRuns; turn += 1) {
      const planOptions: Partial<PlanOptions> = {
        isForced: true,
        adoptsAll,
        ...removeDoubledOption(removesDoubled),
      };
      end = await time.run(this.#attempt(desired, { planOptions }));
      if (hasSucceeded(end)) {
        await this.#settleLookalikes(end);
        return desired;
      }
      const diagnostics = diagnosticsOf(end);
      const advice = await this.#heed(diagnostics, desired, adoptsAll);
      const isRefused = end.kind === 'refused';
      adoptsAll = advice.adoptsAll;
      // Where nothing was done, what was to be removed is still there.
      removesDoubled = advice.removesDoubled || (removesDoubled && isRefused);
      await this.#world.settle(60_000);
      desired = rewrite(desired, diagnostics);
      // An entry whose resource is gone by now is taken out.
      const isStale = diagnostics.some(({ code }) => code === 'import-not-found');
      const imports = [...(isStale ? [] : (desired.imports ?? [])), ...advice.imports];
      desired = { ...desired, imports };
      if (diagnostics.some(({ code }) => code === 'quota-exceeded')) quotaRefusals += 1;
      // Where nothing fits beside what stands, a person begins anew, until it comes about.
      if (quotaRefusals > 0 && quotaRefusals % 2 === 0) {
        const emptied = await time.run(this.#attempt(desired, { mode: 'destroy', planOptions }));
        // A destroy follows no entries of imports.
        const nothing = { ...desired, resources: [] };
        if (hasSucceeded(emptied)) desired = { ...desired, imports: [] };
        else await this.#heed(diagnosticsOf(emptied), nothing, true);
      }
    }
    const why = end ? describeEnd(end) : 'it never ran';
    this.#violations.push(`does not converge within ${finalRuns} runs: ${why}`);
    return desired;
  }

  /** A person does what a run advises. */
  async #heed(
    diagnostics: readonly Diagnostic[],
    desired: DesiredGraph,
    hasAdopted: boolean,
  ): Promise<Advice> {
    const { state } = await this.#world.store.reopen();
    const managed = new Set([...state.resources.values()].map(({ id }) => id));
    const addresses = desired.resources.map(({ address }) => address);
    const configured = new Set(addresses.filter((address) => !state.resources.has(address)));
    const circumstances = { managed, configured, hasAdopted };
    const advice = await this.#world.time.run(this.#person.mend(diagnostics, circumstances));
    for (const resolution of advice.resolutions) await this.#resolve(resolution);
    for (const { id = '' } of advice.imports) this.#ledger.give(id);
    return advice;
  }

  async #settleLookalikes(end: End): Promise<void> {
    if (end.kind !== 'ended') return;
    const { state } = await this.#world.store.reopen();
    const managed = new Set([...state.resources.values()].map(({ id }) => id));
    const { findings } = end.planned.plan;
    await this.#world.time.run(this.#person.settleLookalikes(findings, managed));
  }

  async #resolve(resolution: Resolution): Promise<void> {
    const { address, id } = resolution;
    this.#log(`state resolve ${address} ${id === undefined ? '--gone' : `--id ${id}`}`);
    if (id !== undefined) this.#ledger.give(id);
    const client = this.#world.connect();
    await this.#world.time.run(resolveByHand(this.#world, client, resolution));
    const { state } = this.#world.store;
    for (const one of state.resources.values()) {
      this.#ledger.noteRecord({ kind: 'bound', resources: [one] });
    }
  }

  /** One run of the program; what it must never do is a violation. */
  async #attempt(desired: DesiredGraph, options: RunOptions, entry?: Entry): Promise<End> {
    const { time } = this.#world;
    const startedAt = time.now();
    this.#runs += 1;
    this.#log(`run ${this.#runs}: ${options.mode ?? 'apply'}`);
    this.#ledger.noteStart();
    this.#ledger.isAdopting = options.planOptions?.adoptsAll === true;
    const interrupt = new AbortController();
    let self: ProcessClock | undefined;
    let lastAskedAt = startedAt;
    const awakeNow = () => time.now() - (self?.pausedMs ?? 0);
    let asked = 0;
    let sentUnlocked = 0;
    const isEndless = (elapsedMs: number) => asked > mostRequests || elapsedMs > 2 * longestRunMs;
    const noteAsked = () => {
      asked += 1;
      const silenceMs = awakeNow() - lastAskedAt;
      lastAskedAt = awakeNow();
      if (silenceMs > longestSilenceMs) this.#accuse('stood still', silenceMs);
    };
    let end: End;
    try {
      end = await this.#world.start(desired, {
        ...options,
        parallelism: this.#course.parallelism,
        interrupted: interrupt.signal,
        aheadMs: this.#drawAheadMs(),
        onStart: (started) => {
          self = started;
        },
        onStep: (point) => {
          entry?.onStep();
          return isEndless(awakeNow() - startedAt)
            ? 'kill'
            : this.#onStep(point, self, !options.place);
        },
        onPlanned: ({ plan }) => {
          // What a run plans of whose lock somebody else has, without knowing, is true of a moment that is over.
          const isOver = entry?.isBlind === true && !entry.isHeld();
          plan.findings.forEach((finding) => {
            if (isOver) this.#heard.noteWords(finding);
            else this.#hear(finding);
          });
          if (awakeNow() - startedAt > longestPlanMs) {
            this.#accuse('planned', awakeNow() - startedAt);
          }
        },
        onDiagnostics: (diagnostics) => diagnostics.forEach((one) => this.#hear(one)),
        onEvent: (event) => this.#hearEvent(event),
        meddle: async (request) => {
          noteAsked();
          const isUnlocked = entry?.isHeld() === false;
          if (request.method !== 'GET' && isUnlocked) sentUnlocked += 1;
          await this.#meanwhile(desired, interrupt);
          return this.#network.carry(request, isUnlocked);
        },
      });
    } catch (error) {
      if (!(error instanceof DiagnosticError) && !(error instanceof ApiError)) {
        this.#violations.push(`a bug: ${inspect(error)}`);
      }
      end = { kind: 'stopped', error: error as ApiError };
    }
    noteAsked();
    if (end.kind === 'ended') end.summary.findings?.forEach((finding) => this.#hear(finding));
    const elapsedMs = awakeNow() - startedAt;
    if (isEndless(elapsedMs)) {
      this.#accuse('went on without end', elapsedMs);
      throw new EndlessRun();
    }
    if (elapsedMs > longestRunMs) this.#accuse('ran', elapsedMs);
    // What was about to go out when the process stood still goes out when it wakes up.
    if (sentUnlocked > this.#course.parallelism) {
      this.#violations.push(`unlocked: ${sentUnlocked} requests sent after the lock was lost`);
    }
    this.#log(describeEnd(end));
    return end;
  }

  #accuse(what: string, ms: number): void {
    const violation = `a run ${what} for ${Math.round(ms / 60_000)} minutes`;
    this.#log(violation);
    this.#violations.push(violation);
  }

  /** How far the clock of the next process is ahead of the service's. */
  #drawAheadMs(): number {
    const dice = new Dice(this.#course.seed, `clock ${this.#runs}`);
    return this.#course.areClocksApart ? Math.round(dice.between(-1, 1) * bounds.clockMs) : 0;
  }

  /** `canTear`: a write that is killed in the middle leaves its first half. */
  #onStep(point: Point, self: ProcessClock | undefined, canTear: boolean): Fate {
    const at = this.#mischief.next('k');
    if (point.kind === 'write') {
      if (point.write.text.includes(this.#world.sandbox.token)) {
        this.#violations.push(`the token is written to ${point.write.name}`);
      }
    }
    const kinds = {
      request: ['killed before a request', 'process stands still', 'machine sleeps'],
      answer: ['killed after an answer', 'process stands still', 'machine sleeps'],
      secret: ['killed before a write'],
      write: [
        ...['killed before a write', 'killed in the middle of a write'],
        ...['disk full', 'process stands still', 'machine sleeps'],
      ],
    } as const satisfies Record<Point['kind'], readonly FaultKind[]>;
    const calm = point.kind === 'write' ? 0.5 : 0.1;
    const kind = this.#mischief.choose(at, kinds[point.kind], this.#ledger.isSeeking ? 0.5 : calm);
    const goOn = (): Fate => {
      if (point.kind === 'write') this.#noteWrite(point.write);
      return 'go';
    };
    if (!kind) return goOn();
    this.#mischief.note(at, kind);
    if (kind === 'disk full') {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    }
    if (kind === 'process stands still' || kind === 'machine sleeps') {
      const ms = drawMs(at.dice, bounds.pauseMs, 1_000);
      const addedMs = self?.pause(ms) ?? 0;
      // What a machine counts by stands still with it: see `openProcessClock` of the program.
      if (kind === 'machine sleeps') self?.jump(-addedMs);
      return goOn();
    }
    if (kind !== 'killed in the middle of a write') return 'kill';
    const isTorn = canTear && point.kind === 'write' && point.write.kind === 'append';
    if (isTorn) this.#noteWrite(tearWrite(point.write));
    return 'tear';
  }

  #noteWrite({ name, text }: MemoryDiskWrite): void {
    if (!name.startsWith('journal')) return;
    // A journal begins with what earlier ones have left.
    // A line that a kill has cut off is none.
    const news = text
      .split('\n')
      .slice(0, -1)
      .filter((line) => line !== '' && !this.#written.has(line));
    for (const line of news) {
      this.#written.add(line);
      for (const record of readJournalLine(line)) this.#ledger.noteRecord(record);
    }
  }

  /** What happens beside a run. */
  async #meanwhile(desired: DesiredGraph, interrupt: AbortController): Promise<void> {
    const point = this.#mischief.next('c');
    const kind = this.#mischief.choose(point, [...consoleFaults, 'interrupted'], 0.5);
    if (!kind) return;
    if (kind === 'interrupted') interrupt.abort();
    else if (!(await this.#person.edit(kind, point.dice, desired))) return;
    this.#mischief.note(point, kind);
  }

  #hear(diagnostic: Diagnostic): void {
    this.#heard.note(diagnostic);
    this.#log(`${diagnostic.severity} ${diagnostic.code} ${diagnostic.summary}`);
  }

  #hearEvent(event: ApplyEvent): void {
    if (event.kind === 'progress') return;
    if ('diagnostic' in event) this.#heard.note(event.diagnostic);
    const { kind, address, step } = event;
    const more =
      'diagnostic' in event ? `${event.diagnostic.code} ${event.diagnostic.summary}` : '';
    const said = `${kind} ${step} ${address} ${more}`;
    if (said.includes(this.#world.sandbox.token)) this.#violations.push('the token is shown');
    this.#log(said);
  }

  #elapsed(): string {
    return ((this.#world.time.now() - this.#startedAt) / 1000).toFixed(3).padStart(10);
  }
}

function hasSucceeded(end: End): boolean {
  if (end.kind !== 'ended') return false;
  return describeFailures(end).length === 0 && !hasErrors(end.summary.findings ?? []);
}

function diagnosticsOf(end: End): readonly Diagnostic[] {
  switch (end.kind) {
    case 'refused':
      return end.planned.plan.findings;
    case 'ended': {
      const { changes, findings = [] } = end.summary;
      const failures = changes.flatMap(({ result }) =>
        'diagnostic' in result ? [result.diagnostic] : [],
      );
      return [...failures, ...findings];
    }
    default:
      return [];
  }
}

/** The configuration as its author leaves it who reads what it cannot do. */
function rewrite(desired: DesiredGraph, diagnostics: readonly Diagnostic[]): DesiredGraph {
  const withCode = (wanted: string) => diagnostics.filter(({ code }) => code === wanted);
  const stuck = new Set(withCode('move-target-taken').map(({ address }) => address));
  const moved = desired.moved?.filter(({ to }) => !stuck.has(to));
  let rewritten: DesiredGraph = { ...desired, ...(moved && { moved }) };
  if (withCode('cannot-create-first').length > 0) rewritten = destroyFirst(rewritten);
  if (withCode('network-in-use').length > 0) rewritten = detachAll(rewritten);
  return rewritten;
}

/** VMs of which nothing was said keep no network. */
const detachAll = (desired: DesiredGraph): DesiredGraph => ({
  ...desired,
  resources: desired.resources.map((one) =>
    one.kind === 'vm' && one.attributes.networks === undefined
      ? { ...one, attributes: { ...one.attributes, networks: [] } }
      : one,
  ),
});

const destroyFirst = (desired: DesiredGraph): DesiredGraph => ({
  ...desired,
  resources: desired.resources.map((one) =>
    one.lifecycle ? { ...one, lifecycle: { ...one.lifecycle, createBeforeDestroy: false } } : one,
  ),
});

function describeEnd(end: End): string {
  if (end.kind === 'stopped') return `stopped: ${end.error.message}`;
  const failures = describeFailures(end);
  return `${end.kind}${failures.length > 0 ? `: ${failures.join('; ')}` : ''}`;
}
