// A server as a team has it, on one machine: PostgreSQL, the sandbox as the account, a git repository, and processes of the
// built program. Used by `npm run demo:server` and by the tests.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { startPostgres, type PostgresServer } from '../backends/postgres-server.ts';
import { makeRepository, type GitRepository } from '../git-repositories.ts';
import { ApiClient } from './api-client.ts';

/** A process of the program that said that it is ready. */
export interface Running {
  readonly process: ChildProcess;
  /** Its first line. */
  readonly ready: Record<string, string>;
  /** What it has said on standard error. */
  readonly complaints: () => string;
  /** Resolves when it has ended, however. */
  readonly ended: Promise<void>;
  /** Ends it in good order, or with another signal. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** All of it. */
export interface ServerRig {
  readonly postgres: PostgresServer;
  readonly repository: GitRepository;
  /** The repository as git takes it. */
  readonly repositoryUrl: string;
  /** The base address and the token of the account. */
  readonly account: { readonly baseUrl: string; readonly token: string };
  /** Starts `server` or `worker` with more arguments, with more in its environment, or of another build. */
  readonly start: (
    args: readonly string[],
    other?: { readonly env?: Readonly<Record<string, string>>; readonly program?: string },
  ) => Promise<Running>;
  /** Starts the server without runs of its own. */
  readonly startServer: () => Promise<ApiClient>;
  readonly close: () => Promise<void>;
}

/** The key of the server. */
const serverKey = 'a key of a server that only tests know';

/** Starts all but the server and its workers. `root` is that of the project; the sandbox runs so many times as fast. */
export async function openServerRig(root: string, speed: number): Promise<ServerRig> {
  const program = join(root, 'dist/main.js');
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-rig-'));
  const closing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  const start = async (
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    file = program,
  ) => {
    const running = await startProgram(file, args, env);
    closing.push(() => running.stop('SIGKILL'));
    return running;
  };
  try {
    const postgres = await startPostgres();
    closing.push(() => postgres.close());
    const sandbox = await start(
      ['sandbox', '--port', '0', '--speed', String(speed), '--quiet', '--json'],
      {},
    );
    const { baseUrl = '', token = '' } = sandbox.ready;
    const directory = join(folder, 'repository');
    const repository = await makeRepository(directory);
    const env = {
      HOSTWRIGHT_SERVER_KEY: serverKey,
      HOSTWRIGHT_SERVER_DATABASE: postgres.url,
    };
    return {
      postgres,
      repository,
      repositoryUrl: pathToFileURL(directory).href,
      account: { baseUrl, token },
      start: (args, other) => start([...args, '--json'], { ...env, ...other?.env }, other?.program),
      startServer: async () => {
        const server = await start(['server', '--port', '0', '--no-runs', '--json'], env);
        const { origin = '', adminToken = '', signInUrl = '' } = server.ready;
        return new ApiClient(origin, adminToken, signInUrl);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** All VMs of the account: their projects and names. */
export async function listVms({
  baseUrl,
  token,
}: ServerRig['account']): Promise<readonly { readonly name: string }[]> {
  const read = async <T>(path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${baseUrl}${path}`, { headers });
    return ((await response.json()) as { readonly items: readonly T[] }).items;
  };
  const projects = await read<{ readonly id: string }>('/projects?pageSize=100');
  const lists = projects.map(async ({ id }) => {
    const vms = await read<{ readonly name: string }>(`/projects/${id}/vms?pageSize=100`);
    return vms.map(({ name }) => ({ name: `${id}/${name}` }));
  });
  return (await Promise.all(lists)).flat();
}

async function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('HOSTWRIGHT_'));
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...Object.fromEntries(kept), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  let printed = '';
  const ready = await new Promise<Record<string, string>>((done, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      printed += line;
      if (line === '}' || (line.startsWith('{') && line.endsWith('}'))) {
        done(JSON.parse(printed) as Record<string, string>);
      }
    });
    child.once('close', () => fail(new Error(`${args.join(' ')} ended: ${complaints}`)));
  });
  return {
    process: child,
    ready,
    complaints: () => complaints,
    ended,
    stop: async (signal = 'SIGINT') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
  };
}
