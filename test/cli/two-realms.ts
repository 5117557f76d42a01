// Two real processes of the program, each in a process namespace of its own, so that neither can see whether the other
// lives: as on two machines, or in two containers, that share a directory. One is stopped in the middle, the other
// takes its lock over, the first comes back.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxAnswer, SandboxRequest } from '../../src/sandbox/contract/answer.ts';
import { answerNodeRequest, listenOnLoopback } from '../../src/sandbox/server/serve.ts';
import { run, startCommand, type Ended, type Started } from './program.ts';

const main = resolve(import.meta.dirname, '../../dist/main.js');
const unshare = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'] as const;

/** Why two namespaces cannot be had here; undefined where they can. */
export function findHindrance(): string | undefined {
  const [file, ...flags] = unshare;
  const { status, error, stderr } = spawnSync(file, [...flags, 'true'], { encoding: 'utf8' });
  return status === 0 ? undefined : `unshare: ${error?.message ?? stderr}`;
}

const leaseSeconds = 2;
const configuration = `version: 1
state: { lease: ${leaseSeconds}s }
projects:
  shop:
    networks: { a: , b: , c: , d: , e: , f: }
    publicIps: { edge: , spare: }
    vms:
      web: { count: 6, image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [a] }
`;
const everything = { networks: 6, publicIps: 2, vms: 6 };

/** What happens to the first run, and when it comes back. Requests that change something are counted from 1. */
interface Course {
  /** `pause`: the first run is stopped; `unlock`: its lock is removed while it goes on. */
  readonly kind: 'pause' | 'unlock';
  /** With 1, nothing else is on its way at the moment: then no create is ever lost, and waited for. */
  readonly parallelism: number;
  /** At which request of the first run, and how long after it, in milliseconds. */
  readonly at: number;
  readonly afterMs: number;
  /** True: the request is not yet with the service then. */
  readonly isBeforehand: boolean;
  /** The first run comes back at this request of the second one; after its end where it has fewer. */
  readonly backAt: number;
}

/** Draws so many courses. */
export const drawCourses = (count: number, parallelism: number): Course[] =>
  Array.from({ length: count }, () => drawCourse(parallelism, Math.random));

const drawCourse = (parallelism: number, random: () => number): Course => ({
  kind: random() < 0.85 ? 'pause' : 'unlock',
  parallelism,
  at: 1 + Math.floor(random() * 15),
  afterMs: random() < 0.5 ? 0 : Math.floor(random() * 40),
  isBeforehand: random() < 0.5,
  backAt: Math.floor(random() * 18),
});

/** What came of a course. */
interface CourseEnd {
  /** What is wrong; empty when nothing is. */
  readonly faults: readonly string[];
  /** False when the first run had ended before its moment. */
  readonly hasMet: boolean;
}

/** Sees each request of a run that changes something, counted from 1. */
type OnChange = (count: number, pass: () => Promise<SandboxAnswer>) => Promise<SandboxAnswer>;

/** A directory and an account. */
class Arena {
  readonly directory = mkdtempSync(join(tmpdir(), 'hostwright-realms-'));
  readonly sandbox: Sandbox;
  readonly #runs: { token: string; onChange: OnChange; count: number }[] = [];
  #server: Awaited<ReturnType<typeof listenOnLoopback>> | undefined;

  private constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
    writeFileSync(join(this.directory, 'main.yaml'), configuration);
  }

  static async open(): Promise<Arena> {
    const now = () => Date.now();
    return new Arena(await openSandbox({ dataFile: ':memory:', now, speed: 50 }));
  }

  /**
   * An environment for a run, whose changes go through `onChange` first. All runs know the service by one address, and
   * are told apart by their tokens.
   */
  async connect(onChange: OnChange): Promise<Record<string, string>> {
    this.#server ??= await listenOnLoopback(
      answerNodeRequest((request) => this.#answer(request)),
      {},
    );
    const token = `run-${this.#runs.length}`;
    this.#runs.push({ token, onChange, count: 0 });
    return { HOSTWRIGHT_BASE_URL: `${this.#server.origin}/v1`, HOSTWRIGHT_TOKEN: token };
  }

  async #answer(request: SandboxRequest): Promise<SandboxAnswer> {
    const one = this.#runs.find(({ token }) => request.authorization === `Bearer ${token}`);
    const authorization = `Bearer ${this.sandbox.token}`;
    const pass = () => this.sandbox.answer({ ...request, authorization });
    if (request.method === 'GET' || !one) return pass();
    one.count += 1;
    return one.onChange(one.count, pass);
  }

  /** The program in a namespace of its own. */
  startApart(args: readonly string[], env: Record<string, string>): Started {
    return startCommand([...unshare, process.execPath, main, ...args], {
      cwd: this.directory,
      env,
    });
  }

  async count(): Promise<typeof everything> {
    const { sandbox } = this;
    const headers = { authorization: `Bearer ${sandbox.token}` };
    const read = async (path: string) => {
      const url = `http://sandbox/v1${path}?pageSize=100`;
      const body: unknown = await (await sandbox.fetch(new Request(url, { headers }))).json();
      return (Array.isArray(body) ? body : (body as { items: unknown[] }).items) as {
        id: string;
      }[];
    };
    const counts = { networks: 0, publicIps: 0, vms: 0 };
    for (const { id } of await read('/projects')) {
      counts.networks += (await read(`/projects/${id}/networks`)).length;
      counts.publicIps += (await read(`/projects/${id}/public-ips`)).length;
      counts.vms += (await read(`/projects/${id}/vms`)).length;
    }
    return counts;
  }

  async close(): Promise<void> {
    await this.#server?.close();
    this.sandbox.close();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** The process that unshare started: signals to unshare itself do not reach it. */
function pidWithin({ child: { pid } }: Started): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return first === undefined || first === '' ? undefined : Number(first);
  } catch {
    return undefined;
  }
}

