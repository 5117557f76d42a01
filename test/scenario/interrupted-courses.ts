// Changes that are ended in the middle: the next plan tells nothing of what we did ourselves as somebody else's doing, and
// nothing that is under way as about to happen; the next apply waits for it, and sends nothing a second time.
import type { Plan } from '../../src/model/plan/plan.ts';
import type { DesiredGraph } from '../../src/model/resource.ts';
import { walkPoints } from '../support/budget/walk-points.ts';
import {
  configure,
  describeFailures,
  World,
  type Meddle,
  type Point,
  type Variant,
} from './world.ts';

/** A change that takes time, from one configuration to another. */
interface InterruptedCourse {
  readonly name: string;
  readonly first: string;
  readonly second: string;
  /** Requests that may go out twice, since twice comes to the same. */
  readonly mayRepeat?: RegExp;
}

const vm = (fields: string) => `projects:
  demo:
    networks: { back: , front: }
    vms:
      web: { ${fields}, configuration: c1-r1-d20, tariff: monthly }
`;

const forward = (port: number) => `projects:
  demo:
    publicIps: { edge: { forwards: { https: { protocol: tcp, publicPort: ${port}, vm: web, vmPort: 8443 } } } }
    vms: { web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly } }
`;

const debian = 'image: debian-12';

/** Every change that the service takes time for, and those that it carries out at once. */
const courses: readonly InterruptedCourse[] = [
  { name: 'a rebuild', first: vm('image: ubuntu-24.04'), second: vm(debian) },
  {
    name: 'a rebuild after a backup',
    first: vm('image: ubuntu-24.04, rebuild: { backupFirst: true }'),
    second: vm(`${debian}, rebuild: { backupFirst: true }`),
    // A backup that nobody saw made is made again.
    mayRepeat: /backups/,
  },
  {
    name: 'a stop',
    first: vm(`${debian}, power: running`),
    second: vm(`${debian}, power: stopped`),
  },
  {
    name: 'a start',
    first: vm(`${debian}, power: stopped`),
    second: vm(`${debian}, power: running`),
  },
  {
    name: 'another network',
    first: vm(`${debian}, networks: [back]`),
    second: vm(`${debian}, networks: [front]`),
  },
  { name: 'another name', first: vm(`${debian}, name: web`), second: vm(`${debian}, name: www`) },
  {
    name: 'all of it at once',
    first: vm('image: ubuntu-24.04, name: web, networks: [back], power: running'),
    second: vm(`${debian}, name: www, networks: [front], power: stopped`),
  },
  {
    name: 'a create with what follows it',
    first: 'projects: { demo: { networks: { back: , front: } } }',
    second: vm(`${debian}, networks: [back, front], publicIp: new, power: stopped`),
  },
  { name: 'a delete', first: vm(debian), second: 'projects: { demo: }' },
  {
    name: 'a delete of a VM with its address',
    first: vm(`${debian}, publicIp: new`),
    second: 'projects: { demo: { networks: { back: , front: } } }',
  },
  {
    name: 'a replacement',
    first: vm(`${debian}, plugins: [a], networks: [back]`),
    second: vm(`${debian}, plugins: [b], networks: [back]`),
    // The new one is made where the old one was.
    mayRepeat: /(networks\/attach|attachments?)/,
  },
  {
    name: 'a replacement that comes first',
    first: vm(`${debian}, plugins: [a], lifecycle: { createBeforeDestroy: true }`),
    second: vm(`${debian}, plugins: [b], lifecycle: { createBeforeDestroy: true }`),
  },
  { name: 'another port', first: forward(443), second: forward(444) },
];

/** What a plan says that is not true when nobody but us has touched the account. */
const listFalsehoods = ({ changes, drift = [], findings }: Plan): string[] => [
  ...drift.map(({ address, names }) => `drift of ${address}: ${names.join()}`),
  ...findings.filter(({ code }) => code === 'changed-outside').map(({ detail }) => detail ?? ''),
  ...changes.filter((one) => one.drift).map(({ address }) => `${address} was changed outside`),
  ...changes
    .filter(({ reason }) => reason === 'deleted-outside')
    .map(({ address }) => `${address} was deleted outside`),
];

interface Course {
  readonly variant: Variant;
  readonly before: DesiredGraph;
  readonly desired: DesiredGraph;
}

async function openCourse({ variant, before }: Course): Promise<World> {
  const world = await World.open({ variant });
  await world.apply(before);
  return world;
}

