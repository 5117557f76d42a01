// Real repositories, and real servers of them on the loopback: git's own program for smart HTTP, plain files for the dumb one.
import { execFile, spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const identity = { name: 'a', email: 'a@example.com' };
const quiet = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: identity.name,
  GIT_AUTHOR_EMAIL: identity.email,
  GIT_COMMITTER_NAME: identity.name,
  GIT_COMMITTER_EMAIL: identity.email,
};

/** Files by their paths; a link says where it leads. */
export type Tree = Readonly<Record<string, string | { readonly leadsTo: string }>>;

/** A repository with a work tree. */
export interface GitRepository {
  readonly directory: string;
  readonly git: (...args: string[]) => Promise<string>;
  /** Commits a tree in place of what was there, and returns the commit. */
  commit(tree: Tree): Promise<string>;
}

/**
 * Lays out an empty repository with the branch main: in a `.git` below the directory, or bare in the directory itself. By hand, as
 * `git init` does: a test makes several, and starting a process from a large one takes longer than all that is in them.
 */
export async function layOutRepository(
  directory: string,
  { isBare = false, origin }: { readonly isBare?: boolean; readonly origin?: string } = {},
): Promise<void> {
  const place = isBare ? directory : join(directory, '.git');
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    await mkdir(join(place, folder), { recursive: true });
  }
  const settings = ['repositoryformatversion = 0', 'filemode = true', `bare = ${isBare}`];
  if (!isBare) settings.push('logallrefupdates = true');
  if (origin !== undefined) {
    settings.push('[remote "origin"]', `url = ${origin}`);
    settings.push('fetch = +refs/heads/*:refs/remotes/origin/*');
  }
  await writeFile(join(place, 'config'), `[core]\n${settings.join('\n')}\n`);
  await writeFile(join(place, 'HEAD'), 'ref: refs/heads/main\n');
}

/** Stages and commits all at once: a shell starts the two for less than this process does. */
const commitAll = `git add --all --force && git commit --quiet --allow-empty '--message=a change'`;

/** The commit that was just made: its branch is a file of its own. */
async function readHead(directory: string): Promise<string> {
  const read = async (name: string) =>
    (await readFile(join(directory, '.git', name), 'utf8')).trim();
  const head = await read('HEAD');
  return head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
}

/** Makes an empty repository. */
export async function makeRepository(directory: string): Promise<GitRepository> {
  const run = promisify(execFile);
  const git = async (...args: string[]) => {
    const { stdout } = await run('git', args, { cwd: directory, env: quiet });
    return stdout.trim();
  };
  await layOutRepository(directory);
  return {
    directory,
    git,
    async commit(tree) {
      for (const name of await readdir(directory)) {
        if (name !== '.git') await rm(join(directory, name), { recursive: true });
      }
      for (const [path, content] of Object.entries(tree)) {
        const full = join(directory, path);
        await rm(full, { force: true });
        await mkdir(dirname(full), { recursive: true });
        if (typeof content === 'string') await writeFile(full, content);
        else await symlink(content.leadsTo, full);
      }
      await run('sh', ['-c', commitAll], { cwd: directory, env: quiet });
      return readHead(directory);
    },
  };
}

/** Repositories below a folder, over HTTP. */
export interface GitServer {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The paths that were asked for. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** How it is served. */
export interface Serving {
  /** True: as plain files, from which a client takes one object after the other. */
  readonly isDumb?: boolean;
  /** `user:password`, without which nobody gets anything. */
  readonly credentials?: string;
}

export async function serveRepositories(
  root: string,
  { isDumb = false, credentials }: Serving = {},
): Promise<GitServer> {
  const requests: string[] = [];
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (wanted !== undefined && request.headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else if (isDumb) void sendFile(root, request, response);
    else runBackend(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function sendFile(root: string, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  const bytes = await readFile(join(root, pathname)).catch(() => undefined);
  response.writeHead(bytes ? 200 : 404).end(bytes);
}

/** Git's own CGI program answers for the repositories below a folder. */
export function runBackend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://x');
  const {
    'content-type': type,
    'git-protocol': protocol,
    'content-encoding': encoding,
  } = request.headers;
  const child = spawn('git', ['http-backend'], {
    env: {
      ...quiet,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      REMOTE_ADDR: '127.0.0.1',
      ...(type !== undefined && { CONTENT_TYPE: type }),
      ...(encoding !== undefined && { HTTP_CONTENT_ENCODING: encoding }),
      ...(typeof protocol === 'string' && { GIT_PROTOCOL: protocol }),
    },
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  child.on('close', () => {
    const whole = Buffer.concat(chunks);
    const end = whole.indexOf('\r\n\r\n');
    const headers = whole
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line): [string, string] => {
        const [name = '', ...value] = line.split(': ');
        return [name, value.join(': ')];
      });
    const status = headers.find(([name]) => name === 'Status')?.[1];
    for (const [name, value] of headers) if (name !== 'Status') response.setHeader(name, value);
    response.writeHead(Number.parseInt(status ?? '200', 10)).end(whole.subarray(end + 4));
  });
}
