// An hour of pushes, shorter: pull requests get a commit each so many milliseconds, while workers are killed and PostgreSQL
// restarts. What is measured is what people wait for: from the webhook to the comment.
import type { DoublePull } from '../support/hosts/host-double.ts';
import { startPostgres, type PostgresServer } from '../support/backends/postgres-server.ts';
import { asProcesses } from '../support/server/as-processes.ts';
import { openHostedRig, type HostedRig } from '../support/hosts/open-hosted-rig.ts';
import type { Running } from '../support/server/server-rig.ts';

/** How hard it is. */
export interface PushOptions {
  readonly workspaces: number;
  readonly workers: number;
  readonly pushes: number;
  readonly everyMs: number;
  /** A worker is killed, and another one started, each so many pushes; never where it is 0. */
  readonly killEvery: number;
  /** How often PostgreSQL restarts while pull requests are merged. */
  readonly restarts: number;
}

/** What came of it. Times are in milliseconds. */
export interface PushFigures {
  readonly latenciesMs: readonly number[];
  /** From the death of a worker to the next attempt of its run. */
  readonly recoveriesMs: readonly number[];
  readonly runs: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

interface Push {
  readonly mark: string;
  /** When its webhook was sent; undefined before. */
  sentAt?: number;
  /** Undefined until its comment is there. */
  seenMs?: number;
}

const patienceMs = 120_000;
/** How often comments are looked for: what is measured may be so much too long. */
const lookEveryMs = 25;
/** Nothing but the project without a mark: whatever is merged and applied first, what comes later adds to it. */
const configure = (workspace: string, mark?: string) =>
  `version: 1\nprojects:\n  ${workspace}: { networks: { ${mark === undefined ? '' : `${mark}: {}`} } }\n`;

/** Plays it. */
export async function playPushes(root: string, options: PushOptions): Promise<PushFigures> {
  const postgres = await startPostgres();
  const hosted = await openHostedRig(
    asProcesses(root, () => Promise.resolve(postgres)),
    'github',
  );
  try {
    return await new PushHour(hosted, postgres, options).play();
  } finally {
    await hosted.close();
  }
}

class PushHour {
  readonly #hosted: HostedRig;
  readonly #postgres: PostgresServer;
  readonly #options: PushOptions;
  readonly #names: readonly string[];
  readonly #pushes: Push[] = [];
  readonly #recoveriesMs: number[] = [];
  readonly #recovering: Promise<void>[] = [];
  readonly #faults: string[] = [];
  #workers: Running[] = [];
  readonly #pulls: DoublePull[] = [];

  constructor(hosted: HostedRig, postgres: PostgresServer, options: PushOptions) {
    this.#hosted = hosted;
    this.#postgres = postgres;
    this.#options = options;
    this.#names = Array.from({ length: options.workspaces }, (_, index) => `team-${index}`);
  }

