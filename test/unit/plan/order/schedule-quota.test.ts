import { parse } from 'yaml';
import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { kindRegistry } from '../../../../src/kinds/registry.ts';
import type { Action } from '../../../../src/model/plan/plan.ts';
import type { Task } from '../../../../src/model/plan/task.ts';
import type { ChangeDecision } from '../../../../src/plan/decide/decision.ts';
import { scheduleQuota } from '../../../../src/plan/order/schedule-quota.ts';
import { sortTasks } from '../../../../src/plan/order/sort-tasks.ts';
import { sumReusedQuota } from '../../../../src/plan/order/sum-handed-on.ts';
import { makeLive } from '../../../support/account.ts';
import { planOf, taskLines } from '../../../support/plan-lines.ts';
import { applyPlan, linearize } from '../../../support/simulate.ts';
import { readList, readRows } from '../../../support/read-rows.ts';
import { readProject, readStories, readWorld } from '../../../support/read-stories.ts';
import { afterApply, reconfigure, type World } from '../../../support/world.ts';
import { dependOn } from '../../../support/depend-on.ts';
import { countRuns } from '../../../support/budget/budget.ts';

/** A project `p` as it stands and as it is wanted, after the limits of some quotas: `{networks: 2} networks: {a} => …`. */
function readLimited(text: string): World {
  const [, quotas = '', world = ''] = /^({.*?}) (.*)$/.exec(text) ?? [];
  return readWorld(world, { quotas: parse(quotas) as object });
}
const [small, large] = ['{configuration: c1-r1-d20}', '{configuration: c2-r4-d40}'];

describe('creates wait for the deletes that make room for them', () => {
  it.each(
    readStories(`
    none where there is room for all
      {networks: 2} networks: {a} => networks: {b}
      p.networks.a#destroy: deleteNetwork
      p.networks.b#apply: createNetwork
    one for one where there is no room
      {networks: 2} networks: {a, b} => networks: {c, d}
      p.networks.a#destroy: deleteNetwork
      p.networks.b#destroy: deleteNetwork
      p.networks.c#apply: createNetwork after p.networks.a#destroy
      p.networks.d#apply: createNetwork after p.networks.b#destroy
    the first take the room that is left
      {networks: 3} networks: {a, b} => networks: {c, d}
      p.networks.a#destroy: deleteNetwork
      p.networks.b#destroy: deleteNetwork
      p.networks.c#apply: createNetwork
      p.networks.d#apply: createNetwork after p.networks.a#destroy
    a large one for several small ones
      {vmCpu: 2} vms: {a: ${small}, b: {configuration: c1-r2-d20}} => vms: {c: ${large}}
      p.vms.a#destroy: deleteVm
      p.vms.b#destroy: deleteVm
      p.vms.c#apply: createVm after p.vms.a#destroy, p.vms.b#destroy
    several small ones for a large one
      {vmCpu: 2} vms: {a: ${large}} => vms: {c: ${small}, d: ${small}}
      p.vms.a#destroy: deleteVm
      p.vms.c#apply: createVm after p.vms.a#destroy
      p.vms.d#apply: createVm after p.vms.a#destroy
    each of several quotas
      {networks: 1, vmCpu: 1} networks: {a}, vms: {x: ${small}} => networks: {b}, vms: {y: ${small}}
      p.networks.a#destroy: deleteNetwork
      p.vms.x#destroy: deleteVm
      p.networks.b#apply: createNetwork after p.networks.a#destroy
      p.vms.y#apply: createVm after p.vms.x#destroy
    those that bring it down to the limit too, where more is in use than may be
      {networks: 2} networks: {a, b, c} => networks: {x, y}
      p.networks.a#destroy: deleteNetwork
      p.networks.b#destroy: deleteNetwork
      p.networks.c#destroy: deleteNetwork
      p.networks.x#apply: createNetwork after p.networks.a#destroy, p.networks.b#destroy
      p.networks.y#apply: createNetwork after p.networks.a#destroy, p.networks.c#destroy
    an address that came with a VM which is gone
      {publicIps: 1} vms: {a: {publicIp: new}} => publicIps: {edge} & vms.a lost
      p.vms.a#destroy: deletePublicIp
      p.publicIps.edge#apply: createPublicIp after p.vms.a#destroy
    `),
  )('%s', (_what, text, lines) => {
    const world = readLimited(text);
    const plan = planOf(world);
    expect(taskLines(plan)).toEqual(lines);
    // In the order that is most against it, too.
    expect(taskLines(planOf(applyPlan(world, plan, (count) => count - 1)))).toEqual([]);
    for (const { peak, limit, used } of plan.quotas)
      expect(peak).toBeLessThanOrEqual(Math.max(limit, used));
  });

  it.each(
    readRows(`
    all at once where there is room | {networks: 9} networks: {a} => networks: {b} | 2 of 2
    the limit where deletes help | {networks: 1} networks: {a} => networks: {b} | 1 of 2
    above it where they do not | {networks: 1} networks: {a} => networks: {b, c} | 2 of 3
    what stands, where nothing is made | {networks: 1} networks: {a, b} => networks: {a, b} | 2 of 2
    the limit, where more stands and all of it goes | {networks: 1} networks: {a, b, c} => networks: {x} | 1 of 4
    what others hold stays | {networks: 2} networks: {a, b} => networks: {c} & networks.b forgotten | 2 of 3
    a delete that itself waits for a create is of no help | {networks: 1} networks: {lan}, vms: {a: {networks: [lan]}} => networks: {wan}, vms: {a: {networks: [wan]}} | 2 of 2
    what waits for the name of what goes takes its place | {networks: 9} networks: {a: {name: n0}, b: {name: n1}} => networks: {c: {name: n0}, d: {name: n1}, e: {name: n2}} | 3 of 5
    the same where the limit is below what all at once would take | {networks: 4} networks: {a: {name: n0}, b: {name: n1}} => networks: {c: {name: n0}, d: {name: n1}, e: {name: n2}} | 3 of 5
  `),
  )('the peak, of all at once: %s', (_what, text, peak) => {
    expect(peakOf(readLimited(text))).toBe(peak);
  });

  it('the peak, of all at once: what waits for the name of its project takes its place, too', () => {
    const [before, after] = [readProject('networks: {a, b}'), readProject('networks: {c, d}')];
    expect(peakOf(reconfigure(afterApply({ p: before }), { q: { ...after, name: 'p' } }))).toBe(
      '2 of 4',
    );
  });
});

