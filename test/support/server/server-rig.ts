// A server as a team has it, on one machine: PostgreSQL, the sandbox as the account, a git repository, and programs that are
// started by `asProcesses` or `inProcess`. Used by `npm run demo:server` and by the tests.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestDatabase } from '../backends/make-database.ts';
import { makeRepository, type GitRepository } from '../git-repositories.ts';
import { ApiClient } from './api-client.ts';

/** A start of the program that said that it is ready. */
export interface Running {
  /** Of its process. */
  readonly pid: number;
  /** Its first line. */
  readonly ready: Record<string, string>;
  /** What it has said on standard error. */
  readonly complaints: () => string;
  /** Resolves when it has ended, with its exit code; undefined when a signal ended it. */
  readonly ended: Promise<number | undefined>;
  /** Ends it in good order, or with another signal. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
}

/** How a rig comes to its database and starts the program. */
export interface RigMeans {
  readonly openDatabase: () => Promise<TestDatabase>;
  readonly start: StartRigProgram;
}

/**
 * Starts the program with these arguments, and with nothing of Hostwright in its environment but what is given. `program` is
 * the file of another build. @throws Error with what it said where it ends before it is ready
 */
export type StartRigProgram = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  program?: string,
) => Promise<Running>;

/** All of it. */
export interface ServerRig {
  readonly postgres: TestDatabase;
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

/** Starts all but the server and its workers. The sandbox runs so many times as fast. */
export async function openServerRig(means: RigMeans, speed: number): Promise<ServerRig> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-rig-'));
  const closing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of closing.splice(0).toReversed()) await step();
  };
  const start: StartRigProgram = async (args, env, program) => {
    const running = await means.start(args, env, program);
    closing.push(() => running.stop('SIGKILL'));
    return running;
  };
  try {
    const postgres = await means.openDatabase();
    closing.push(() => postgres.close());
    const sandbox = await start(
      ['sandbox', '--port', '0', '--speed', String(speed), '--quiet', '--json'],
      {},
    );
    const { baseUrl = '', token = '' } = sandbox.ready;
    const directory = join(folder, 'repository');
    const repository = await makeRepository(directory);
    const env = { HOSTWRIGHT_SERVER_KEY: serverKey, HOSTWRIGHT_SERVER_DATABASE: postgres.url };
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
