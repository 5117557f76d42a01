// One apply on a virtual clock, beside what no schedule of the same work can beat.
import type { UsualCommandDurations } from '../../../src/model/state/state.ts';
import type { SandboxOptions } from '../../../src/sandbox/options.ts';
import { openMemoryState } from '../../../src/state/memory-store.ts';
import { configure, describeFailures, serviceName, World } from '../../scenario/world.ts';
import { findBound, layOutWork, readHistory, scheduleGreedily } from './work.ts';

/** Quotas that nothing here meets. */
export const plenty = {
  cpu: 1e9,
  ram: 1e9,
  disk: 1e9,
  projects: 1e6,
  networks: 1e6,
  publicIps: 1e6,
};

/** How many VMs each project of a course holds. */
export const vmsPerProject = 50;

/** So many VMs with what belongs to them, in several projects. */
export function writeConfiguration(vms: number): string {
  const projects = Math.max(2, Math.ceil(vms / vmsPerProject));
  const each = Math.ceil(vms / projects);
  const parts = Array.from({ length: projects }, (_, index) => writeProject(index, each));
  return `projects:\n${parts.join('')}`;
}

function writeProject(index: number, vms: number): string {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ9nGQ0r4bW1Yw3cFJxvQkLh1nQ3oYc0m6rK1s5yD2a';
  const forward = (port: number, edge: number) =>
    `{ protocol: tcp, publicPort: ${port}, vm: 'web[${edge}]', vmPort: ${port} }`;
  const edges = Array.from({ length: Math.ceil(vms / 10) }, (_, edge) => {
    const forwards = `http: ${forward(80, edge)}, https: ${forward(443, edge)}`;
    return `      edge${edge}: { forwards: { ${forwards} } }\n`;
  });
  const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
  return `  p${index}:
    sshKeys: { alice: { publicKey: ${key}B alice }, bob: { publicKey: ${key}C bob } }
    networks: { backend: }
    publicIps:
${edges.join('')}    vms:
      web: { count: ${vms}, ${vm}, sshKeys: [alice], networks: [backend] }
`;
}

/** What is applied, to what service, from how far away. */
export interface Course {
  readonly vms: number;
  /** How many changes run at once. */
  readonly parallelism: number;
  readonly service: Partial<SandboxOptions>;
  /** Between a request and its answer. */
  readonly latencyMs: number;
  /** What an earlier run learned of durations; nothing unless given. */
  readonly known?: UsualCommandDurations | undefined;
}

/** What one apply took. */
export interface Span {
  readonly resources: number;
  /** No schedule of this work is shorter. */
  readonly boundMs: number;
  /** What this work takes with the longest way first, when every end is noticed at once and no request takes time. */
  readonly greedyMs: number;
  readonly makespanMs: number;
  readonly requests: Requests;
  /** How late ends were noticed, in order. */
  readonly latenessMs: readonly number[];
  readonly learned: UsualCommandDurations;
}

/** By what they are for: `reads` tell what there is before anything is changed, `looks` whether something has ended. */
export interface Requests {
  writes: number;
  looks: number;
  reads: number;
}

/** One apply of an empty account on a virtual clock. */
export async function measureSpan(course: Course): Promise<Span> {
  const { vms, parallelism, service, latencyMs, known } = course;
  const desired = await configure(writeConfiguration(vms));
  const world = await World.open({ quotas: plenty, isFirst: true, ...service });
  if (known) {
    const { state } = await openMemoryState();
    // What was learned of one service says nothing of another.
    const learned = { ...state, service: serviceName, durations: known };
    world.store = await openMemoryState({ state: learned });
  }
  const start = world.time.now();
  const requests: Requests = { writes: 0, looks: 0, reads: 0 };
  const endedAt = new Map<string, number>();
  const way = world.time.openClock();
  const end = await world.apply(desired, {
    parallelism,
    onEvent: (event) => {
      if (event.kind === 'completed') endedAt.set(event.address, event.at);
    },
    meddle: async (request, pass) => {
      if (request.method !== 'GET') requests.writes += 1;
      else requests[requests.writes > 0 ? 'looks' : 'reads'] += 1;
      if (latencyMs > 0) await way.sleep(latencyMs / 2);
      const answer = await pass();
      if (latencyMs > 0) await way.sleep(latencyMs / 2);
      return answer;
    },
  });
  const failures = describeFailures(end);
  if (end.kind !== 'ended' || failures.length > 0) throw new Error(failures.join('\n'));
  const makespanMs = world.time.now() - start;
  const client = world.connect();
  const history = await world.time.run(readHistory(client));
  const { state } = await world.store.reopen();
  const { tasks, completedAt } = layOutWork(end.planned.plan, state, history);
  const late = [...endedAt].flatMap(([address, at]) => {
    const doneAt = completedAt.get(address);
    return doneAt === undefined ? [] : [at - doneAt];
  });
  return {
    resources: desired.resources.length,
    boundMs: findBound(tasks, parallelism),
    greedyMs: scheduleGreedily(tasks, parallelism),
    makespanMs,
    requests,
    latenessMs: late.sort((a, b) => a - b),
    learned: world.store.state.durations ?? {},
  };
}
