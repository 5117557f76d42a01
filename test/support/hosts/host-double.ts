// What the doubles of both hosts have in common: an HTTPS server with an API and one real git repository, and whatever can go
// wrong with it.
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeRepository, runBackend, type GitRepository, type Tree } from '../git-repositories.ts';
import { makeSelfSigned } from '../self-signed.ts';

/** A pull request as the double keeps it. */
export interface DoublePull {
  readonly number: number;
  readonly isFork: boolean;
  head: string;
  /** What merging it would make; undefined where it conflicts. */
  merge: string | undefined;
  state: 'open' | 'closed' | 'merged';
  mergeCommit: string | undefined;
  /** How often it was read since its last push: hosts merge some time after it. */
  reads: number;
  /** The name of whoever opened it. */
  readonly author: string;
  /** Each push to it, the oldest first. */
  readonly pushes: { readonly commit: string; readonly at: string }[];
  /** Reviews of people, the oldest first. */
  readonly reviews: DoubleReview[];
}

/** A review as the double keeps it. */
export interface DoubleReview {
  readonly id: number;
  readonly person: string;
  readonly commit: string;
  readonly at: string;
  state: 'approved' | 'changes_requested' | 'commented' | 'dismissed';
}

/** Something written to a pull request or a commit. */
export interface DoubleComment {
  readonly id: number;
  readonly pull: number;
  readonly author: string;
  body: string;
  readonly reactions: Set<string>;
}

/** The id of a person, which no two have. */
export const idOf = (name: string): number =>
  Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) % 1_000_000_007, 7);

/** A status of a commit. */
export interface DoubleStatus {
  readonly commit: string;
  readonly state: string;
  readonly context: string;
  readonly description: string;
  readonly url: string;
}

/** What happens to a request in place of an answer. `lost`: it is done, and nobody hears of it. */
export type DoubleFault =
  { readonly status: number; readonly headers?: Record<string, string> } | 'lost';

/** What the API of a host stands on. */
export interface DoubleGround {
  readonly repository: GitRepository;
  readonly pulls: DoublePull[];
  readonly comments: DoubleComment[];
  readonly statuses: DoubleStatus[];
  /** `admin`, `write`, `read` or `none`, by the name of a person. */
  readonly people: Map<string, 'admin' | 'write' | 'read' | 'none'>;
  /** What becomes of the next requests; asked for each. */
  faultOf: (method: string, path: string) => DoubleFault | undefined;
  /** Methods and paths, in their order. */
  readonly requests: string[];
  /** How often git signed in. */
  gitSignIns: number;
  readonly site: string;
  /** A file with the certificate of the site. */
  readonly certificate: string;
  /** Whom git may sign in as: `user:token`. */
  readonly credentials: Set<string>;
  close(): Promise<void>;
}

/** The path of the one repository. */
export const repositoryPath = 'acme/infra';
export const notFound = { message: 'Not Found' };

/** Serves an API, and the repository below `folder`. */
export async function openGround(
  folder: string,
  app: (ground: DoubleGround) => Hono,
): Promise<DoubleGround> {
  const repository = await makeRepository(join(folder, `${repositoryPath}.git`));
  const { key, cert } = makeSelfSigned('localhost');
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, cert);
  const ground = {
    ...{ repository, pulls: [], comments: [], statuses: [], requests: [], people: new Map() },
    ...{ gitSignIns: 0, site: '', certificate, credentials: new Set() },
    faultOf: () => undefined,
    close: () => Promise.resolve(),
  } as DoubleGround;
  const api = app(ground);
  const answer = getRequestListener((request) => api.fetch(request));
  const server = createServer({ key, cert }, (request, response) => {
    const { method = '', url = '', headers } = request;
    const path = url.split('?')[0] ?? '';
    if (path.startsWith(`/${repositoryPath}.git/`)) {
      const [, basic = ''] = /^Basic (\S+)$/.exec(headers.authorization ?? '') ?? [];
      if (!ground.credentials.has(Buffer.from(basic, 'base64').toString())) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        return;
      }
      ground.gitSignIns += 1;
      runBackend(folder, request, response);
      return;
    }
    ground.requests.push(`${method} ${path}`);
    const fault = ground.faultOf(method, path);
    if (fault === 'lost') {
      // All of it happens, but for the answer.
      response.write = () => true;
      response.end = () => {
        request.socket.destroy();
        return response;
      };
    } else if (fault) {
      response.writeHead(fault.status, fault.headers).end('{"message":"Something went wrong"}');
      return;
    }
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return Object.assign(ground, { site: `https://localhost:${port}`, close });
}

