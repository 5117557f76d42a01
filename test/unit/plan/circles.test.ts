import { describe, expect, it } from 'vitest';
import type { ProjectConfig } from '../../support/desired.ts';
import { expectTasks } from '../../support/expect-tasks.ts';
import { defer, expressionOf } from '../../support/defer.ts';
import { changeLines, checkedPlanOf, planOf } from '../../support/plan-lines.ts';
import { applyPlan } from '../../support/simulate.ts';
import { editProject, type World } from '../../support/world.ts';

/** A field that comes to a value once the id of another resource is known. */
const after = (read: string, value: string | number) =>
  expressionOf(
    `${read}.id == "" ? ${typeof value === 'number' ? 0 : '""'} : ${JSON.stringify(value)}`,
    [`${read}.id`],
  );

const networks = (names: Readonly<Record<string, string>>): ProjectConfig => ({
  networks: Object.fromEntries(Object.entries(names).map(([key, name]) => [key, { name }])),
});
const at = (key: string) => `projects.p.networks.${key}`;

const ports = (given: Readonly<Record<string, number>>): ProjectConfig => ({
  vms: { web: {} },
  publicIps: {
    edge: Object.fromEntries(
      Object.entries(given).map(([key, publicPort]) => [key, { publicPort, vm: 'web', vmPort: 1 }]),
    ),
  },
});
const forward = (key: string) => `projects.p.publicIps.edge.forwards.${key}`;

describe('a circle that an expression closes is broken', () => {
  it.each<[string, World, string[]]>([
    [
      'where a new one takes the name of what reads it',
      defer(
        editProject(networks({ b: 'x' }), networks({ a: 'x', b: 'y' })),
        at('b'),
        'name',
        after(at('a'), 'y'),
      ),
      [
        'p.networks.b#prepare: renameNetwork',
        'p.networks.a#apply: createNetwork after p.networks.b#prepare',
        'p.networks.b#apply: renameNetwork after p.networks.a#apply, p.networks.b#prepare',
      ],
    ],
    [
      'where the name comes by way of a third one',
      defer(
        editProject(networks({ b: 'x', c: 'y' }), networks({ a: 'x', b: 'y', c: 'z' })),
        at('c'),
        'name',
        after(at('a'), 'z'),
      ),
      [
        'p.networks.b#prepare: renameNetwork',
        'p.networks.a#apply: createNetwork after p.networks.b#prepare',
        'p.networks.c#apply: renameNetwork after p.networks.a#apply',
        'p.networks.b#apply: renameNetwork after p.networks.b#prepare, p.networks.c#apply',
      ],
    ],
    [
      'where a port is passed on: what has no name goes first and is made anew',
      defer(
        editProject(ports({ b: 80 }), ports({ a: 80, b: 443 })),
        forward('b'),
        'vmPort',
        after(forward('a'), 22),
      ),
      [
        'p.publicIps.edge.forwards.b#destroy: deletePortForward',
        'p.publicIps.edge.forwards.a#apply: createPortForward after p.publicIps.edge.forwards.b#destroy',
        'p.publicIps.edge.forwards.b#apply: createPortForward after p.publicIps.edge.forwards.a#apply, p.publicIps.edge.forwards.b#destroy',
      ],
    ],
  ])('%s', (_, world, tasks) => expectTasks(world, tasks));

  it('for many at once', () => {
    const many = (names: (n: number) => Record<string, string>) =>
      networks(
        Object.fromEntries(Array.from({ length: 8 }, (_, n) => Object.entries(names(n))).flat()),
      );
    let world = editProject(
      many((n) => ({ [`b${n}`]: `x${n}` })),
      many((n) => ({ [`a${n}`]: `x${n}`, [`b${n}`]: `y${n}` })),
    );
    for (let n = 0; n < 8; n += 1) {
      world = defer(world, at(`b${n}`), 'name', after(at(`a${n}`), `y${n}`));
    }
    const plan = checkedPlanOf(world);
    expect(plan.tasks.filter(({ phase }) => phase === 'prepare')).toHaveLength(8);
    expect(changeLines(checkedPlanOf(applyPlan(world, plan)))).toEqual([]);
  });
});

describe('a circle that cannot be broken', () => {
  // The reader of a configuration refuses it. Whoever builds a graph in another way is told, too.
  it('is told with its way, and nothing is planned to run', () => {
    let world = editProject(networks({}), networks({ a: 'x', b: 'y' }));
    world = defer(world, at('a'), 'name', after(at('b'), 'x'));
    world = defer(world, at('b'), 'name', after(at('a'), 'y'));
    const { tasks, findings } = planOf(world);
    expect(tasks).toEqual([]);
    expect(findings.filter(({ code }) => code === 'circular-changes')).toMatchObject([
      {
        severity: 'error',
        code: 'circular-changes',
        address: 'projects.p.networks.a',
        source: { line: 2 },
        detail: expect.stringMatching(
          /^projects\.p\.networks\.a → projects\.p\.networks\.b → projects\.p\.networks\.a: /,
        ) as string,
      },
    ]);
  });
});

it('a chain as long as the configuration is planned without running out of stack', () => {
  const keys = Array.from({ length: 6000 }, (_, index) => `n${index}`);
  const world = editProject({}, networks(Object.fromEntries(keys.map((key) => [key, key]))));
  const resources = world.desired.resources.map((one, index) => {
    const next = world.desired.resources[index + 1];
    if (one.kind !== 'network' || !next) return one;
    return { ...one, attributes: {}, deferred: { name: after(next.address, one.address) } };
  });
  const { tasks } = planOf({ ...world, desired: { resources } });
  expect(tasks[0]?.address).toBe(at('n5999'));
  expect(tasks.at(-1)?.address).toBe(at('n0'));
});