/** `2 of 3`: how many networks there are at most, and how many there would be if nothing waited. */
function peakOf(world: World): string {
  const quota = planOf(world).quotas.find(({ name }) => name === 'networks');
  return `${quota?.peak} of ${quota?.unordered}`;
}

/** One thing that is made, goes, is replaced or changes in place, what it takes, and what it waits for by place in the list. */
interface Drawn {
  readonly gives: number;
  readonly takes: number;
  /** True: where it both gives and takes, it is not replaced, and so takes the difference alone. */
  readonly isInPlace: boolean;
  readonly waits: readonly number[];
}

const drawn: fc.Arbitrary<readonly Drawn[]> = fc.array(
  fc.record({
    gives: fc.nat({ max: 4 }),
    takes: fc.nat({ max: 4 }),
    isInPlace: fc.boolean(),
    waits: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }),
  }),
  { maxLength: 8 },
);

const isUpdate = ({ gives, takes, isInPlace }: Drawn): boolean =>
  isInPlace && gives > 0 && takes > 0;

function actionOf(thing: Drawn): Action {
  if (isUpdate(thing)) return 'update';
  if (thing.gives > 0) return thing.takes > 0 ? 'replace' : 'delete';
  return thing.takes > 0 ? 'create' : 'no-op';
}

