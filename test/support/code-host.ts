// A code host on this machine: a git repository, the part of GitHub's interface that pipelines ask, and artifacts. What
// a pipeline runs is run in earnest; what is the host's own is here.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Something that people read on the host: a comment or an issue. */
export interface Post {
  readonly id: number;
  readonly author: string;
  readonly edits: number;
  readonly body: string;
  readonly title?: string;
  readonly state?: string;
}

/** A pull request, with the commit that a plan of it is made of. */
export interface PullRequest {
  readonly number: number;
  readonly head: string;
  /** The merge of its branch into main, as the host tries it. */
  readonly tried: string;
  merged?: string;
}

/** A finished run of a workflow. */
export interface WorkflowRun {
  readonly id: number;
  readonly workflow: string;
  readonly event: string;
  readonly head: string;
  /** As its `run-name` says. */
  readonly title: string;
  readonly isSuccess: boolean;
}

/** As the tokens of workflows write. */
const botName = 'github-actions[bot]';

/** Begins with nothing but an empty branch main. */
export class CodeHost {
  readonly directory: string;
  readonly repository = 'acme/hosting';
  /** What the workflows of the host are let in with. */
  readonly token = 'ghs_of_the_workflow';
  /** The settings of the repository that jobs may read. */
  readonly variables: Record<string, string> = {
    HOSTWRIGHT_SOURCE: 'git+https://git.example.com/hostwright.git#v1',
  };
  readonly comments: Post[] = [];
  readonly issues: Post[] = [];
  readonly pulls: PullRequest[] = [];
  readonly runs: WorkflowRun[] = [];
  #server: Server | undefined;
  #ids = 100;

  private constructor(directory: string) {
    this.directory = directory;
  }

