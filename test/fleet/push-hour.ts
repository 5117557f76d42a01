// An hour of pushes, shorter: pull requests get a commit each so many milliseconds, while workers are killed and PostgreSQL
// restarts. What is measured is what people wait for: from the webhook to the comment.
import type { DoublePull } from '../support/hosts/host-double.ts';
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
}

/** What came of it. Times are in milliseconds. */
export interface PushFigures {
  readonly latenciesMs: readonly number[];
  /** Pushes whose comment never came. */
  readonly lost: number;
  /** From the death of a worker to the next attempt of its run. */
  readonly recoveriesMs: readonly number[];
  readonly runs: Readonly<Record<string, number>>;
  readonly commentCount: number;
  readonly faults: readonly string[];
}

interface Push {
  readonly mark: string;
  readonly at: number;
  /** Undefined until its comment is there. */
  seenMs?: number;
}

const patienceMs = 120_000;
const network = (workspace: string, mark: string) =>
  `version: 1\nprojects:\n  ${workspace}:\n    networks: { ${mark}: {} }\n`;

/** Plays it. */
export async function playPushes(root: string, options: PushOptions): Promise<PushFigures> {
  const hosted = await openHostedRig(root, 'github');
  try {
    return await new PushHour(hosted, options).play();
  } finally {
    await hosted.close();
  }
}

class PushHour {
  readonly #hosted: HostedRig;
  readonly #options: PushOptions;
  readonly #names: readonly string[];
  readonly #pushes: Push[] = [];
  readonly #recoveriesMs: number[] = [];
  readonly #recovering: Promise<void>[] = [];
  #workers: Running[] = [];

  constructor(hosted: HostedRig, options: PushOptions) {
    this.#hosted = hosted;
    this.#options = options;
    this.#names = Array.from({ length: options.workspaces }, (_, index) => `team-${index}`);
  }

  async play(): Promise<PushFigures> {
    const { double, makeWorkspace, startWorker } = this.#hosted;
    const { pushes, workers, everyMs, killEvery } = this.#options;
    const base = this.#names.map((name) => [`${name}/main.yaml`, network(name, 'main')]);
    await double.ground.repository.commit(Object.fromEntries(base) as Record<string, string>);
    for (const name of this.#names) await makeWorkspace(name, { directory: name });
    for (let index = 0; index < workers; index += 1) this.#workers.push(await startWorker());
    const pulls: DoublePull[] = [];
    for (let index = 0; index < pushes; index += 1) {
      const due = performance.now() + everyMs;
      await this.#push(pulls, index);
      if (killEvery > 0 && index % killEvery === killEvery - 1) await this.#killOne();
      await pause(due - performance.now());
    }
    await this.#untilQuiet();
    await Promise.all(this.#recovering);
    return this.#sumUp();
  }

  async #push(pulls: DoublePull[], index: number): Promise<void> {
    const { double } = this.#hosted;
    const at = index % this.#names.length;
    const name = this.#names[at] ?? '';
    const mark = `n${index}`;
    const all = this.#names.map((one) => [
      `${one}/main.yaml`,
      network(one, one === name ? mark : 'main'),
    ]);
    const tree = Object.fromEntries(all) as Record<string, string>;
    const known = pulls[at];
    this.#pushes.push({ mark, at: performance.now() });
    if (known) await double.pushTo(known, tree);
    else pulls[at] = await double.openPull(tree);
    this.#look();
  }

  /** Notes which comments are there by now. A later push of the same pull request takes the place of an earlier one. */
  #look(): void {
    const { comments } = this.#hosted.double.ground;
    const now = performance.now();
    for (const [index, push] of this.#pushes.entries()) {
      if (push.seenMs !== undefined) continue;
      const same = this.#pushes.filter((_, at) => (at - index) % this.#names.length === 0);
      const own = [push, ...same.slice(same.indexOf(push) + 1)];
      const isThere = comments.some(({ body }) =>
        own.some(({ mark }) => body.includes(`.${mark}`) || body.includes(`"${mark}"`)),
      );
      if (isThere) push.seenMs = now - push.at;
    }
  }

  async #untilQuiet(): Promise<void> {
    const begun = performance.now();
    while (performance.now() - begun < patienceMs) {
      this.#look();
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

  async #sumUp(): Promise<PushFigures> {
    const { api, double } = this.#hosted;
    const { body } = await api.call('GET', '/api/v1/runs?limit=1000');
    const runs = body.runs as readonly { id: string; status: string }[];
    const counts: Record<string, number> = {};
    for (const { status } of runs) counts[status] = (counts[status] ?? 0) + 1;
    const seen = this.#pushes.flatMap(({ seenMs }) => seenMs ?? []);
    const { comments } = double.ground;
    const doubled = new Set(comments.map(({ pull }) => pull)).size !== comments.length;
    return {
      latenciesMs: seen,
      lost: this.#pushes.length - seen.length,
      recoveriesMs: this.#recoveriesMs,
      runs: counts,
      commentCount: comments.length,
      faults: doubled ? ['A pull request has two comments.'] : [],
    };
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.max(0, ms)));
}
