// A real PostgreSQL, a real git repository, and what follows from pushes to it, where a host says which files differ.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openServerKeyring } from '../../../src/server/secrets/keyring.ts';
import type { GitHostConnection } from '../../../src/server/hosts/connection.ts';
import type { GitHost } from '../../../src/server/hosts/git-host.ts';
import { planPushedCommit } from '../../../src/server/pulls/plan-push.ts';
import type { RunRequestDependencies } from '../../../src/server/runs/request-run.ts';
import { openServerDatabase, type ServerDatabase } from '../../../src/server/database/database.ts';
import { assembleServerStore, type ServerStore } from '../../../src/server/store/store.ts';
import { makeRepository, type GitRepository, type Tree } from '../git-repositories.ts';
import { compareCommits } from '../hosts/host-double.ts';
import { silentRuntime } from '../silent-runtime.ts';
import { idleEngine } from './idle-engine.ts';
import { makeServerDatabase } from './server-database.ts';

/** All of it, and what can come between. */
export interface PushRig {
  readonly database: ServerDatabase;
  readonly store: ServerStore;
  readonly means: RunRequestDependencies;
  repository: GitRepository;
  /** What the host was asked for. */
  compared: string[];
  /** How the host answers. */
  compare: GitHost['listFilesBetween'];
  /** True: the repository is at a host. */
  isHosted: boolean;
  /** Comes once, after a commit was read and before its run is added. */
  beforeAdding: (() => Promise<void>) | undefined;
  /** Forgets everything. */
  renew(): Promise<void>;
  /** What a worker does with the webhook of a push. */
  hear(commit: string, attempts?: number): Promise<void>;
  /** Commits, and hears of it. */
  push(tree: Tree): Promise<string>;
  /** Makes the workspaces `w0`, `w1` and so on. @returns their ids */
  addWorkspaces(...directories: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

const git = { ...silentRuntime, env: { PATH: process.env.PATH } };
const unwanted = () => Promise.reject(new Error('nobody asks for this'));
const connection: GitHostConnection = {
  ...{ name: 'hub', kind: 'github', address: 'https://api.github.com', app: undefined },
  ...{ createdAt: new Date(0), changedAt: new Date(0) },
};

/** Opens it. */
export async function openPushRig(): Promise<PushRig> {
  const folder = await mkdtemp(join(tmpdir(), 'hostwright-pushes-'));
  const postgres = await makeServerDatabase();
  const database = await openServerDatabase(postgres.url);
  const opened = assembleServerStore(
    database,
    openServerKeyring(['a key of 32 letters or more ...']),
  );
  const make = async () => makeRepository(await mkdtemp(join(folder, 'infra-')));
  const compareReally: PushRig['compare'] = async (_path, before, after) =>
    (await compareCommits(rig.repository, before, after))?.flatMap((one) => [one.before, one.path]);
  const store: ServerStore = {
    ...opened,
    async transact(work) {
      const come = rig.beforeAdding;
      rig.beforeAdding = undefined;
      await come?.();
      return opened.transact(work);
    },
  };
  const host: GitHost = {
    ...{ readCredential: unwanted, readPull: unwanted, listChangedFiles: unwanted },
    ...{ findMergeResult: unwanted, setStatus: unwanted, keepComment: unwanted },
    mayWrite: unwanted,
    react: unwanted,
    listApprovals: unwanted,
    listPullAuthors: unwanted,
    listFilesBetween: (path, before, after) => {
      rig.compared.push(`${before}...${after}`);
      return rig.compare(path, before, after);
    },
  };
  const rig: PushRig = {
    ...{ database, store, compared: [], compare: compareReally, beforeAdding: undefined },
    isHosted: false,
    repository: await make(),
    means: {
      store,
      engine: idleEngine,
      hosts: {
        find: () =>
          Promise.resolve(rig.isHosted ? { connection, host, path: 'acme/infra' } : undefined),
        open: unwanted,
        openGit: () => Promise.resolve(git),
        close: () => undefined,
      },
      runtime: silentRuntime,
    },
    async renew() {
      await database.ask('TRUNCATE hostwright_server.workspaces CASCADE');
      const repository = await make();
      Object.assign(rig, { repository, compared: [], compare: compareReally, isHosted: false });
      rig.beforeAdding = undefined;
    },
    async hear(commit, attempts = 1) {
      const workspaces = await store.workspaces.list();
      const push = { kind: 'push', repository: 'acme/infra', branch: 'main', commit } as const;
      await planPushedCommit(rig.means, host, push, { workspaces, attempts });
    },
    async push(tree) {
      const commit = await rig.repository.commit(tree);
      await rig.hear(commit);
      return commit;
    },
    async addWorkspaces(...directories) {
      const made = directories.map((directory, index) =>
        store.workspaces.add({
          ...{ name: `w${index}`, repository: pathToFileURL(rig.repository.directory).href },
          ...{ branch: 'main', directory, poll: false, variables: {} },
        }),
      );
      return (await Promise.all(made)).map((one) => one?.id ?? '');
    },
    async close() {
      await database.close();
      await postgres.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return rig;
}