  async play(): Promise<PushFigures> {
    const { double, makeWorkspace, startWorker } = this.#hosted;
    const { workers } = this.#options;
    const base = this.#names.map((name) => [`${name}/main.yaml`, configure(name)]);
    await double.ground.repository.commit(Object.fromEntries(base) as Record<string, string>);
    for (const name of this.#names)
      await makeWorkspace(name, { directory: name, applyOnMerge: true });
    for (let index = 0; index < workers; index += 1) this.#workers.push(await startWorker());
    await this.#pushAll();
    await Promise.all(this.#recovering);
    await this.#mergeAll();
    return this.#sumUp();
  }

  /** Until each push has its comment. */
  async #pushAll(): Promise<void> {
    const { pushes, everyMs, killEvery } = this.#options;
    this.#noteSent();
    const looking = setInterval(() => this.#look(), lookEveryMs);
    try {
      for (let index = 0; index < pushes; index += 1) {
        const due = performance.now() + everyMs;
        await this.#push(index);
        if (killEvery > 0 && index % killEvery === killEvery - 1) await this.#killOne();
        await pause(due - performance.now());
      }
      await this.#untilQuiet();
    } finally {
      clearInterval(looking);
    }
  }

  /** A push is a commit that takes its time, and then a webhook. */
  #noteSent(): void {
    const { double } = this.#hosted;
    const send = double.send.bind(double);
    double.send = (...sent) => {
      const push = this.#pushes.at(-1);
      if (push) push.sentAt ??= performance.now();
      return send(...sent);
    };
  }

  async #push(index: number): Promise<void> {
    const { double } = this.#hosted;
    const at = index % this.#names.length;
    const name = this.#names[at] ?? '';
    const mark = `n${index}`;
    const all = this.#names.map((one) => [
      `${one}/main.yaml`,
      configure(one, one === name ? mark : undefined),
    ]);
    const tree = Object.fromEntries(all) as Record<string, string>;
    const known = this.#pulls[at];
    this.#pushes.push({ mark });
    if (known) await double.pushTo(known, tree);
    else this.#pulls[at] = await double.openPull(tree);
  }

  /** Notes which comments are there by now. A later push of the same pull request takes the place of an earlier one. */
  #look(): void {
    const { comments } = this.#hosted.double.ground;
    const now = performance.now();
    for (const [index, push] of this.#pushes.entries()) {
      if (push.sentAt === undefined || push.seenMs !== undefined) continue;
      const same = this.#pushes.filter((_, at) => (at - index) % this.#names.length === 0);
      const own = [push, ...same.slice(same.indexOf(push) + 1)];
      const isThere = comments.some(({ body }) =>
        own.some(({ mark }) => body.includes(`.${mark}`) || body.includes(`"${mark}"`)),
      );
      if (isThere) push.seenMs = now - push.sentAt;
    }
  }

  async #untilQuiet(): Promise<void> {
    const begun = performance.now();
    while (performance.now() - begun < patienceMs) {
      if (this.#pushes.every(({ seenMs }) => seenMs !== undefined)) return;
      await pause(50);
    }
  }

  async #killOne(): Promise<void> {
    const { api, startWorker } = this.#hosted;
    const [victim, ...others] = this.#workers;
    if (!victim) return;
    const { body } = await api.call('GET', '/api/v1/runs?limit=200');
    const runs = body.runs as readonly { id: string; status: string; worker?: string }[];
    const held = runs.filter(
      ({ status, worker }) => status === 'running' && worker === victim.ready.workerId,
    );
    await victim.stop('SIGKILL');
    const at = performance.now();
    for (const { id } of held) {
      this.#recovering.push(
        api
          .until(id, ({ attempt, status }) => attempt > 1 || status !== 'running')
          .then(() => void this.#recoveriesMs.push(performance.now() - at)),
      );
    }
    this.#workers = [...others, await startWorker()];
  }

  /** Merges all pull requests, while PostgreSQL restarts: each is applied by itself. */
  async #mergeAll(): Promise<void> {
    const { double } = this.#hosted;
    const { restarts } = this.#options;
    const between = Math.ceil(this.#pulls.length / (restarts + 1));
    for (const [index, pull] of this.#pulls.entries()) {
      await this.#deliver(() => double.merge(pull));
      if (restarts > 0 && index % between === between - 1 && index < this.#pulls.length - 1) {
        await this.#postgres.stop();
        await this.#postgres.start();
        await this.#restart();
      }
    }
    await this.#untilApplied();
    await Promise.all(this.#names.map((name) => this.#untilStatus(name, 'inSync')));
  }

  /** Until the account has what the last push of each pull request asked for: before, a workspace may be in sync as well. */
  async #untilApplied(): Promise<void> {
    const { account } = this.#hosted.rig;
    const wanted = this.#names.flatMap((name, at) => {
      const last = this.#pushes.filter((_, index) => index % this.#names.length === at).at(-1);
      return last ? [`${name}/${last.mark}`] : [];
    });
    const begun = performance.now();
    for (;;) {
      const made = new Set(await listNetworks(account));
      const missing = wanted.filter((network) => !made.has(network));
      if (missing.length === 0) return;
      if (performance.now() - begun > patienceMs) {
        this.#faults.push(`${missing.join(', ')}: merged and not applied.`);
        return;
      }
      await pause(250);
    }
  }

  /** A webhook that is not answered is sent again, as hosts do on demand. */
  async #deliver(send: () => Promise<unknown>): Promise<void> {
    await send().catch(async () => {
      await pause(1_000);
      await this.#hosted.double.repeat();
    });
  }

  /** What a supervisor does: everything has ended with PostgreSQL, and begins again. */
  async #restart(): Promise<void> {
    const { server, restartServer, startWorker } = this.#hosted;
    await Promise.all([server, ...this.#workers].map((one) => one.ended));
    await restartServer();
    this.#workers = await Promise.all(this.#workers.map(() => startWorker()));
  }

  async #untilStatus(name: string, status: string): Promise<void> {
    const { api } = this.#hosted;
    const begun = performance.now();
    while (performance.now() - begun < patienceMs) {
      const { body } = await api.call('GET', `/api/v1/workspaces/${name}`);
      if (body.status === status) return;
      await pause(250);
    }
    this.#faults.push(`${name} is not ${status}.`);
  }

  async #sumUp(): Promise<PushFigures> {
    const { api, double } = this.#hosted;
    const second = await Promise.all(
      this.#names.map(async (workspace) => {
        const { id } = await api.run({ operation: 'plan', workspace });
        return api.ended(id);
      }),
    );
    if (second.some(({ status, hasChanges }) => status !== 'succeeded' || hasChanges !== false))
      this.#faults.push('A second plan has changes.');
    const { body } = await api.call('GET', '/api/v1/runs?limit=1000');
    const runs = body.runs as readonly { id: string; status: string }[];
    const counts: Record<string, number> = {};
    for (const { status } of runs) counts[status] = (counts[status] ?? 0) + 1;
    const { comments } = double.ground;
    if (new Set(comments.map(({ pull }) => pull)).size !== comments.length)
      this.#faults.push('A pull request has two comments.');
    const names = await listNetworks(this.#hosted.rig.account);
    if (new Set(names).size !== names.length) this.#faults.push('A network was made twice.');
    const seen = this.#pushes.flatMap(({ seenMs }) => seenMs ?? []);
    const lost = this.#pushes.length - seen.length;
    if (lost > 0) this.#faults.push(`${lost} pushes have no comment.`);
    return {
      ...{ latenciesMs: seen, recoveriesMs: this.#recoveriesMs, runs: counts },
      faults: this.#faults,
    };
  }
}

/** All networks of the account, with their projects. */
async function listNetworks({
  baseUrl,
  token,
}: HostedRig['rig']['account']): Promise<readonly string[]> {
  const read = async <T>(path: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${baseUrl}${path}`, { headers });
    return ((await response.json()) as { readonly items: readonly T[] }).items;
  };
  const projects = await read<{ readonly id: string; readonly name: string }>(
    '/projects?pageSize=100',
  );
  const lists = projects.map(async ({ id, name: project }) => {
    const path = `/projects/${id}/networks?pageSize=100`;
    return (await read<{ readonly name: string }>(path)).map(({ name }) => `${project}/${name}`);
  });
  return (await Promise.all(lists)).flat();
}

const pause = (ms: number): Promise<void> =>
  new Promise((done) => setTimeout(done, Math.max(0, ms)));