function signal(started: Started, name: NodeJS.Signals): void {
  const pid = pidWithin(started);
  if (pid !== undefined) process.kill(pid, name);
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const applyWith = (parallelism: number) => [
  ...['apply', '--auto-approve', '--parallelism', String(parallelism)],
];

/**
 * Runs courses, so many side by side: they mostly wait. `met` counts those whose first run had not ended by its moment.
 */
export async function runCourses(
  courses: readonly Course[],
  atOnce: number,
): Promise<{ readonly faults: readonly string[]; readonly met: number }> {
  const faults: string[] = [];
  let met = 0;
  const rest = [...courses];
  const work = async () => {
    for (let course = rest.shift(); course; course = rest.shift()) {
      const end = await runCourse(course);
      if (end.hasMet) met += 1;
      faults.push(...end.faults.map((fault) => `${JSON.stringify(course)}: ${fault}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { faults, met };
}

async function runCourse(course: Course): Promise<CourseEnd> {
  const arena = await Arena.open();
  try {
    return await race(arena, course);
  } finally {
    await arena.close();
  }
}

async function race(arena: Arena, course: Course): Promise<CourseEnd> {
  const apply = applyWith(course.parallelism);
  let late = 0;
  let secondHasWritten = false;
  let strike: () => void = () => undefined;
  const struck = new Promise<void>((done) => (strike = done));
  const firstEnv = await arena.connect(async (count, pass) => {
    if (secondHasWritten) late += 1;
    if (count !== course.at) return pass();
    const answer = course.isBeforehand ? undefined : await pass();
    if (course.afterMs > 0) await sleep(course.afterMs);
    if (course.kind === 'pause') signal(first, 'SIGSTOP');
    strike();
    return answer ?? pass();
  });
  const secondEnv = await arena.connect((count, pass) => {
    secondHasWritten = true;
    if (count === course.backAt) signal(first, 'SIGCONT');
    return pass();
  });
  const first = arena.startApart(apply, firstEnv);
  await Promise.race([struck, first.ended]);
  const hasMet = first.child.exitCode === null;
  if (course.kind === 'unlock' && hasMet) await unlock(arena, secondEnv);
  const second = await arena.startApart([...apply, '--lock-timeout', '60s'], secondEnv).ended;
  signal(first, 'SIGCONT');
  const firstEnded = await first.ended;
  const faults = await judge(arena, course, secondEnv, [firstEnded, second], late);
  return { faults, hasMet };
}

async function unlock({ directory }: Arena, env: Record<string, string>): Promise<void> {
  try {
    const text = readFileSync(join(directory, '.hostwright', 'lock.json'), 'utf8');
    const { ID } = JSON.parse(text) as { ID: string };
    await run(['force-unlock', ID], { cwd: directory, env });
  } catch {
    // The first run has ended.
  }
}

async function judge(
  arena: Arena,
  { parallelism }: Course,
  env: Record<string, string>,
  [first, second]: readonly [Ended, Ended],
  late: number,
): Promise<string[]> {
  const faults: string[] = [];
  const tell = ({ code, stdout, stderr }: Ended) => `${code}\n${stdout}\n${stderr}`;
  const hasLost = first.code === 1 && first.stderr.includes('[lock-lost]');
  if (first.code !== 0 && !hasLost) faults.push(`the first run ended with ${tell(first)}`);
  if (second.code !== 0) faults.push(`the second run ended with ${tell(second)}`);
  if (late > parallelism) faults.push(`${late} changes of the first run came late`);
  const held = JSON.stringify(await arena.count());
  if (held !== JSON.stringify(everything)) faults.push(`the account holds ${held}`);
  const planned = await run(['plan', '--detailed-exitcode'], { cwd: arena.directory, env });
  if (planned.code !== 0) faults.push(`the next plan ended with ${tell(planned)}`);
  if (faults.length > 0) faults.push(`first: ${tell(first)}`, `second: ${tell(second)}`);
  return faults;
}

/** Two runs that start at one moment: one of them waits for the other. */
export async function runAtOnce(): Promise<readonly string[]> {
  const arena = await Arena.open();
  try {
    const env = await arena.connect((_count, pass) => pass());
    const patient = [...applyWith(10), '--lock-timeout', '120s'];
    const runs = [arena.startApart(patient, env), arena.startApart(patient, env)];
    const ended = await Promise.all(runs.map((one) => one.ended));
    const faults = ended
      .filter(({ code }) => code !== 0)
      .map(({ code, stderr }) => `a run ended with ${code}\n${stderr}`);
    const held = JSON.stringify(await arena.count());
    if (held !== JSON.stringify(everything)) faults.push(`the account holds ${held}`);
    return faults;
  } finally {
    await arena.close();
  }
}
