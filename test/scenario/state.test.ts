import { describe, expect, test } from 'vitest';
import type { DesiredGraph } from '../../src/model/resource.ts';
import type { SourceRange } from '../../src/model/source.ts';
import { drawVariants } from '../support/budget/budget.ts';
import { everyKind } from './every-kind.ts';
import { configure, describeFailures, findViolations, World, type Variant } from './world.ts';
import { expectApplied, expectBuilt } from './expect-built.ts';

const source: SourceRange = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };

/** The same with public IPs that nobody holds, and one that a VM does. */
const everyUse = `${everyKind.replace('    vms:\n', '      spare: {}\n      held: {}\n    vms:\n')}\
      holder: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, publicIp: held }
`;

const withNetworks = (names: string) => `projects:\n  demo:\n    networks: { ${names} }\n`;

const actionsOf = ({ plan }: Awaited<ReturnType<World['plan']>>): string[] =>
  plan.changes
    .filter(({ action, isImported, movedFrom }) => action !== 'no-op' || isImported || movedFrom)
    .map(
      ({ action, address, isImported, movedFrom }) =>
        `${isImported ? 'import ' : ''}${movedFrom ? `move from ${movedFrom} ` : ''}${action} ${address}`,
    );

/** A world in which a configuration was applied. */
async function applied(variant: Variant, yaml: string) {
  const world = await World.open({ variant });
  const desired = await configure(yaml);
  await expectApplied(world, desired);
  return { world, desired };
}

/** Somebody renames the only network to `by-hand` in the console. */
async function renameByHand(world: World): Promise<void> {
  const network = (await world.readAccount()).find(({ kind }) => kind === 'network');
  const { projectId: project = '', id = '' } = network ?? {};
  const person = world.connect();
  await world.time.run(
    person.send({ kind: 'renameNetwork', project, network: id, name: 'by-hand' }),
  );
}