/** Makes the commits of a pull request, on a branch from the base, and what a merge of them would make. */
export async function pushPull(
  { repository, pulls }: DoubleGround,
  tree: Tree,
  {
    number,
    isFork = false,
    author = 'author',
  }: { readonly number?: number; readonly isFork?: boolean; readonly author?: string },
  refs: string,
): Promise<DoublePull> {
  const git: GitRepository['git'] = (...args) => repository.git(...args);
  const known = pulls.find((one) => one.number === number);
  await git('checkout', '--quiet', '--detach', known?.head ?? 'main');
  const head = await repository.commit(tree);
  await git('checkout', '--quiet', 'main');
  const pull: DoublePull = known ?? {
    ...{ number: pulls.length + 1, isFork, head, merge: undefined, state: 'open' },
    ...{ mergeCommit: undefined, reads: 0, author, pushes: [], reviews: [] },
  };
  if (!known) pulls.push(pull);
  const merge = await makeMerge(repository, head).catch(() => undefined);
  Object.assign(pull, { head, merge, reads: 0 });
  pull.pushes.push({ commit: head, at: new Date().toISOString() });
  await git('update-ref', `${refs}/${pull.number}/head`, head);
  if (merge !== undefined) await git('update-ref', `${refs}/${pull.number}/merge`, merge);
  return pull;
}

/** Somebody reviews the newest commit of a pull request. */
export function addReview(
  pull: DoublePull,
  person: string,
  state: DoubleReview['state'],
): DoubleReview {
  const review = { id: 1 + pull.reviews.length, person, commit: pull.head, state };
  const added = { ...review, at: new Date().toISOString() };
  pull.reviews.push(added);
  return added;
}

/** The files that a pull request touches, once it is merged, too. */
export async function listPullFiles(
  { repository }: DoubleGround,
  pull: DoublePull | undefined,
): Promise<readonly string[]> {
  const base = pull?.mergeCommit === undefined ? 'main' : `${pull.mergeCommit}^1`;
  const names = await repository.git('diff', '--name-only', `${base}...${pull?.head ?? ''}`);
  return names.split('\n');
}

/** The commits that a pull request brings, the newest first. */
export async function listPullCommits(
  { repository }: DoubleGround,
  pull: DoublePull,
): Promise<
  readonly { readonly author: string; readonly committer: string; readonly message: string }[]
> {
  const base = pull.mergeCommit === undefined ? 'main' : `${pull.mergeCommit}^1`;
  const text = await repository.git('log', '-z', '--format=%ae%n%ce%n%B', `${base}..${pull.head}`);
  return text.split('\0').map((one) => {
    const [author = '', committer = '', ...message] = one.split('\n');
    return { author, committer, message: message.join('\n') };
  });
}

/** A file that differs between two commits. */
export interface DoubleDiff {
  readonly path: string;
  /** Another one where it was renamed. */
  readonly before: string;
}

/** The files that differ between two commits; undefined where one of them is not there. */
export async function compareCommits(
  repository: GitRepository,
  before: string,
  after: string,
): Promise<readonly DoubleDiff[] | undefined> {
  const listed = await repository
    .git('diff', '-M', '--name-status', before, after)
    .catch(() => undefined);
  if (listed === undefined) return undefined;
  return listed.split('\n').flatMap((line) => {
    const [, first, second = first] = line.split('\t');
    return first === undefined || second === undefined ? [] : [{ before: first, path: second }];
  });
}

/** Merges a pull request into its base. @returns the commit of the base */
export async function mergePull({ repository }: DoubleGround, pull: DoublePull): Promise<string> {
  const commit = await makeMerge(repository, pull.head);
  await repository.git('reset', '--quiet', '--hard', commit);
  Object.assign(pull, { state: 'merged', mergeCommit: commit });
  return commit;
}

async function makeMerge(repository: GitRepository, head: string): Promise<string> {
  const git: GitRepository['git'] = (...args) => repository.git(...args);
  const base = await git('rev-parse', 'main');
  const tree = await git('merge-tree', '--write-tree', base, head);
  return git('commit-tree', tree, '-p', base, '-p', head, '-m', 'Merge');
}

/** A page of a list, with the address of the next one as both hosts give it. */
export function paginate(url: string, items: readonly unknown[]): Response {
  const at = new URL(url);
  const size = Number(at.searchParams.get('per_page') ?? 20);
  const page = Number(at.searchParams.get('page') ?? 1);
  const shown = items.slice((page - 1) * size, page * size);
  at.searchParams.set('page', String(page + 1));
  const hasNext = page * size < items.length;
  return Response.json(shown, { headers: hasNext ? { link: `<${at.href}>; rel="next"` } : {} });
}
