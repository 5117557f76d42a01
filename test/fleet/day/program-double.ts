// The program that runs start, in virtual time: it answers as the program does by its exit codes, its report and its pipe.
// The pipe's other end is the real one; what it would do in an account is done in that of the day.
import { readFile, writeFile } from 'node:fs/promises';
import { duplexPair } from 'node:stream';
import { LeasedRequestBudget } from '../../../src/cli/lease-requests.ts';
import { WorkerConnection } from '../../../src/cli/worker-line.ts';
import type {
  RunChildProcess,
  ChildProgramCall,
  StartChildProgram,
} from '../../../src/server/runs/run-child.ts';
import type { DayClock } from './day-clock.ts';
import {
  compareNetworks,
  findDrift,
  readCommit,
  type Ground,
  type NetworkChange,
} from './day-world.ts';

/** What all processes share. */
export interface ProgramMeans {
  readonly clock: DayClock;
  readonly random: () => number;
  readonly grounds: ReadonlyMap<string, Ground>;
  readonly fault: (text: string) => void;
}

interface PlanFile {
  readonly live: readonly (readonly [string, string])[];
  readonly changes: readonly NetworkChange[];
  readonly json: object;
}

/** What services ask for: a second, or minutes. */
const refusedMs = { least: 1_000, times: 180 };
const listRequests = 3;
/** No process has it: PostgreSQL's rows name it, and whoever looks finds it gone. */
const noPid = 2 ** 22 + 1;

/** The program. */
export function openProgramDouble(means: ProgramMeans): StartChildProgram {
  return (call) => start(means, call);
}

function start(means: ProgramMeans, call: ChildProgramCall): RunChildProcess {
  const ended = new AbortController();
  const process = new ProcessDouble(means, call, ended.signal);
  return {
    // Whoever is interrupted does not begin anything new.
    interrupt: () => ended.abort(),
    kill: () => ended.abort(),
    ended: process.run(),
  };
}

class ProcessDouble {
  readonly #means: ProgramMeans;
  readonly #call: ChildProgramCall;
  readonly #killed: AbortSignal;
  readonly #ground: Ground;
  readonly #budget: LeasedRequestBudget;
  readonly #close: () => Promise<void>;

