// A git host that the server speaks to, and which repositories belong to it.
import { isLoopback } from '../../model/text/is-loopback.ts';

/** Kind of a git host's API: GitHub or GitLab. */
export type GitHostKind = 'github' | 'gitlab';

/** A connection to a git host, without its secrets. */
export interface GitHostConnection {
  readonly name: string;
  readonly kind: GitHostKind;
  /** GitHub: of its API, as `https://api.github.com`. GitLab: of the site, as `https://gitlab.com`. Without a slash at its end. */
  readonly address: string;
  /** Ids of the GitHub App; undefined for a connection that uses a token. */
  readonly app: { readonly id: string; readonly installation: string } | undefined;
  readonly createdAt: Date;
  /** Time of the last change of the connection's secrets. */
  readonly changedAt: Date;
}

/** Credentials of a connection: either `token`, or `privateKey` of an App. */
export interface GitHostConnectionSecrets {
  readonly token?: string;
  /** Private key of the GitHub App as PEM text. */
  readonly privateKey?: string;
  readonly webhookSecret: string;
}

/** Addresses of the hosts' APIs for connections that name none. */
export const defaultGitHostAddresses: Readonly<Record<GitHostKind, string>> = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.com',
};

/** Names of the kinds of git hosts, for people. */
export const gitHostNames: Readonly<Record<GitHostKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
};

/**
 * Parses the address of a git host to its normal form; undefined for a text that is no address, or would send a token
 * unencrypted.
 */
export function parseGitHostAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username + url.password + url.search + url.hash !== '') return undefined;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  return isSafe ? `${url.origin}${url.pathname}`.replace(/\/+$/, '') : undefined;
}

/**
 * Tells whether an address can be that of a host's API. The address of GitHub's web pages is not: it would answer each request
 * with 404.
 */
export function isGitHostApiAddress({
  kind,
  address,
}: Pick<GitHostConnection, 'kind' | 'address'>): boolean {
  if (kind === 'gitlab') return true;
  const { hostname, pathname } = new URL(address);
  return pathname === '/api/v3' || (pathname === '/' && hostname.startsWith('api.'));
}

/** Finds the web address below which the repositories of a connection are. */
export function findConnectionSite({
  kind,
  address,
}: Pick<GitHostConnection, 'kind' | 'address'>): string {
  if (kind === 'gitlab') return address;
  const { protocol, host } = new URL(address);
  // On github.com and ghe.com the API has a host of its own, on an Enterprise server a path.
  const isOwn = host === 'api.github.com' || /^api\..+\.ghe\.com$/.test(host);
  return `${protocol}//${isOwn ? host.slice('api.'.length) : host}`;
}

/** Finds the path of a repository at the host of a connection, as `acme/infra`; undefined for a repository at another host. */
export function findRepositoryPathAtHost(
  connection: Pick<GitHostConnection, 'kind' | 'address'>,
  repository: string,
): string | undefined {
  const url = URL.canParse(repository) ? new URL(repository) : undefined;
  if (!url || url.username + url.password + url.search + url.hash !== '') return undefined;
  const site = `${findConnectionSite(connection)}/`;
  const whole = `${url.origin}${url.pathname}`;
  if (!whole.startsWith(site)) return undefined;
  const path = whole
    .slice(site.length)
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  const parts = path.split('/');
  const isPath = parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part));
  const isCount = connection.kind === 'github' ? parts.length === 2 : parts.length >= 2;
  return isPath && isCount ? path : undefined;
}
