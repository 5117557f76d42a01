// The names that a configuration gives to this backend. They come from YAML, which a stranger may have written, and end
// up as arguments of git: what could be read as an option, an address or a pattern is refused.
import { resolve } from 'node:path';
import { isRefName } from '../../../model/text/ref-name.ts';
import { BackendError } from '../backend-error.ts';

const maxNameLength = 200;

/** @throws BackendError `broken` unless git takes the text as the name of a branch */
export function checkBranchName(branch: string): void {
  if (isRefName(branch) && branch !== 'HEAD') return;
  throw new BackendError(
    'broken',
    `${JSON.stringify(branch)} is not a valid name of a git branch.`,
  );
}

/** @throws BackendError `broken` unless the text is one of the configured remotes */
export function checkRemoteName(remote: string, configured: readonly string[]): void {
  if (isRefName(remote) && configured.includes(remote)) return;
  const known = configured.length === 0 ? 'it has none' : `it has ${configured.join(', ')}`;
  throw new BackendError(
    'broken',
    `The git repository has no remote named ${JSON.stringify(remote)}: ${known}.`,
  );
}

/** @throws BackendError `broken` unless the text is a relative path of plain names, such as `teams/shop` */
export function checkStatePath(path: string): void {
  const isPlain = path.split('/').every((part) => /^\w[\w.-]*$/.test(part));
  if (isPlain && path.length <= maxNameLength) return;
  throw new BackendError(
    'broken',
    `${JSON.stringify(path)} is not a valid path for a state: use letters, digits, "_", "-", "." and "/".`,
  );
}

/**
 * Address of a remote as one text for all ways to reach it: `git@example.com:acme/infra.git` and
 * `https://token@example.com/acme/infra` are both `example.com/acme/infra`. Holds no secret.
 */
export function describeRemoteUrl(url: string, directory: string): string {
  const [, scheme = '', authority = '', path = ''] =
    /^([a-z][a-z\d+.-]*):\/\/([^/]*@[^/]*|[^/]*)(\/.*)?$/is.exec(url) ?? [];
  if (scheme.toLowerCase() === 'file') return trimPath(path);
  if (scheme !== '') {
    const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
    const isUsualPort =
      /^(?:ssh|git\+ssh|ssh\+git)$/i.test(scheme) || /:(?:80|443|9418)$/.test(host);
    return joinHost(isUsualPort ? host.replace(/:\d+$/, '') : host, path);
  }
  const [, host, scpPath = ''] = /^(?:[^/]*@)?(\[[^\]]+\]|[^/:]+):(.*)$/s.exec(url) ?? [];
  if (host !== undefined) return joinHost(host.toLowerCase(), scpPath);
  return trimPath(resolve(directory, url));
}

function joinHost(host: string, path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  return `${host}/${trimPath(plain).replace(/^\/+/, '')}`;
}

function trimPath(path: string): string {
  return path.replace(/\/+$/, '').replace(/\.git$/, '');
}
