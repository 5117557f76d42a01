// What a push plans in a real PostgreSQL: of a real repository, where a host says which files differ.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openKeyring } from '../../../src/server/access/keyring.ts';
import { HostFault } from '../../../src/server/hosts/host-fault.ts';
import { planPush, type ComparingHost } from '../../../src/server/hosts/pulls/plan-push.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/store/database.ts';
import { migrate } from '../../../src/server/store/migrations/migrate.ts';
import { openStore, type Store } from '../../../src/server/store/store.ts';
import { startPostgres, type PostgresServer } from '../../support/backends/postgres-server.ts';
import { makeRepository, type GitRepository, type Tree } from '../../support/git-repositories.ts';
import { compareCommits } from '../../support/hosts/host-double.ts';
import { silentRuntime } from '../../support/silent-runtime.ts';

let folder: string;
let postgres: PostgresServer;
let database: ServerDatabase;
let store: Store;
let repository: GitRepository;
/** What the host was asked for. */
let compared: string[];
let compare: ComparingHost['listFilesBetween'];

const git = { ...silentRuntime, env: { PATH: process.env.PATH } };
const nothing = () => Promise.resolve();
const means = () => ({
  store,
  engine: {
    ...{ enqueue: nothing, cancel: nothing, schedule: nothing, close: nothing },
    ...{ list: () => Promise.resolve([]), recover: () => Promise.resolve([]) },
    forget: () => Promise.resolve(0),
  },
  hosts: {
    find: () => Promise.resolve(undefined),
    open: () => Promise.reject(new Error('nobody asks for this')),
    openGit: () => Promise.resolve(git),
    close: () => undefined,
  },
  runtime: silentRuntime,
});
const host: ComparingHost = {
  listFilesBetween: (path, before, after) => {
    compared.push(`${before}...${after}`);
    return compare(path, before, after);
  },
};

const compareReally: typeof compare = async (_path, before, after) =>
  (await compareCommits(repository, before, after))?.flatMap((one) => [one.before, one.path]);

/** What a worker does with the webhook of a push. */
async function hear(commit: string, attempts = 1): Promise<void> {
  const workspaces = await store.workspaces.list();
  const push = { kind: 'push', repository: 'acme/infra', branch: 'main', commit } as const;
  await planPush(means(), host, push, { workspaces, attempts });
}

async function push(tree: Tree): Promise<string> {
  const commit = await repository.commit(tree);
  await hear(commit);
  return commit;
}

async function addWorkspaces(...directories: readonly string[]): Promise<void> {
  for (const [index, directory] of directories.entries())
    await store.workspaces.add({
      ...{ name: `w${index}`, repository: pathToFileURL(repository.directory).href },
      ...{ branch: 'main', directory, poll: false, variables: {} },
    });
}

/** The commits that were planned, of each workspace. */
async function listPlanned(): Promise<Readonly<Record<string, readonly string[]>>> {
  const runs = await store.runs.list(undefined, 100);
  const named = (await store.workspaces.list()).map(({ name }) => [
    name,
    runs.filter(({ workspace }) => workspace === name).map(({ commit }) => commit),
  ]);
  return Object.fromEntries(named) as Record<string, readonly string[]>;
}

const listSeen = async () =>
  new Set((await store.workspaces.list()).map(({ seenCommit }) => seenCommit));

const tree = { 'a/main.yaml': '1', 'b/main.yaml': '1', 'README.md': '1' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostwright-pushes-'));
  postgres = await startPostgres();
  database = await openServerDatabase(postgres.url);
  await migrate(database);
  store = openStore(database, openKeyring(['a key of 32 letters or more ...']));
});

beforeEach(async () => {
  await database.ask('TRUNCATE hostwright_server.workspaces CASCADE');
  repository = await makeRepository(await mkdtemp(join(folder, 'infra-')));
  compared = [];
  compare = compareReally;
});