  constructor(means: ProgramMeans, call: ChildProgramCall, killed: AbortSignal) {
    this.#means = means;
    this.#call = call;
    this.#killed = killed;
    const ground = means.grounds.get(call.env.HOSTWRIGHT_SERVER_WORKSPACE ?? '');
    if (!ground) throw new Error('A run of a workspace that there is not.');
    this.#ground = ground;
    const [own, workers] = duplexPair();
    const stay = () => own;
    const pipe = Object.assign(own, { ref: stay, unref: stay });
    const served = call.serve(workers);
    this.#budget = new LeasedRequestBudget(new WorkerConnection(pipe as never), means.clock).enter(
      ground.account.name,
    );
    this.#close = async () => {
      this.#budget.close();
      own.end();
      await served;
      workers.end();
    };
  }

  async run(): Promise<number | undefined> {
    try {
      if (!(await this.#call.onStart(noPid))) return undefined;
      return await this.#work();
    } catch (error) {
      if (this.#killed.aborted) return undefined;
      throw error;
    } finally {
      await this.#close();
    }
  }

  #work(): Promise<number> {
    const { args } = this.#call;
    switch (args[0]) {
      case 'plan':
        return this.#plan();
      case 'apply':
        return this.#apply(args[1] ?? '');
      case 'show':
        return this.#show(args[1] ?? '');
      case 'output':
        this.#call.onLine('output', '{}');
        return Promise.resolve(0);
      default:
        throw new Error(`The double does not know ${args.join(' ')}.`);
    }
  }

  async #plan(): Promise<number> {
    const { args, env } = this.#call;
    const ground = this.#ground;
    for (let count = 0; count < listRequests; count += 1) await this.#request();
    await this.#sleep(this.#drawMs());
    const isDrift = args.includes('--refresh-only');
    const drift = findDrift(ground);
    const wanted = readCommit(env.CI_COMMIT_SHA ?? '');
    const changes = isDrift ? [] : compareNetworks(ground.live, wanted);
    const json = this.#describe(changes, drift);
    const saved: PlanFile = { live: [...ground.live], changes, json };
    if (isDrift ? drift.length > 0 : true) {
      await this.#write(args[args.indexOf('--out') + 1] ?? '', saved);
      const { HOSTWRIGHT_SERVER_REPORT: report } = env;
      if (report !== undefined)
        await this.#write(report, {
          ...{ plan: json, page: '<p>plan</p>', comment: 'plan' },
          approved: changes.map((one) => {
            return { kind: 'change', name: one.name, content: JSON.stringify(one) };
          }),
        });
    }
    this.#call.onLine('output', 'Plan: as the double has it.');
    const isSome = (isDrift ? drift : changes).length > 0;
    return args.includes('--detailed-exitcode') && isSome ? 2 : 0;
  }

  async #show(file: string): Promise<number> {
    const { json } = await this.#read(file);
    this.#call.onLine('output', JSON.stringify(json));
    return 0;
  }

  async #apply(file: string): Promise<number> {
    const { live, changes } = await this.#read(file);
    await this.#request();
    const ground = this.#ground;
    if (compareNetworks(ground.live, new Map(live)).length > 0) {
      this.#call.onLine('error', 'Error: Saved plan is stale');
      return 1;
    }
    for (const { name, action, after } of changes) {
      await this.#request();
      if (action === 'create' && ground.live.has(name))
        this.#means.fault(`${ground.name}: ${name} is made twice.`);
      if (after === undefined) {
        ground.live.delete(name);
        ground.state.delete(name);
      } else {
        ground.live.set(name, after);
        ground.state.set(name, after);
      }
      await this.#sleep(this.#drawMs());
    }
    ground.state = new Map(ground.live);
    return 0;
  }

  /** Sends a request once it may, and again where it was refused. */
  async #request(): Promise<void> {
    for (;;) {
      const waitMs = await this.#budget.take(this.#killed);
      if (waitMs > 0) await this.#sleep(waitMs);
      else if (this.#ground.account.ask()) return;
      else {
        const { least, times } = refusedMs;
        this.#budget.noteOverload(least * times ** this.#means.random(), 429);
      }
    }
  }

  /** Mostly a second, and now and then a minute. */
  #drawMs(): number {
    const { random } = this.#means;
    return random() < 0.01 ? 60_000 * random() : 1_500 * random();
  }

  #sleep(ms: number): Promise<void> {
    return this.#means.clock.sleep(ms, this.#killed);
  }

  #write(file: string, content: object): Promise<void> {
    return this.#means.clock.hold(() => writeFile(file, JSON.stringify(content)));
  }

  #read(file: string): Promise<PlanFile> {
    return this.#means.clock.hold(async () => JSON.parse(await readFile(file, 'utf8')) as PlanFile);
  }

  #describe(changes: readonly NetworkChange[], drift: readonly NetworkChange[]): object {
    const { name: project, live } = this.#ground;
    const addressOf = (name: string) => `projects.${project}.networks.${name}`;
    const named = { name: project };
    const used = live.size;
    const count = (wanted: string) => changes.filter(({ action }) => action === wanted).length;
    const [add, change, destroy] = [count('create'), count('update'), count('delete')];
    return {
      resource_changes: [{ type: 'hostwright_project', change: { before: named, after: named } }],
      resource_drift: drift.map(({ name, action, after }) => ({
        address: addressOf(name),
        change: { actions: [action], after: after ?? null },
      })),
      hostwright: {
        actions: Object.fromEntries(changes.map(({ name, action }) => [addressOf(name), action])),
        summary: { add, change, destroy },
        findings: [],
        // Its variables never change.
        fingerprints: { configuration: '' },
        quotas: [{ name: 'networks', limit: 1_000_000, used, after: used + add - destroy }],
      },
    };
  }
}
