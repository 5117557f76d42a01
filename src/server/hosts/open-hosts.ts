// The git hosts that the connections name, and how git reaches their repositories. Tokens are kept in the memory of this
// process, for as long as they are good.
import type { NetworkConnections } from '../../model/http.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { GitRuntime } from '../../modules/check-out.ts';
import { RunFault } from '../errors/run-fault.ts';
import { askGitHost, type GitHostApi } from './ask-host.ts';
import {
  findRepositoryPathAtHost,
  findConnectionSite,
  gitHostNames,
  type GitHostConnection,
  type GitHostConnectionSecrets,
} from './connection.ts';
import type { GitHost } from './git-host.ts';
import { createAppInstallationHeaders } from './github/app-token.ts';
import { GithubHost, type GithubAuthentication } from './github/github-host.ts';
import { GitlabHost } from './gitlab/gitlab-host.ts';

/** Abilities of the runtime that are needed to reach git hosts. */
export type GitHostsRuntime = GitRuntime & Pick<Runtime, 'openNetwork' | 'clock'>;

/** A repository at a git host. */
export interface GitHostRepository {
  readonly connection: GitHostConnection;
  readonly host: GitHost;
  /** Path of the repository at its host, as `acme/infra`. */
  readonly path: string;
}

/** Repository of a workspace: at a git host if it names a connection. */
interface RepositoryPlace {
  readonly connection: string | undefined;
  readonly repository: string;
}

/** Reads the connections with the secrets that they sign in with. */
interface KnownConnections {
  find(name: string): Promise<GitHostConnection | undefined>;
  readSecrets(name: string): Promise<GitHostConnectionSecrets>;
}

/** The git hosts of all connections. */
export interface GitHosts {
  /**
   * Finds the repository of a workspace at its git host; undefined for a workspace without a connection.
   * @throws RunFault where the repository is at another host
   */
  find(workspace: RepositoryPlace): Promise<GitHostRepository | undefined>;
  /** Opens the git host of a connection. */
  open(connection: GitHostConnection): Promise<GitHost>;
  /** Opens git for reading the repository of a workspace. @throws RunFault, GitHostFault */
  openGit(workspace: RepositoryPlace): Promise<GitRuntime>;
  close(): void;
}

const maxConnections = 8;
/** Git gives a host up that sends nothing for a minute. One that packs a large repository sends signs of life. */
const patience = { GIT_HTTP_LOW_SPEED_LIMIT: '1', GIT_HTTP_LOW_SPEED_TIME: '60' };
const githubHeaders = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
};

/** Opens the git hosts of all connections; no request is sent yet. */
export function openGitHosts(connections: KnownConnections, runtime: GitHostsRuntime): GitHosts {
  const network = runtime.openNetwork({ maxConnections });
  const opened = new Map<string, { readonly changedMs: number; readonly host: Promise<GitHost> }>();
  const open = (connection: GitHostConnection) => {
    const { name, changedAt } = connection;
    const known = opened.get(name);
    const changedMs = changedAt.getTime();
    if (known?.changedMs === changedMs) return known.host;
    const host = connections
      .readSecrets(name)
      .then((secrets) => openHost(connection, secrets, network, () => runtime.clock.now()));
    opened.set(name, { changedMs, host });
    // A failed opening is forgotten, so that the next request tries it again.
    host.catch(() => opened.delete(name));
    return host;
  };
  const find: GitHosts['find'] = async (workspace) => {
    if (workspace.connection === undefined) return undefined;
    const connection = await connections.find(workspace.connection);
    const path = connection && findRepositoryPathAtHost(connection, workspace.repository);
    if (connection && path !== undefined) return { connection, path, host: await open(connection) };
    throw new RunFault(
      `The repository of the workspace does not belong to the connection ${workspace.connection}. Edit the workspace.`,
    );
  };
  return {
    find,
    open,
    async openGit(workspace) {
      const found = await find(workspace);
      const slow = { ...patience, ...runtime.env };
      const beforeAbruptEnd: GitRuntime['beforeAbruptEnd'] = (work) =>
        runtime.beforeAbruptEnd(work);
      if (!found) return { env: slow, beforeAbruptEnd };
      const { user, password } = await found.host.readCredential();
      return { env: addCredential(slow, found.connection, user, password), beforeAbruptEnd };
    },
    close: () => network.close(),
  };
}

function openHost(
  connection: GitHostConnection,
  secrets: GitHostConnectionSecrets,
  { exchange }: NetworkConnections,
  now: () => number,
): GitHost {
  const { kind, address, app } = connection;
  const base = { exchange, now, label: gitHostNames[kind] };
  const { token = '', privateKey = '' } = secrets;
  if (kind === 'gitlab') {
    const headers = () => Promise.resolve({ 'private-token': token });
    return new GitlabHost({ ...base, root: `${address}/api/v4`, headers }, token);
  }
  const github = { ...base, root: address };
  const signIn = app ? signInAsApp(github, { ...app, privateKey }) : signInByToken(github, token);
  return new GithubHost({ ...github, headers: signHeaders(signIn.readToken) }, signIn);
}

function signHeaders(readToken: () => Promise<string>): GitHostApi['headers'] {
  return async () => ({ ...githubHeaders, authorization: `Bearer ${await readToken()}` });
}

function signInByToken(api: Omit<GitHostApi, 'headers'>, token: string): GithubAuthentication {
  const readToken = () => Promise.resolve(token);
  const asUser = { ...api, headers: signHeaders(readToken) };
  const readOwnName = once(async () => {
    const { data } = await askGitHost<{ login: string }>(asUser, { method: 'GET', path: '/user' });
    return data.login;
  });
  return { readToken, readOwnName };
}

function signInAsApp(
  api: Omit<GitHostApi, 'headers'>,
  app: Parameters<typeof createAppInstallationHeaders>[1],
): GithubAuthentication {
  const { asApp, readToken } = createAppInstallationHeaders(api, app, githubHeaders);
  const readOwnName = once(async () => {
    const { data } = await askGitHost<{ slug: string }>(
      { ...api, headers: asApp },
      { method: 'GET', path: '/app' },
    );
    return `${data.slug}[bot]`;
  });
  return { readToken, readOwnName };
}

/** Calls a function until it succeeds once, and then keeps its result. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let kept: { readonly value: T } | undefined;
  return async () => {
    kept ??= { value: await ask() };
    return kept.value;
  };
}

/**
 * The environment with a header for git that it sends to this site alone. In an address or an argument, the token would be
 * in lists of processes and in messages.
 */
function addCredential(
  env: Runtime['env'],
  connection: GitHostConnection,
  user: string,
  password: string,
): Runtime['env'] {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  const basic = Buffer.from(`${user}:${password}`).toString('base64');
  return {
    ...env,
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: `http.${findConnectionSite(connection)}/.extraHeader`,
    [`GIT_CONFIG_VALUE_${count}`]: `Authorization: Basic ${basic}`,
  };
}
