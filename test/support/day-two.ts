// The program in one process with a sandbox, on a clock that jumps: the command line as people use it, streams and exit
// codes too, with one project and two VMs that the state knows.
import { exchangeByFetch } from '../../src/api/transport/exchange-by-fetch.ts';
import { networkOf } from './network.ts';
import { followOpenFiles } from './open-files.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServiceClient, type ServiceClient } from '../../src/api/client.ts';
import { openTerminalRunner } from '../../src/cli/execute-command.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import type { LiveVm } from '../../src/kinds/vm/model.ts';
import type { RunProbeOnce } from '../../src/model/plan/readiness.ts';
import type { NetworkSettings } from '../../src/model/http.ts';
import type { ServerRunAttempt, Runtime } from '../../src/model/runtime.ts';
import type { SandboxOptions } from '../../src/sandbox/options.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { openStateStore } from '../../src/state/store.ts';
import { JumpingClock } from '../unit/api/fake-service.ts';
import { createRecordingSink } from './recording-sink.ts';
import { stateHome } from './own-home.ts';
import { silentRuntime } from './silent-runtime.ts';
import { openLocalBackend } from '../../src/state/backends/local.ts';

export const web0 = 'projects.shop.vms.web[0]';
export const web1 = 'projects.shop.vms.web[1]';

/** How one command line came out. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON, null where it is none. */
  readonly json: never;
  /** Every request that changes something: `POST /v1/projects/…`. */
  readonly writes: readonly string[];
  /** How each network was opened, in order. */
  readonly networks: readonly NetworkSettings[];
}

export interface RunOptions {
  /** What is typed at the questions, in order; then standard input ends. */
  readonly answers?: readonly string[];
  /** Sees every request first. */
  readonly meddle?: (request: Request, pass: () => Promise<Response>) => Promise<Response>;
  /** Interrupts at the first text on standard error that matches. */
  readonly interruptAt?: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  /** Kills the process at its request of half this number: before it goes out, or where it is odd, with its answer. */
  readonly killAt?: number;
  /** The answers of probes, which may be made then. */
  readonly askProbe?: RunProbeOnce;
  /** The run of a server that the process carries out. */
  readonly serverRun?: ServerRunAttempt;
}

/** A killed process waits for it, for good: what it has open is never collected. */
const never = new Promise<never>(() => undefined);

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An account, a directory with its configuration and its state, and people who type. */
export class DayTwoWorld {
  readonly clock: JumpingClock;
  readonly directory: string;
  readonly sandbox: Sandbox;
  readonly client: ServiceClient;
  projectId = '';
  vmIds: readonly string[] = [];

  private constructor(clock: JumpingClock, directory: string, sandbox: Sandbox) {
    this.clock = clock;
    this.directory = directory;
    this.sandbox = sandbox;
    this.client = createServiceClient({
      kinds: kindRegistry,
      baseUrl: 'https://sandbox/v1',
      token: sandbox.token,
      clock,
      random: () => 0.5,
      maxConcurrency: 4,
      exchange: exchangeByFetch((request) => sandbox.fetch(request), clock),
    });
  }

  static async open(options: Partial<SandboxOptions> = {}): Promise<DayTwoWorld> {
    const clock = new JumpingClock();
    const directory = await mkdtemp(join(tmpdir(), 'hostwright-day-two-'));
    const sandbox = await openSandbox({
      dataFile: ':memory:',
      now: () => clock.now(),
      seed: 3,
      validateAnswers: options.variant !== 'loose',
      ...options,
    });
    const world = new DayTwoWorld(clock, directory, sandbox);
    await world.#furnish();
    return world;
  }