  /** @param program what a machine of the host installs, and the desk has */
  static async open(program: string): Promise<CodeHost> {
    const host = new CodeHost(await mkdtemp(join(tmpdir(), 'hostwright-pipelines-')));
    await Promise.all([mkdir(host.bin), mkdir(host.tools)]);
    await host.take(program);
    // The registry is not ours to ask: `npm install --prefix DIR SOURCE` puts there what was built here.
    const install = `#!/bin/sh
echo "npm $*"
mkdir -p "$3/node_modules/.bin"
ln -s '${join(host.bin, 'hostwright')}' "$3/node_modules/.bin/hostwright"
mkdir "$3/node_modules/hostwright"
ln -s '${resolve(import.meta.dirname, '../../templates')}' "$3/node_modules/hostwright/templates"
`;
    await writeFile(join(host.tools, 'npm'), install, { mode: 0o755 });
    await host.git('init', '--quiet', '--bare', '--initial-branch=main', host.origin);
    await host.git('clone', '--quiet', host.origin, host.desk);
    host.#server = createServer((request, response) => {
      void host.#answer(request).then(({ status = 200, body, link }) => {
        const headers = { 'content-type': 'application/json', ...(link && { link }) };
        response.writeHead(status, headers).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((done) => host.#server?.listen(0, '127.0.0.1', done));
    return host;
  }

  /** Another program, from now on. */
  async take(program: string): Promise<void> {
    await rm(join(this.bin, 'hostwright'), { force: true });
    await symlink(program, join(this.bin, 'hostwright'));
  }

  async close(): Promise<void> {
    await new Promise((done) => this.#server?.close(done));
    await rm(this.directory, { recursive: true });
  }

  /** Where the program is at the desk. */
  get bin(): string {
    return join(this.directory, 'bin');
  }

  /** What every machine of the host has, before the rest on its PATH. */
  get tools(): string {
    return join(this.directory, 'tools');
  }

  get origin(): string {
    return join(this.directory, 'origin.git');
  }

  /** Where an engineer works. */
  get desk(): string {
    return join(this.directory, 'desk');
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo).port}`;
  }

  /** Runs git at the desk, as somebody. */
  async git(...args: string[]): Promise<string> {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    const at = args[0] === 'init' || args[0] === 'clone' ? this.directory : this.desk;
    const { stdout } = await execute('git', [...who, ...args], { cwd: at });
    return stdout.trim();
  }

  /** Puts files on the current branch and pushes it. @returns the commit */
  async commit(files: Readonly<Record<string, string>>): Promise<string> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.desk, path)), { recursive: true });
      await writeFile(join(this.desk, path), text);
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--message', 'A change');
    await this.git('push', '--quiet', '--force', 'origin', 'HEAD');
    return this.git('rev-parse', 'HEAD');
  }

  /** Opens a pull request with files changed, or adds to one. */
  async propose(
    files: Readonly<Record<string, string>>,
    branch = `change-${this.#ids}`,
  ): Promise<PullRequest> {
    await this.git('checkout', '--quiet', '-B', branch, 'origin/main');
    const head = await this.commit(files);
    await this.git('checkout', '--quiet', '--detach', 'origin/main');
    await this.git('merge', '--quiet', '--no-ff', '--message', 'Tried', branch);
    const tried = await this.git('rev-parse', 'HEAD');
    const pull = { number: this.#nextId(), head, tried };
    await this.git('push', '--quiet', 'origin', `HEAD:refs/heads/tried-${pull.number}`);
    this.pulls.push(pull);
    return pull;
  }

  /** Merges one as a single commit of its own. @returns the commit */
  async merge(pull: PullRequest): Promise<string> {
    await this.git('checkout', '--quiet', '-B', 'main', 'origin/main');
    await this.git('merge', '--quiet', '--squash', pull.head);
    await this.git('commit', '--quiet', '--message', `Merged #${pull.number}`);
    await this.git('push', '--quiet', 'origin', 'main');
    pull.merged = await this.git('rev-parse', 'HEAD');
    return pull.merged;
  }

  /** Notes a run. @returns its id */
  record(run: Omit<WorkflowRun, 'id'>): number {
    const id = this.#nextId();
    this.runs.unshift({ id, ...run });
    return id;
  }

  /** Where the artifact of a run is kept. */
  artifact(runId: number | string, name: string): string {
    return join(this.directory, 'artifacts', String(runId), name);
  }

  async keepArtifact(runId: number, name: string, path: string): Promise<void> {
    await cp(path, this.artifact(runId, name), { recursive: true });
  }

  #nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    if (request.headers.authorization !== `Bearer ${this.token}`) return refused(401);
    const url = new URL(request.url ?? '', this.apiUrl);
    const prefix = `/repos/${this.repository}`;
    if (!url.pathname.startsWith(`${prefix}/`)) return refused(404);
    const path = url.pathname.slice(prefix.length);
    const body = request.method === 'GET' ? {} : ((await json(request)) as Partial<Post>);
    const route = `${request.method ?? ''} ${path.replaceAll(/\/\d+(?=\/|$)/g, '/N')}`;
    const id = Number(/\/(\d+)(?:\/|$)/.exec(path)?.[1]);
    switch (route) {
      case 'GET /issues/N/comments':
        return this.#page(this.comments, url);
      case 'POST /issues/N/comments':
        return this.#post(this.comments, body);
      case 'PATCH /issues/comments/N':
        return this.#edit(this.comments, id, body);
      case 'GET /issues':
        return this.#page(
          this.issues.filter(({ state }) => state === url.searchParams.get('state')),
          url,
        );
      case 'POST /issues':
        return this.#post(this.issues, { ...body, state: 'open' });
      case 'PATCH /issues/N':
        return this.#edit(this.issues, id, body);
      case `GET /actions/workflows/hostwright.yml/runs`:
        return { body: { workflow_runs: this.#findRuns(url.searchParams) } };
      default:
        return this.#findPulls(path);
    }
  }

  #findRuns(asked: URLSearchParams) {
    const found = this.runs.filter(
      ({ workflow, event, head, isSuccess }) =>
        workflow === 'hostwright.yml' &&
        event === asked.get('event') &&
        head === asked.get('head_sha') &&
        isSuccess,
    );
    // The pull requests of a run are those that are open: none, once it is merged.
    const head_repository = { full_name: this.repository };
    return found.map(({ id, title }) => ({
      ...{ id, display_title: title, pull_requests: [], head_repository },
    }));
  }

  #findPulls(path: string): Answer {
    const [, commit] = /^\/commits\/([0-9a-f]{40})\/pulls$/.exec(path) ?? [];
    if (commit === undefined) return refused(404);
    const found = this.pulls.filter(({ merged }) => merged === commit);
    return {
      body: found.map(({ number, head, merged }) => ({
        ...{ number, merge_commit_sha: merged, merged_at: '2026-01-01T00:00:00Z' },
        ...{ head: { sha: head }, base: { ref: 'main' } },
      })),
    };
  }

  /** Three on a page: lists are read to their end, or what is looked for is not found. */
  #page(all: readonly Post[], url: URL): Answer {
    const page = Number(url.searchParams.get('page') ?? 1);
    const next = new URL(url);
    next.searchParams.set('page', String(page + 1));
    const link = all.length > page * 3 ? `<${next.href}>; rel="next"` : undefined;
    return { body: all.slice((page - 1) * 3, page * 3).map(show), ...(link && { link }) };
  }

  #post(list: Post[], { body = '', ...rest }: Partial<Post>): Answer {
    const made = { ...rest, id: this.#nextId(), author: botName, edits: 0, body };
    list.push(made);
    return { status: 201, body: show(made) };
  }

  #edit(list: Post[], id: number, changes: Partial<Post>): Answer {
    const at = list.findIndex((one) => one.id === id);
    const before = list[at];
    if (!before) return refused(404);
    const after = { ...before, ...changes, edits: before.edits + 1 };
    list[at] = after;
    return { body: show(after) };
  }
}

interface Answer {
  readonly status?: number;
  readonly body: unknown;
  readonly link?: string;
}

const refused = (status: number): Answer => ({ status, body: { message: 'no' } });

const show = ({ id, author, body, state }: Post) => ({
  ...{ id, number: id, body, state, user: { login: author } },
  html_url: `https://github.com/acme/hosting/issues/${id}`,
});
