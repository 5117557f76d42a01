// The `source` of a module that comes from git: `git::https://host/group/repo.git//path?ref=v1.2.0`. Text in, parts or the
// reason why not out. A stranger may have written it, and it ends up among the arguments of git: only what is plainly
// an address, a path and the name of a ref passes. Credentials do not stand in it: it goes into the lock file.

import { isGitRefName } from '../../model/text/ref-name.ts';

/** The protocols that git may use; which of them a run allows is decided where it fetches. */
export type GitProtocol = 'https' | 'ssh' | 'http' | 'file';

/** The parts of a module's `source` that begins with `git::`. */
export interface GitSource {
  readonly protocol: GitProtocol;
  /** The host without its port, in small letters; empty for `file`. */
  readonly host: string;
  /** The repository's address as git takes it: without `git::`, path and ref. */
  readonly url: string;
  /** Path of the module's directory within the repository; empty for its root. */
  readonly path: string;
  /** A tag, a branch or a whole commit; what the repository points to unless given. */
  readonly ref: string | undefined;
  /** The repository and the ref: the name of its pin in the lock file. */
  readonly pin: string;
}

/** Refusal of a text as the source of a module, worded as the end of a sentence; `secrets` must not be shown. */
export interface ModuleSourceRefusal {
  readonly detail: string;
  readonly hint: string;
  readonly secrets?: readonly string[];
}

const example = 'Write for example `git::https://example.com/group/repo.git//path?ref=v1.2.0`.';
const maxLength = 2_000;
const protocols: ReadonlySet<string> = new Set<GitProtocol>(['https', 'ssh', 'http', 'file']);
const hostPattern = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;
const pathPattern = /^\/[\w.~%+@:/-]+$/;

/** Tells whether the `source` of a module means another place than a local directory. */
export function isRemoteModuleSource(written: string): boolean {
  return /^[a-z][\w+.-]*::?|^[\w.-]+@[\w.-]+:|^(?:github\.com|gitlab\.com|bitbucket\.org)\//i.test(
    written,
  );
}

/** Splits the `source` of a git module into its parts. */
export function parseGitSource(
  written: string,
): { readonly source: GitSource } | { readonly refusal: ModuleSourceRefusal } {
  const whole = written.trim();
  const hidden = listHidden(whole);
  if (!whole.startsWith('git::')) return refuse(explainOther(whole), proposeGit(whole), hidden);
  if (whole.length > maxLength) return refuse('It is too long.', 'Shorten it.');
  const url = parseUrl(whole.slice('git::'.length));
  if (!url) {
    const detail = '`git::` is not followed by an address that git can fetch from.';
    return refuse(detail, proposeGit(whole), hidden);
  }
  const protocol = url.protocol.slice(0, -1);
  if (!isProtocol(protocol)) {
    const detail = `Modules are fetched over https or ssh, not over ${protocol}.`;
    return refuse(detail, example, hidden);
  }
  return findCredentials(url, hidden) ?? assemble(url, protocol);
}

function assemble(
  url: URL,
  protocol: GitProtocol,
): { readonly source: GitSource } | { readonly refusal: ModuleSourceRefusal } {
  // Two slashes in the URL separate the repository from the directory within it.
  const [repository = '', ...rest] = url.pathname.split('//');
  const path = rest.join('/').replace(/^\/+|\/+$/g, '');
  const ref = url.searchParams.get('ref') ?? undefined;
  const host = url.hostname.toLowerCase();
  if (protocol === 'file' ? host !== '' : !hostPattern.test(host)) {
    return refuse('The address names no host.', example);
  }
  if (!pathPattern.test(repository)) {
    return refuse('The address names no repository.', example);
  }
  if (path !== '' && !isPlainPath(path)) {
    const detail = 'The path after `//` must consist of plain names, without `..`.';
    return refuse(detail, 'Name a directory of the repository, for example `//modules/shop`.');
  }
  if (ref !== undefined && !isGitRefName(ref)) {
    return refuse('`ref` is not the name of a tag, a branch or a commit.', example);
  }
  const user = url.username === '' ? '' : `${url.username}@`;
  const place = `${protocol}://${user}${url.host.toLowerCase()}${repository}`;
  const query = ref === undefined ? '' : `?ref=${encodeURIComponent(ref).replaceAll('%2F', '/')}`;
  const source = { protocol, host, url: place, path, ref, pin: `git::${place}${query}` };
  return { source };
}