  async close(): Promise<void> {
    this.sandbox.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Types one command line. @throws Error where it leaves connections open */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const interruption = new AbortController();
    const holds = new Set<() => void>();
    const writes: string[] = [];
    const networks: NetworkSettings[] = [];
    let openNetworks = 0;
    const answers = [...(options.answers ?? [])];
    const columns = options.isTTY ? 80 : undefined;
    const stdout = createRecordingSink(columns);
    const stderr = createRecordingSink(columns, (text) => {
      if (!options.interruptAt?.test(text) || interruption.signal.aborted) return;
      for (const hold of holds) hold();
      interruption.abort(new Error('interrupted'));
    });
    const { killAt = Infinity } = options;
    const death = new AbortController();
    const died = new Promise<number>((end) => (death.signal.onabort = () => end(137)));
    const die = () => {
      death.abort();
      return never;
    };
    let sent = 0;
    const network = networkOf((request) => {
      sent += 2;
      if (death.signal.aborted || sent === killAt) return die();
      if (sent + 1 === killAt) return this.sandbox.fetch(request).then(die);
      if (request.method !== 'GET') {
        writes.push(`${request.method} ${new URL(request.url).pathname}`);
      }
      const pass = () => this.sandbox.fetch(request);
      return options.meddle ? options.meddle(request, pass) : pass();
    }, this.clock);
    const runtime: Runtime = {
      ...silentRuntime,
      clock: {
        now: () => this.clock.now(),
        sleep: (ms, signal) =>
          this.clock.sleep(ms, signal).then(() => (death.signal.aborted ? never : undefined)),
      },
      random: () => 0.5,
      cwd: this.directory,
      env: {
        XDG_STATE_HOME: stateHome,
        HOSTWRIGHT_BASE_URL: 'https://sandbox/v1',
        HOSTWRIGHT_TOKEN: this.sandbox.token,
        ...options.env,
      },
      stdout,
      stderr,
      openNetwork: (settings) => {
        networks.push(settings);
        openNetworks += 1;
        const { exchange } = network.openNetwork(settings);
        return { exchange, close: () => void (openNetworks -= 1) };
      },
      ...(options.askProbe && { openProber: () => options.askProbe as RunProbeOnce }),
      runInTerminal: openTerminalRunner({ ...options.env }),
      isAttended: options.isTTY === true,
      ask: () => Promise.resolve(answers.shift()),
      readInput: () => Promise.resolve(answers.join('\n')),
      interrupted: interruption.signal,
      holdInterrupts(onInterrupt) {
        holds.add(onInterrupt);
        return () => holds.delete(onInterrupt);
      },
      process: {
        // The next run sees that nobody has this number.
        pid: killAt === Infinity ? process.pid : 2 ** 22 + killAt,
        ...{ host: 'here', user: 'me' },
        ...(options.serverRun && { run: options.serverRun }),
      },
    };
    const files = killAt === Infinity ? undefined : followOpenFiles();
    const code = await Promise.race([runCommandLine(argv, runtime), died]);
    if (death.signal.aborted) {
      await this.pass(1);
      await files?.closeAll();
    } else if (openNetworks > 0) throw new Error(`${argv.join(' ')} leaves connections open`);
    files?.stop();
    const ran = { code, stdout: stdout.text, stderr: stderr.text, writes, networks };
    return { ...ran, json: parsedOrNull(stdout.text) as never };
  }

  /** A VM as it is now. */
  async vm(index = 0): Promise<LiveVm> {
    const found = await this.client.get('vm', { projectId: this.projectId }, this.vmIds[index]!);
    if (!found) throw new Error('the VM is gone');
    return found;
  }

  /** Somebody else asks for a backup of the first VM; it takes about a minute. */
  async backUp(): Promise<void> {
    const [vm = ''] = this.vmIds;
    await this.client.send({ kind: 'createBackup', project: this.projectId, vm });
  }

  /** Lets time pass, seconds. */
  pass(seconds: number): Promise<void> {
    return this.clock.sleep(seconds * 1000);
  }

  async #furnish(): Promise<void> {
    const { client } = this;
    await client.send({ kind: 'createProject', name: 'shop' });
    const [project] = await client.listProjects();
    this.projectId = project!.id;
    const { images, configurations, tariffs } = await client.getCatalog();
    for (const name of ['web-0', 'web-1']) {
      await client.send({
        kind: 'createVm',
        project: this.projectId,
        name,
        imageId: images[0]!.id,
        configurationId: configurations[0]!.id,
        tariffId: tariffs[0]!.id,
        sshKeys: [],
        publicIp: 'none',
        plugins: [],
      });
    }
    await this.pass(120);
    const vms = await client.list('vm', { projectId: this.projectId });
    this.vmIds = vms.map(({ id }) => id);
    await this.#configure(images[0]!.name, configurations[0]!.name, tariffs[0]!.name);
    await this.#remember();
  }

  #configure(image: string, configuration: string, tariff: string): Promise<void> {
    return writeFile(
      join(this.directory, 'main.yaml'),
      `version: 1
service: { baseUrl: 'https://sandbox/v1' }
projects:
  shop:
    networks: { planned: {} }
    vms:
      web: { count: 2, image: ${image}, configuration: ${configuration}, tariff: ${tariff} }
`,
    );
  }

  /** Writes the state that an apply would have left. */
  async #remember(): Promise<void> {
    const { projectId } = this;
    const store = await openStateStore(openLocalBackend(this.directory));
    const at = this.clock.now();
    await store.record({
      kind: 'begin',
      runId: 'r',
      version: '0',
      service: 'https://sandbox/v1',
      at,
    });
    const shared = { projectId, attributes: {}, configured: [] };
    const project = {
      ...shared,
      address: 'projects.shop',
      kind: 'project',
      id: projectId,
    } as const;
    await store.record({ kind: 'bound', resource: project });
    for (const [index, id] of this.vmIds.entries()) {
      const vm = { ...shared, address: `projects.shop.vms.web[${index}]`, kind: 'vm', id } as const;
      await store.record({ kind: 'bound', resource: vm });
    }
    await store.record({ kind: 'end', runId: 'r', at });
    await store.compact();
    await store.close();
  }
}