/**
 * The steps around every write of the state, and one in each gap between two of them; of the loose service, which only says
 * otherwise what it does, every second of these.
 */
async function choosePoints(course: Course): Promise<number[]> {
  const world = await openCourse(course);
  const writes: number[] = [0];
  let steps = 0;
  await world.apply(course.desired, {
    onStep: ({ kind }: Point) => {
      steps += 1;
      if (kind === 'write') writes.push(steps);
      return 'go';
    },
  });
  const points = writes.flatMap((at, index) => {
    const gap = (writes[index + 1] ?? steps) - at;
    return [at, at + 1, at + Math.floor(gap / 2)];
  });
  const all = [...new Set(points)].filter((at) => at >= (writes[1] ?? 1) && at <= steps);
  return course.variant === 'loose' ? all.filter((_, index) => index % 2 === 0) : all;
}

/** Killed at a point, then planned and applied at once. */
async function resume(course: Course, killAt: number, mayRepeat?: RegExp): Promise<string[]> {
  const world = await openCourse(course);
  const carried: string[] = [];
  const note: Meddle = async (request, pass) => {
    const { method, url } = request;
    const body = method === 'GET' ? '' : await request.clone().text();
    const response = await pass();
    const { pathname } = new URL(url);
    if (method !== 'GET' && response.ok) carried.push(`${method} ${pathname} ${body}`);
    return response;
  };
  const killed = await world.apply(course.desired, { killAt, meddle: note });
  if (killed.kind !== 'killed') return [];
  const faults = listFalsehoods((await world.plan(course.desired)).plan);
  faults.push(...describeFailures(await world.apply(course.desired, { meddle: note })));
  const twice = carried.filter((one, index) => carried.indexOf(one) !== index);
  faults.push(...twice.filter((one) => !mayRepeat?.test(one)).map((one) => `sent twice: ${one}`));
  const { plan } = await world.plan(course.desired);
  const left = plan.changes.filter(({ action, underway }) => action !== 'no-op' || underway);
  return [...faults, ...listFalsehoods(plan), ...left.map(({ address }) => `${address} is left`)];
}

/** Killed at a point, and planned when everything is over. */
async function lookLater(course: Course, killAt: number): Promise<string[]> {
  const world = await openCourse(course);
  const killed = await world.apply(course.desired, { killAt });
  if (killed.kind !== 'killed') return [];
  await world.settle();
  return listFalsehoods((await world.plan(course.desired)).plan);
}

/** Interrupted once at a point: what was awaited is recorded, and what is told as unfinished is. */
async function interrupt(course: Course, at: number): Promise<string[]> {
  const world = await openCourse(course);
  const interrupted = new AbortController();
  let steps = 0;
  const end = await world.apply(course.desired, {
    interrupted: interrupted.signal,
    onStep: () => {
      steps += 1;
      if (steps === at) interrupted.abort();
      return 'go';
    },
  });
  const { plan } = await world.plan(course.desired);
  const unfinished = end.kind === 'ended' ? end.summary.changes : [];
  const wrong = unfinished.filter(
    ({ address, result }) =>
      result.kind === 'interrupted' &&
      // What comes first leaves the old one behind, under an address of its own.
      !plan.changes.some((one) => one.address.startsWith(address) && one.action !== 'no-op'),
  );
  return [...listFalsehoods(plan), ...wrong.map(({ address }) => `${address} is done`)];
}

/** A course with one variant of the service. */
export interface InterruptedRun extends InterruptedCourse {
  readonly variant: Variant;
}

/** All that there are. */
export const interruptedRuns: readonly InterruptedRun[] = (['strict', 'loose'] as const).flatMap(
  (variant) => courses.map((course) => ({ ...course, variant })),
);

/** Ends a course at its points, in each of the ways. */
export async function endEverywhere(run: InterruptedRun): Promise<void> {
  const { variant, first, second, mayRepeat } = run;
  const course = { variant, before: await configure(first), desired: await configure(second) };
  const points = await choosePoints(course);
  await walkPoints({ to: points.length + 1 }, async (index) => {
    const at = points[index - 1]!;
    const note = (how: string) => (text: string) => `${how} at step ${at}: ${text}`;
    const faults = [
      ...(await resume(course, at, mayRepeat)).map(note('killed')),
      ...(await lookLater(course, at)).map(note('looked later, killed')),
      ...(await interrupt(course, at)).map(note('interrupted')),
    ];
    return { kind: 'tried', faults };
  });
}