/** Tasks and decisions of things that take and give networks, whatever a network costs elsewhere. */
function build(things: readonly Drawn[]) {
  const tasks: Task[] = [];
  const decisions: ChangeDecision[] = [];
  const timeouts = { createMs: 1, updateMs: 1, deleteMs: 1 };
  for (const [at, thing] of things.entries()) {
    const { gives, takes, waits } = thing;
    const address = `projects.p.networks.n${at}`;
    const add = (phase: 'destroy' | 'apply', own: readonly string[]) => {
      const others = waits.flatMap((one) => tasks[one % Math.max(1, tasks.length)]?.id ?? []);
      const dependsOn = dependOn([...new Set([...own, ...others])]);
      tasks.push({ id: `${address}#${phase}`, address, phase, commands: [], dependsOn, timeouts });
    };
    const isGoing = gives > 0 && !isUpdate(thing);
    if (isGoing) add('destroy', []);
    if (takes > 0) add('apply', isGoing ? [`${address}#destroy`] : []);
    decisions.push({
      kind: { ...kindRegistry.network, quota: ({ size }) => ({ networks: Number(size) }) },
      live: {
        kind: 'network',
        id: address,
        projectId: 'p',
        name: 'n',
        status: 'active',
        cidr: null,
      },
      desired: undefined,
      held: null,
      isSettled: true,
      change: {
        address,
        kind: 'network',
        project: 'projects.p',
        action: actionOf(thing),
        id: null,
        before: gives > 0 ? { size: gives } : null,
        after: takes > 0 ? { size: takes } : null,
        unknown: [],
        sensitive: [],
        fields: [],
        losses: [],
        configured: [],
      },
    });
  }
  return { tasks, decisions };
}