/**
 * Refuses credentials and unknown parameters: the address goes into the lock file, into messages and into the list of
 * processes.
 */
function findCredentials(
  url: URL,
  hidden: readonly string[],
): { readonly refusal: ModuleSourceRefusal } | undefined {
  const isUserAllowed = url.protocol === 'ssh:' && /^[\w.-]*$/.test(url.username);
  if (url.password !== '' || (url.username !== '' && !isUserAllowed)) {
    const hint = 'Remove them, and give git a credential helper or an SSH key.';
    return refuse('It holds credentials.', hint, hidden);
  }
  const others = [...url.searchParams].filter(([name]) => name !== 'ref');
  if (others.length > 0 || url.hash !== '' || url.searchParams.getAll('ref').length > 1) {
    const secrets = others.flatMap(([, value]) => (value.length < leastSecret ? [] : [value]));
    return refuse('Only one `ref` may follow `?`.', example, secrets);
  }
  return undefined;
}

/** Shortest text that is taken for a secret: shorter ones are names or numbers. */
const leastSecret = 8;

/** Secrets in the place of a URL's credentials: no message and no source frame may show them. */
function listHidden(written: string): readonly string[] {
  const [, given] = /:\/\/([^\s/]*)@/.exec(written) ?? [];
  if (given === undefined) return [];
  const [user = '', ...password] = given.split(':');
  const all = [password.join(':'), ...(user.length < leastSecret ? [] : [user])];
  return all.flatMap((one) => [one, decode(one)]);
}

function isProtocol(text: string): text is GitProtocol {
  return protocols.has(text);
}

function parseUrl(text: string): URL | undefined {
  if (!/^[a-z]+:\/\//i.test(text) || /[\s\p{Cc}\p{Cf}\\]/u.test(text)) return undefined;
  // Refuses `..` before parsing, since a URL would silently resolve it.
  const [, path = ''] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(text) ?? [];
  if (path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part))) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isPlainPath(path: string): boolean {
  return path
    .split('/')
    .every((part) => /^[\w][\w.-]*$|^\.[\w-][\w.-]*$/.test(part) && !/^\.git$/i.test(part));
}

function explainOther(written: string): string {
  return /^[a-z]\w*::/i.test(written) && !/^git::/i.test(written)
    ? 'Modules come from a directory or from git.'
    : 'A source from git begins with `git::`.';
}

/** A corrected source for the hint: people write addresses as their host shows them, and as Terraform takes them. */
function proposeGit(written: string): string {
  const bare = written.replace(/^git::/i, '');
  const [, user = 'git', host, path] =
    /^(?:([\w.-]+)@)?([\w.-]+\.[a-z]+)[:/]([\w./?=-]+)$/i.exec(bare) ?? [];
  if (host !== undefined && path !== undefined) {
    const isSsh = bare.includes('@');
    return `Write \`git::${isSsh ? `ssh://${user}@` : 'https://'}${host}/${path}\`.`;
  }
  if (/^(?:https|ssh):\/\/[\w.-]+(?::\d+)?\/[\w./?=-]+$/i.test(bare))
    return `Write \`git::${bare}\`.`;
  return example;
}

function refuse(detail: string, hint: string, secrets: readonly string[] = []) {
  const shown = secrets.filter((one) => one !== '');
  return { refusal: { detail, hint, ...(shown.length > 0 && { secrets: shown }) } };
}
