// Instances of a module in an order, as the records of the service tell it: none before those ahead of it have ended.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { LiveOperation } from '../../src/model/account/operation.ts';
import { countRuns, drawNumber } from '../support/budget/budget.ts';
import { configure, describeFailures, World, type RunOptions } from './world.ts';

const images = ['debian-12', 'debian-13', 'ubuntu-24.04'] as const;

/** An instance before and after, by its image; `before` undefined: it is made, `after` undefined: it goes. */
interface Instance {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface Course {
  /** In the order in which they change. */
  readonly instances: readonly Instance[];
  readonly vms: number;
  readonly waitMinutes: number;
  readonly tookMs: readonly number[];
  /** Rebuilds and provisions that fail while there are kills, by the last digit of their numbers. */
  readonly failing: readonly number[];
  readonly kills: readonly number[];
}

const anyImage = fc.option(fc.constantFrom(...images), { freq: 6, nil: undefined });
const anyCourse: fc.Arbitrary<Course> = fc.record({
  instances: fc
    .uniqueArray(
      fc.record({
        key: fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/),
        before: anyImage,
        after: anyImage,
      }),
      { minLength: 2, maxLength: 5, selector: ({ key }) => key },
    )
    // A module without instances has no order.
    .filter((all) => all.some(({ before }) => before) && all.some(({ after }) => after)),
  vms: fc.integer({ min: 1, max: 3 }),
  waitMinutes: fc.integer({ min: 0, max: 15 }),
  tookMs: fc.array(fc.integer({ min: 1_000, max: 900_000 }), { minLength: 1, maxLength: 9 }),
  failing: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 2 }),
  kills: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 3 }),
});

const module = (vms: number) => `
variables: { image: {}, key: {} }
projects:
  p:
    name: "p-\${var.key}"
    networks: { lan: {} }
    vms:
      web: { count: ${vms}, configuration: c1-r1-d20, tariff: monthly, image: "\${var.image}", networks: [lan] }
`;

/** The graph of one side of a course; with `isOrdered`, its instances change one after the other. */
function graphOf(
  { instances, vms, waitMinutes }: Course,
  side: 'before' | 'after',
  isOrdered: boolean,
) {
  const own = instances.filter((one) => one[side] !== undefined);
  const each = own.map((one) => `${JSON.stringify(one.key)}: ${one[side]!}`);
  const order = own.map(({ key }) => JSON.stringify(key));
  const between = `between: { wait: ${waitMinutes}m }`;
  return configure(
    `
modules:
  env:
    source: ./module
    forEach: { ${each.join(', ')} }
    variables: { image: "\${each.value}", key: "\${each.key}" }
${isOrdered ? `    rollout: { order: [${order.join(', ')}], ${between} }` : ''}
`,
    module(vms),
  );
}

/** Numbers of what the courses have seen. */
const figures = { followed: 0, waited: 0, kills: 0, failures: 0 };

/** Operations of VMs since a time, by the key of their instance. */
async function listByKey(world: World, sinceMs: number) {
  const client = world.connect();
  const projects = await world.time.run(client.listProjects());
  const groups = new Map<string, readonly LiveOperation[]>();
  for (const { id, name } of projects) {
    const all = await world.time.run(client.listOperations(id, { newest: 1_000 }));
    const own = all.filter(
      ({ resourceType, createdAt }) => resourceType === 'vm' && (createdAt ?? 0) >= sinceMs,
    );
    if (own.length > 0) groups.set(name?.replace(/^p-/, '') ?? '', own);
  }
  return groups;
}

async function goThrough(course: Course): Promise<void> {
  const { instances, waitMinutes, tookMs, failing, kills } = course;
  let [planned, isFailing] = [0, false];
  const world = await World.open({
    planDuration: () => ({ queueMs: 0, runMs: tookMs[planned++ % tookMs.length]! }),
    planFailure: ({ type, sequence }) =>
      isFailing && (type === 'Rebuild' || type === 'Provision') && failing.includes(sequence % 10)
        ? 'internal'
        : null,
  });
  await world.apply(await graphOf(course, 'before', false));
  const desired = await graphOf(course, 'after', true);
  const order = instances.filter(({ after }) => after !== undefined).map(({ key }) => key);
  const go = async (options: RunOptions) => {
    const startMs = world.time.now();
    const end = await world.apply(desired, options);
    if (end.kind === 'killed') figures.kills += 1;
    if (end.kind === 'ended' && describeFailures(end).length > 0) figures.failures += 1;
    const groups = await listByKey(world, startMs);
    const spans = order.flatMap((key) => {
      const own = groups.get(key);
      if (!own) return [];
      return [
        {
          startMs: Math.min(...own.map(({ createdAt }) => createdAt ?? Infinity)),
          endMs: Math.max(...own.map(({ completedAt }) => completedAt ?? Infinity)),
          hasFailed: own.some(({ status }) => status === 'failed'),
        },
      ];
    });
    for (const [index, { startMs: begunMs }] of spans.entries()) {
      const ahead = spans.slice(0, index);
      const last = ahead.at(-1);
      if (!last) continue;
      figures.followed += 1;
      // The first one that a run changes need not wait: an earlier run may have sent its requests.
      expect(begunMs).toBeGreaterThanOrEqual(Math.max(...ahead.map(({ endMs }) => endMs)));
      expect(begunMs - last.endMs).toBeGreaterThanOrEqual(waitMinutes * 60_000);
      expect(ahead.map(({ hasFailed }) => hasFailed)).not.toContain(true);
      if (waitMinutes > 0) figures.waited += 1;
    }
    return end;
  };
  for (const killAt of kills) {
    isFailing = true;
    await go({ killAt });
  }
  isFailing = false;
  for (let count = 0; count < instances.length + 2; count += 1) {
    const end = await go({});
    if (end.kind === 'ended' && describeFailures(end).length === 0) break;
  }
  expect((await world.plan(desired)).plan.tasks).toEqual([]);
  expect((await world.plan(await graphOf(course, 'after', false))).plan.tasks).toEqual([]);
  world.sandbox.close();
}

/** Courses of one of the parts, each of which has a test's time of its own. */
const runs = countRuns(100, { short: 1, ci: 3 });
let gone = 0;

test.each([1, 2, 3, 4])(
  `${runs} courses of instances in an order, with failures and kills: none begins before those ahead of it have ended, part %i`,
  async (part) => {
    const property = fc.asyncProperty(anyCourse, goThrough);
    const seed = drawNumber(2 ** 31, `instances in an order ${part}`);
    await fc.assert(property, { numRuns: runs, seed });
    gone += runs;
    // A small sample need not have seen all of it.
    const least = gone < 100 ? 0 : gone / 30;
    expect(Object.entries(figures).filter(([, count]) => count < least)).toEqual([]);
  },
);