describe('what changes in place takes the difference', () => {
  const thing = (gives: number, takes: number, ...waits: number[]): Drawn => ({
    ...{ gives, takes, waits, isInPlace: true },
  });
  it.each<[string, number, Drawn[], number, number, string[]]>([
    ['growth within the limit', 5, [thing(2, 5)], 5, 5, []],
    ['growth beyond the limit', 4, [thing(2, 5)], 5, 5, []],
    ['growth into what something else frees', 5, [thing(3, 0), thing(2, 5)], 5, 8, ['n1 after n0']],
    [
      'growth into what something else shrinks by',
      5,
      [thing(4, 1), thing(1, 4)],
      5,
      8,
      ['n1 after n0'],
    ],
    ['a create where something else shrinks', 4, [thing(4, 1), thing(0, 3)], 4, 7, ['n1 after n0']],
    ['no change of what it takes', 2, [thing(2, 2)], 2, 2, []],
  ])('%s', (_what, limit, things, peak, unordered, waits) => {
    const { tasks, decisions } = build(things);
    const used = things.reduce((sum, { gives }) => sum + gives, 0);
    const after = things.reduce((sum, { takes }) => sum + takes, 0);
    const quota = { name: 'networks' as const, limit, used, after, ours: used };
    const room = scheduleQuota(sortTasks(tasks), decisions, [quota], makeLive());
    expect(room.quotas).toMatchObject([{ peak, unordered }]);
    const nameOf = (id: string) => id.replace(/.*\.(n\d+)#.*/, '$1');
    expect(
      room.tasks.flatMap(({ id, dependsOn }) =>
        dependsOn.map(({ on }) => `${nameOf(id)} after ${nameOf(on)}`),
      ),
    ).toEqual(waits);
  });
});

/** The most that is in use whenever it stands still: by any of the tasks with all that they wait for. */
function findMost(tasks: readonly Task[], used: number, costOf: (id: string) => number): number {
  const sets = tasks.reduce<readonly ReadonlySet<string>[]>(
    (all, { id, dependsOn }) => [
      ...all,
      ...all
        .filter((set) => dependsOn.every(({ on }) => set.has(on)))
        .map((set) => new Set([...set, id])),
    ],
    [new Set()],
  );
  const sums = sets.map((set) => [...set].reduce((sum, id) => sum + costOf(id), used));
  return Math.max(...sums);
}

describe('for any things that take and give', () => {
  test.prop(
    [
      drawn,
      fc.nat({ max: 12 }),
      fc.nat({ max: 8 }),
      fc.array(fc.nat({ max: 100 }), { minLength: 20, maxLength: 20 }),
    ],
    { numRuns: countRuns(2_000) },
  )('no order that the waits allow goes above the peak', (things, limit, others, picks) => {
    const { tasks, decisions } = build(things);
    const costs = new Map<string, number>(
      things.flatMap((thing, at) => [
        [`projects.p.networks.n${at}#destroy`, isUpdate(thing) ? 0 : -thing.gives] as const,
        [`projects.p.networks.n${at}#apply`, thing.takes - (isUpdate(thing) ? thing.gives : 0)],
      ]),
    );
    const used = others + things.reduce((sum, { gives }) => sum + gives, 0);
    const after = used + [...costs.values()].reduce((sum, cost) => sum + cost, 0);
    const quota = { name: 'networks' as const, limit, used, after, ours: used - others };
    const room = scheduleQuota(sortTasks(tasks), decisions, [quota], makeLive());
    const [measured] = room.quotas;
    const { peak = 0, unordered = 0 } = measured ?? {};
    const takes = (id: string) => (costs.get(id) ?? 0) > 0;
    // As bad as can be, whatever takes goes first where it may; and as drawn.
    const greedy = [...room.tasks].sort((a, b) => Number(takes(b.id)) - Number(takes(a.id)));
    let turn = 0;
    const asDrawn = (count: number) => (picks[(turn += 1) % picks.length] ?? 0) % count;
    for (const order of [linearize(greedy, () => 0), linearize(room.tasks, asDrawn)]) {
      let now = used;
      for (const { id } of order) {
        now += costs.get(id) ?? 0;
        if (takes(id)) expect(now).toBeLessThanOrEqual(peak);
      }
      expect(now).toBe(after);
    }
    expect(peak).toBeLessThanOrEqual(unordered);
    // It is reached, too. Above its limit a quota comes down before anything is made.
    if (room.tasks.length <= 10) {
      const most = findMost(room.tasks, used, (id) => costs.get(id) ?? 0);
      expect(Math.max(used, peak)).toBe(most);
    }
    // Every wait that was there is there still, and nothing waits for itself.
    for (const { id, dependsOn } of tasks) {
      const waiting = room.tasks.find((task) => task.id === id)?.dependsOn ?? [];
      expect(waiting).toEqual(expect.arrayContaining([...dependsOn]));
      expect(waiting.map(({ on }) => on)).not.toContain(id);
    }
  });
});

const task = (id: string, ...dependsOn: string[]): Task => ({
  ...{ id, dependsOn: dependOn(dependsOn), address: id, phase: 'apply', commands: [] },
  timeouts: { createMs: 1, updateMs: 1, deleteMs: 1 },
});

/** `a, b a`: a task, and one that waits for it. */
const readTasks = (cell: string) =>
  readList(cell).map((one) => {
    const [id = '', ...dependsOn] = one.split(' ');
    return task(id, ...dependsOn);
  });

describe('units that are handed on', () => {
  it.each(
    readRows(`
    once each | x, a x, b x | { x: [0, 3], a: [2, 0], b: [2, 0] } | 3
    not to itself | a | { a: [2, 2] } | 0
    past one that was served first | x, y, z, late z, a x y, b late x | { x: [0, 1], y: [0, 1], a: [1, 0], b: [1, 0] } | 2
    past several | x, y, z, a x y, b y z, late a, c x late, d y late | { x: [0, 2], y: [0, 1], z: [0, 1], a: [2, 0], b: [1, 0], c: [1, 0], d: [1, 0] } | 4
    through many that free nothing | x, i x, j i, k j, a k, b k | { x: [0, 3], a: [1, 0], b: [5, 0] } | 3
  `),
  )('%s', (_what, tasks, given, expected) => {
    const costs = parse(given) as Record<string, [needs: number, frees: number]>;
    const costOf = ({ id }: Pick<Task, 'id'>) => {
      const [needs, frees] = costs[id] ?? [0, 0];
      return { needs, frees };
    };
    expect(sumReusedQuota(readTasks(tasks), costOf)).toBe(Number(expected));
  });
});

describe('tasks that wait for one another', () => {
  it.each(
    readRows(`
    none |  |
    keep their order where nothing waits | b, a | b, a
    go behind what they wait for | a b, b | b, a
    wait for all | a b c, b c, c | c, b, a
    share a wait | a c, b c, c | c, a, b
  `),
  )('%s', (_what, tasks, expected) =>
    expect(sortTasks(readTasks(tasks)).map(({ id }) => id)).toEqual(readList(expected)),
  );

  it.each([
    ['in a circle', 'a b, b a'],
    ['for themselves', 'a a'],
    ['for what is not there', 'a nobody'],
  ])('%s: a bug', (_what, tasks) => {
    expect(() => sortTasks(readTasks(tasks))).toThrow('wait for one another in a circle');
  });
});