afterAll(async () => {
  await database.close();
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a push', () => {
  it('plans what it touches, and every workspace has seen its commit', async () => {
    await addWorkspaces('a', 'a', 'b', '.');
    const first = await push(tree);
    expect(compared).toEqual([]);
    const second = await push({ ...tree, 'a/main.yaml': '2' });
    const both = [second, first];
    expect(await listPlanned()).toEqual({ w0: both, w1: both, w2: [first], w3: both });
    expect(await listSeen()).toEqual(new Set([second]));
    expect(compared).toEqual([`${first}...${second}`]);
  });

  it('plans both directories between which a file moves', async () => {
    await addWorkspaces('a', 'b', 'c');
    const first = await push({ ...tree, 'a/moved.yaml': 'a text that is found again' });
    const second = await push({ ...tree, 'c/moved.yaml': 'a text that is found again' });
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [first], w2: [second, first] });
  });

  it('plans what earlier pushes touched that nobody heard of', async () => {
    await addWorkspaces('a', 'b');
    const first = await push(tree);
    await repository.commit({ ...tree, 'a/main.yaml': '2' });
    const third = await push({ ...tree, 'a/main.yaml': '2', 'b/main.yaml': '2' });
    expect(await listPlanned()).toEqual({ w0: [third, first], w1: [third, first] });
  });

  it('loses nothing and plans nothing twice where it is heard of again, at once or after a kill', async () => {
    await addWorkspaces('a', 'b');
    const first = await push(tree);
    const second = await repository.commit({ ...tree, 'a/main.yaml': '2' });
    // One process was killed after it had noted the commit for what is not touched.
    const other = await store.workspaces.find('w1');
    expect(await store.workspaces.noteSeen(other ? [other] : [], second)).toBe(1);
    await Promise.allSettled([hear(second), hear(second), hear(second)]);
    await hear(second);
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [first] });
    expect(await listSeen()).toEqual(new Set([second]));
  });

  it('is compared with what each workspace has seen, once for all that have seen the same', async () => {
    await addWorkspaces('a', 'a', 'b', 'b');
    const first = await push(tree);
    const second = await repository.commit({ ...tree, 'a/main.yaml': '2' });
    const [, behind] = await store.workspaces.list();
    const rest = (await store.workspaces.list()).filter(({ id }) => id !== behind?.id);
    await store.workspaces.noteSeen(rest, second);
    const third = await push({ ...tree, 'a/main.yaml': '2', 'README.md': '2' });
    expect(await listPlanned()).toMatchObject({ w0: [first], w1: [third, first], w2: [first] });
    expect([...compared].sort()).toEqual([`${first}...${third}`, `${second}...${third}`].sort());
  });

  it('is done again where another one came first', async () => {
    await addWorkspaces('b');
    const first = await push(tree);
    const second = await repository.commit({ ...tree, 'a/main.yaml': '2' });
    compare = async () => {
      // Meanwhile a push is heard of that touches the workspace.
      compare = compareReally;
      await push({ ...tree, 'b/main.yaml': '2' });
      return ['a/main.yaml'];
    };
    await expect(hear(second)).rejects.toThrow('Another push came first');
    const third = await repository.git('rev-parse', 'HEAD');
    expect(await listPlanned()).toEqual({ w0: [third, first] });
    expect(await listSeen()).toEqual(new Set([third]));
  });

  it('plans everything where the host cannot say what it touches', async () => {
    await addWorkspaces('a', 'b');
    const first = await push(tree);
    compare = () => Promise.resolve(undefined);
    const second = await push({ ...tree, 'a/main.yaml': '2' });
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [second, first] });
  });

  it('waits for a host that does not answer, and plans everything in the end', async () => {
    await addWorkspaces('a', 'b');
    const first = await push(tree);
    const second = await repository.commit({ ...tree, 'a/main.yaml': '2' });
    compare = () => Promise.reject(new HostFault('out of order', { status: 502 }));
    await expect(hear(second, 4)).rejects.toThrow('out of order');
    expect(await listPlanned()).toEqual({ w0: [first], w1: [first] });
    await hear(second, 5);
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [second, first] });
  });

  it('plans a workspace whose directory was changed since', async () => {
    await addWorkspaces('a', 'b');
    const first = await push(tree);
    await store.transact(async () => {
      const held = await store.workspaces.hold('w1');
      if (held) await store.workspaces.edit(held, { directory: 'c' });
    });
    const second = await push({ ...tree, 'a/main.yaml': '2' });
    expect(await listPlanned()).toEqual({ w0: [second, first], w1: [second, first] });
  });
});