describe.each(drawVariants('the state'))('%s', (variant) => {
  test('a VM that leaves a network early, so that its name is free, is remembered as it stands', async () => {
    const yaml = (networks: string, attached: string) => `projects:
  demo:
    networks: { ${networks} }
    vms: { web: { image: debian-12, configuration: c1-r1-d20, tariff: monthly, networks: [${attached}] } }
`;
    const { world } = await applied(
      variant,
      yaml('old: { name: lan }, next: { name: wan }', 'old'),
    );
    const desired = await configure(yaml('next: { name: lan }', ''));
    await expectBuilt(world, desired);
    expect((await world.plan(desired)).plan.drift ?? []).toEqual([]);
    const { resources } = (await world.store.reopen()).state;
    expect(resources.get('projects.demo.networks.next')?.attributes).toMatchObject({ name: 'lan' });
  });

  describe('a lost state', () => {
    test('with --adopt: the plan is imports alone, and after it there is nothing to do', async () => {
      const { world, desired } = await applied(variant, everyUse);
      const before = await world.readAccount();
      await world.loseState();
      const planned = await world.plan(desired, 'apply', { adoptsAll: true });
      expect(actionsOf(planned)).toEqual(
        planned.plan.changes.map(({ address }) => `import no-op ${address}`),
      );
      expect(planned.plan.changes).toHaveLength(desired.resources.length);
      await expectApplied(world, desired, { planOptions: { adoptsAll: true } });
      expect(await world.readAccount()).toEqual(before);
      expect(await findViolations(world, desired)).toEqual([]);
      // What came with a VM goes with it, though the state that knew of it was lost.
      await expectApplied(world, desired, { mode: 'destroy' });
      expect(await world.readAccount()).toEqual([]);
    });

    test('with --adopt, what differs is changed in the same run', async () => {
      const { world } = await applied(variant, everyUse);
      await world.loseState();
      const renamed = await configure(everyUse.replace('power: stopped', 'power: running'));
      const planned = await world.plan(renamed, 'apply', { adoptsAll: true });
      expect(actionsOf(planned)).toContain('import update projects.demo.vms.bastion');
      await world.apply(renamed, { planOptions: { adoptsAll: true } });
      expect(await findViolations(world, renamed)).toEqual([]);
    });
  });

  test('what a killed run made is ours from the next run on, even one that was refused', async () => {
    const world = await World.open({ variant });
    const desired = await configure(withNetworks('net: '));
    let isSent = false;
    await world.apply(desired, {
      meddle: async (request, pass) => {
        const answer = await pass();
        isSent = request.url.endsWith('/networks') && request.method === 'POST';
        return answer;
      },
      onStep: ({ kind }) => (kind === 'answer' && isSent ? 'kill' : 'go'),
    });
    await world.settle();
    const refused: DesiredGraph = {
      ...(await configure(withNetworks('net: , other: '))),
      imports: [{ to: 'projects.demo.networks.other', id: 'net-none', source }],
    };
    expect((await world.apply(refused)).kind).toBe('refused');
    await renameByHand(world);
    await expectBuilt(world, desired);
  });

  describe('what the configuration says of the state', () => {
    test('moved: a new address, and nothing is made anew', async () => {
      const { world } = await applied(variant, withNetworks('old: { name: net }'));
      const desired: DesiredGraph = {
        ...(await configure(withNetworks('fresh: { name: net }'))),
        moved: [{ from: 'projects.demo.networks.old', to: 'projects.demo.networks.fresh', source }],
      };
      expect(actionsOf(await world.plan(desired))).toEqual([
        'move from projects.demo.networks.old no-op projects.demo.networks.fresh',
      ]);
      await world.apply(desired);
      expect(await findViolations(world, desired)).toEqual([]);
    });

    test('moved: killed in the middle of any write, nothing has two addresses or none', async () => {
      const desired: DesiredGraph = {
        ...(await configure(withNetworks('a: { name: x }, d: { name: y }'))),
        moved: [
          { from: 'projects.demo.networks.b', to: 'projects.demo.networks.a', source },
          { from: 'projects.demo.networks.c', to: 'projects.demo.networks.d', source },
        ],
      };
      const found: string[] = [];
      for (let tornAt = 1; ; tornAt += 1) {
        const { world } = await applied(
          variant,
          withNetworks('b: { name: x }, c: { name: y }, gone: '),
        );
        let writes = 0;
        const end = await world.apply(desired, {
          onStep: ({ kind }) => (kind === 'write' && (writes += 1) === tornAt ? 'tear' : 'go'),
        });
        if (end.kind !== 'killed') break;
        const resumed = await world.apply(desired);
        found.push(...describeFailures(resumed), ...(await findViolations(world, desired)));
      }
      expect(found).toEqual([]);
    });

    test('moved: a whole project with everything in it', async () => {
      const { world } = await applied(variant, everyUse);
      const desired: DesiredGraph = {
        ...(await configure(everyUse.replace('demo:', 'shop:\n    name: demo'))),
        moved: [{ from: 'projects.demo', to: 'projects.shop', source }],
      };
      const moves = actionsOf(await world.plan(desired));
      expect(moves).toHaveLength(desired.resources.length);
      expect(moves.filter((move) => !move.includes(' no-op '))).toEqual([]);
      await world.apply(desired);
      expect(await findViolations(world, desired)).toEqual([]);
    });

    test('removed without destroy: forgotten, and left in the account', async () => {
      const { world } = await applied(variant, withNetworks('kept: , given: '));
      const desired: DesiredGraph = {
        ...(await configure(withNetworks('kept: '))),
        removed: [{ from: 'projects.demo.networks.given', destroy: false, source }],
      };
      expect(actionsOf(await world.plan(desired))).toEqual(['forget projects.demo.networks.given']);
      await expectApplied(world, desired);
      expect((await world.readAccount()).filter(({ kind }) => kind === 'network')).toHaveLength(2);
      expect(actionsOf(await world.plan(desired))).toEqual([]);
    });

    test('destroy: goes by moves not made yet, and leaves what is given up', async () => {
      const left = '  left:\n    networks: { kept: }\n';
      const { world } = await applied(variant, `${withNetworks('old: ')}${left}`);
      const desired: DesiredGraph = {
        ...(await configure(withNetworks('fresh: '))),
        moved: [{ from: 'projects.demo.networks.old', to: 'projects.demo.networks.fresh', source }],
        removed: [{ from: 'projects.left', destroy: false, source }],
      };
      expect(actionsOf(await world.plan(desired, 'destroy'))).toEqual([
        'delete projects.demo',
        'move from projects.demo.networks.old delete projects.demo.networks.fresh',
        'forget projects.left',
        'forget projects.left.networks.kept',
      ]);
      await expectApplied(world, desired, { mode: 'destroy' });
      expect((await world.readAccount()).map(({ kind }) => kind)).toEqual(['project', 'network']);
      expect((await world.store.reopen()).state.resources.size).toBe(0);
      expect(actionsOf(await world.plan(desired, 'destroy'))).toEqual([]);
    });

    test('imports: by id and by name, and a wrong one is refused', async () => {
      const { world } = await applied(variant, withNetworks('a: , b: '));
      const [first] = (await world.readAccount()).filter(({ kind }) => kind === 'network');
      const onlyProject = await configure('projects: { demo: }');
      await world.apply({
        ...onlyProject,
        removed: [{ from: 'projects.demo.networks', destroy: false, source }],
      });
      const { store } = world;
      expect([...store.state.resources.keys()]).toEqual(['projects.demo']);
      const desired: DesiredGraph = {
        ...(await configure(withNetworks('a: , b: '))),
        imports: [
          { to: 'projects.demo.networks.a', id: first?.id ?? '', source },
          { to: 'projects.demo.networks.b', name: 'b', source },
        ],
      };
      expect(actionsOf(await world.plan(desired))).toEqual([
        'import no-op projects.demo.networks.a',
        'import no-op projects.demo.networks.b',
      ]);
      await world.apply(desired);
      expect(await findViolations(world, desired)).toEqual([]);
    });

    test('exclusive: what nobody configured is deleted, and only there', async () => {
      const { world, desired } = await applied(variant, everyUse);
      const account = await world.readAccount();
      const project = account[0]?.projectId ?? '';
      await world.time.run(
        world.connect().send({ kind: 'createNetwork', project, name: 'intruder' }),
      );
      await world.settle();
      expect(actionsOf(await world.plan(desired))).toEqual([]);
      const exclusive = { ...desired, exclusive: ['projects.demo'] };
      expect((await world.plan(exclusive)).plan.changes).toContainEqual(
        expect.objectContaining({ action: 'delete', reason: 'not-exclusive' }),
      );
      await expectBuilt(world, exclusive);
    });
  });

  describe('a selection', () => {
    test('a target brings what it needs along and leaves the rest', async () => {
      const world = await World.open({ variant });
      const desired = await configure(everyUse);
      const selection = { targets: ['projects.demo.vms.web'], excludes: [] };
      await expectApplied(world, desired, { planOptions: { selection } });
      expect([...world.store.state.resources.keys()].sort()).toEqual([
        'projects.demo',
        'projects.demo.networks.backend',
        'projects.demo.sshKeys.alice',
        'projects.demo.vms.web',
      ]);
      await world.apply(desired);
      expect(await findViolations(world, desired)).toEqual([]);
    });

    test('--replace makes one anew', async () => {
      const { world, desired } = await applied(variant, everyUse);
      const replace = ['projects.demo.networks.backend'];
      const planned = await world.plan(desired, 'apply', { replace });
      expect(actionsOf(planned)).toEqual([
        'replace projects.demo.networks.backend',
        'update projects.demo.vms.web',
      ]);
      expect(describeFailures(await world.apply(desired, { planOptions: { replace } }))).toEqual(
        [],
      );
      expect(await findViolations(world, desired)).toEqual([]);
    });
  });

  describe('preventDestroy', () => {
    const lifecycle = {
      preventDestroy: true,
      createBeforeDestroy: false,
      ignoreChanges: [],
      replaceTriggeredBy: [],
    };
    const protect = (graph: DesiredGraph, isProtected: boolean): DesiredGraph => ({
      ...graph,
      resources: graph.resources.map((one) =>
        one.kind === 'network'
          ? { ...one, lifecycle: { ...lifecycle, preventDestroy: isProtected } }
          : one,
      ),
    });

    test('holds after the block was deleted, until the protection was lifted by an apply', async () => {
      const world = await World.open({ variant });
      const desired = protect(await configure(withNetworks('a: ')), true);
      await world.apply(desired);
      const empty = await configure('projects: { demo: }');
      const refused = await world.plan(empty);
      expect(refused.plan.findings.map(({ code }) => code)).toContain('prevent-destroy');
      expect(await world.apply(desired, { mode: 'destroy' })).toMatchObject({ kind: 'refused' });
      await world.apply(protect(desired, false));
      await expectApplied(world, empty);
      expect((await world.readAccount()).map(({ kind }) => kind)).toEqual(['project']);
    });
  });
});
