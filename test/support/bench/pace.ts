// The wall time and the requests of an apply on a virtual clock, beside those of polling each operation by itself.
import { groupBy } from '../../../src/model/group-by.ts';
import type { UsualCommandDurations } from '../../../src/model/state/state.ts';
import type { DecideOperationDuration } from '../../../src/sandbox/store/world.ts';
import { openMemoryState } from '../../../src/state/memory-store.ts';
import { configure, describeFailures, serviceName, World } from '../../scenario/world.ts';
import { plenty } from './measure-span.ts';
import { readHistory } from './work.ts';

/** An account of one project, and the service that makes it. */
export interface PaceCourse {
  readonly vms: number;
  /** So many networks are attached to each VM, one after the other. */
  readonly networks: number;
  readonly places: number;
  /** Between a request and its answer. */
  readonly latencyMs: number;
  readonly planDuration: DecideOperationDuration;
  readonly known: UsualCommandDurations;
}

/** Operations of one resource, one after the other. */
interface Chain {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly tookMs: readonly number[];
}

/** The configuration of such an account. */
export function writeAccount({ vms, networks }: Pick<PaceCourse, 'vms' | 'networks'>): string {
  const names = Array.from({ length: networks }, (_, at) => `n${at}`);
  const vm = 'image: debian-12, configuration: c1-r1-d20, tariff: monthly';
  return `projects:
  p:
    networks: { ${names.map((name) => `${name}: `).join(', ')} }
    vms: { web: { count: ${vms}, ${vm}, networks: [${names.join(', ')}] } }
`;
}

/** One apply of an empty account on a virtual clock: its time, its requests, and what the service had to do. */
export async function measurePace(course: PaceCourse) {
  const { places, latencyMs, planDuration, known } = course;
  const desired = await configure(writeAccount(course));
  const world = await World.open({
    ...{ quotas: plenty, isFirst: true, planDuration, validateAnswers: false },
  });
  const { state: empty } = await openMemoryState();
  world.store = await openMemoryState({
    state: { ...empty, service: serviceName, durations: known },
  });
  const start = world.time.now();
  const way = world.time.openClock();
  /** From the first change on: what the plan reads is for the plan. */
  let requests = 0;
  let changedAt: number | undefined;
  const end = await world.apply(desired, {
    parallelism: places,
    meddle: async ({ method }, pass) => {
      if (method !== 'GET') changedAt ??= world.time.now();
      if (changedAt !== undefined) requests += 1;
      await way.sleep(latencyMs / 2);
      const answer = await pass();
      await way.sleep(latencyMs / 2);
      return answer;
    },
  });
  const failures = describeFailures(end);
  if (end.kind !== 'ended' || failures.length > 0) throw new Error(failures.join('\n'));
  const makespanMs = world.time.now() - start;
  const history = await world.time.run(readHistory(world.connect()));
  const { state } = await world.store.reopen();
  world.sandbox.close();
  const done = groupBy(history.toReversed(), ({ resourceId }) => resourceId ?? '');
  const chains: Chain[] = end.planned.plan.tasks.map(({ id, address, dependsOn }) => ({
    id,
    dependsOn: dependsOn.map(({ on }) => on),
    tookMs: (done.get(state.resources.get(address)?.id ?? '') ?? []).map(
      ({ createdAt, completedAt }) => completedAt! - createdAt!,
    ),
  }));
  return { makespanMs, changingMs: makespanMs - ((changedAt ?? start) - start), requests, chains };
}

/** The larger of all work over the places and the longest path, where each operation costs so much besides. */
export function boundOf(chains: readonly Chain[], places: number, besidesMs: number): number {
  const ownMs = ({ tookMs }: Chain) => tookMs.reduce((sum, ms) => sum + ms + besidesMs, 0);
  const total = chains.reduce((sum, chain) => sum + ownMs(chain), 0);
  return Math.max(total / places, schedule(chains, chains.length, ownMs));
}

/** What it takes if what is ready first goes first, and every end is noticed at once, but for so much. */
export function noticeAtOnce(chains: readonly Chain[], places: number, besidesMs: number): number {
  const ownMs = ({ tookMs }: Chain) => tookMs.reduce((sum, ms) => sum + ms + besidesMs, 0);
  return schedule(chains, places, ownMs);
}

/** Pause of a provider between an answer and the next look at its operation, in milliseconds. */
const pollMs = 50;

/** Terraform's way with the same work: each operation is looked at by itself, and what is ready first goes first. */
export function pollEach(chains: readonly Chain[], places: number, latencyMs: number) {
  // The first look arrives a pause and a round trip after the operation began: half of that trip is its answer's, half the look's.
  const countPolls = (took: number) => Math.max(1, Math.ceil(took / (pollMs + latencyMs)));
  const makespanMs = schedule(chains, places, ({ tookMs }) =>
    tookMs.reduce((sum, took) => sum + latencyMs + countPolls(took) * (pollMs + latencyMs), 0),
  );
  const operations = chains.flatMap(({ tookMs }) => tookMs);
  return { makespanMs, requests: operations.reduce((sum, took) => sum + 1 + countPolls(took), 0) };
}

/** When the last ends, if what is ready first goes first. */
function schedule(
  chains: readonly Chain[],
  places: number,
  ownMs: (chain: Chain) => number,
): number {
  const ends = new Map<string, number>();
  const waiting = [...chains];
  const free = Array.from({ length: places }, () => 0);
  const readyAt = ({ dependsOn }: Chain) =>
    Math.max(0, ...dependsOn.map((on) => ends.get(on) ?? Number.POSITIVE_INFINITY));
  while (waiting.length > 0) {
    free.sort((a, b) => a - b);
    const startOf = (one: Chain) => Math.max(free[0]!, readyAt(one));
    const next = waiting.reduce((a, b) => (startOf(b) < startOf(a) ? b : a));
    waiting.splice(waiting.indexOf(next), 1);
    free[0] = startOf(next) + ownMs(next);
    ends.set(next.id, free[0]);
  }
  return Math.max(...ends.values());
}
