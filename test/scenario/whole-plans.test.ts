// A plan without errors applies, and what a plan refuses could not have been applied: whatever is configured, edited, ignored,
// moved, given up, imported and done by hand.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import type { PlanWithSources } from '../../src/engine/make-plan.ts';
import { kindRegistry } from '../../src/kinds/registry.ts';
import type { LiveResource } from '../../src/model/account/live.ts';
import {
  parseResourceAddress,
  makeTopLevelAddress,
  type ResourceAddress,
} from '../../src/model/address.ts';
import type {
  DesiredGraph,
  DesiredResource,
  ImportEntry,
  MovedEntry,
} from '../../src/model/resource.ts';
import type { State } from '../../src/model/state/state.ts';
import { anyConfig } from '../support/arbitrary.ts';
import { countRuns, readBudget } from '../support/budget/budget.ts';
import { makeDesired, type Config } from '../support/desired.ts';
import { editConfig, editNames, rotateProjects, type DrawnEdit } from '../support/edits.ts';
import { deletionOf, renamingOf } from './simulation/console-requests.ts';
import { foretell, markStart, rehearseIn } from './rehearsal/rehearse-in.ts';
import { describeFailures, World, type RunOptions } from './world.ts';
import { expectApplied } from './expect-built.ts';

/** What is done, in few words: a counterexample is read. */
interface Story {
  readonly before: Config;
  readonly edits: readonly DrawnEdit[];
  /** Resources of the second configuration by number, with fields that their `ignoreChanges` name, by number. */
  readonly ignored: readonly (readonly [resource: number, field: number])[];
  /** Resources that are created before they are destroyed, and such that are replaced when another changes. */
  readonly createdFirst: readonly number[];
  readonly triggered: readonly (readonly [resource: number, by: number])[];
  /** Whatever nobody configures in the projects is destroyed. */
  readonly isExclusive: boolean;
  /** The state is lost; the account is adopted again, or named resource by resource. */
  readonly lost: 'adopt' | 'import' | undefined;
  /** Projects take the names of one another. */
  readonly isRotated: boolean;
  /** A project by number that a module gives, before and after; whether the second configuration says so. */
  readonly module: readonly [number: number, before: boolean, after: boolean, isTold: boolean];
  /** What a first apply is restricted to, or leaves out. */
  readonly part: readonly ['targets' | 'excludes', number] | undefined;
  /** Which of what left the configuration becomes which of what came, of its kind. */
  readonly moved: readonly (readonly [from: number, to: number])[];
  /** Which of what left it stays in the account. */
  readonly given: readonly number[];
  /** What a person does in between: deletes or renames, and to what. */
  readonly byHand: readonly (readonly ['delete' | 'rename', number])[];
}

const index = fc.nat({ max: 9 });
const few = { maxLength: 3 };

const anyStory: fc.Arbitrary<Story> = fc.record({
  before: anyConfig,
  edits: fc.array(fc.tuple(fc.constantFrom(...editNames), index, index, index), { maxLength: 5 }),
  ignored: fc.array(fc.tuple(index, index), few),
  createdFirst: fc.array(index, few),
  triggered: fc.array(fc.tuple(index, index), { maxLength: 2 }),
  isExclusive: fc.boolean(),
  lost: fc.constantFrom(undefined, undefined, 'adopt', 'import'),
  isRotated: fc.boolean(),
  module: fc.tuple(index, fc.boolean(), fc.boolean(), fc.boolean()),
  part: fc.option(fc.tuple(fc.constantFrom('targets', 'excludes'), index), {
    nil: undefined,
    freq: 1,
  }),
  moved: fc.array(fc.tuple(index, index), few),
  given: fc.array(index, { maxLength: 2 }),
  byHand: fc.array(fc.tuple(fc.constantFrom('delete' as const, 'rename' as const), index), few),
});

const at = <T>(items: readonly T[], number: number): T | undefined =>
  items.length === 0 ? undefined : items[number % items.length];

const prefix = 'modules.part["eu"].';
const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };

/** What a story gives by a module: the address in the root, and in the module. */
function findModule({ before, module: [number] }: Story) {
  const key = at(Object.keys(before), number);
  if (key === undefined) return undefined;
  return {
    root: makeTopLevelAddress('project', key),
    inModule: makeTopLevelAddress('project', key, prefix),
  };
}

/** The resources, with a project of the root as a module gives it. */
function placeInModule(resources: DesiredGraph['resources'], story: Story) {
  const { root, inModule } = findModule(story) ?? {};
  if (root === undefined) return resources;
  const place = (address: ResourceAddress) =>
    `${address}.`.startsWith(`${root}.`) ? `${inModule}${address.slice(root.length)}` : address;
  return resources.map((one) => ({
    ...one,
    address: place(one.address),
    project: place(one.project),
  }));
}

function writeFirst(story: Story): DesiredGraph {
  const graph = makeDesired(story.before);
  const [, isInModule] = story.module;
  return isInModule ? { ...graph, resources: placeInModule(graph.resources, story) } : graph;
}

/** The entry for a project that came into a module or left it, where the story writes one. */
function moveModule(story: Story): readonly MovedEntry[] {
  const found = findModule(story);
  const [, before, after, isTold] = story.module;
  if (!found || before === after || !isTold) return [];
  const { root, inModule } = found;
  return [before ? { from: inModule, to: root, source } : { from: root, to: inModule, source }];
}

/** The second configuration, with what a person has written beside it. */
function writeSecond(story: Story, { resources: managed }: State): DesiredGraph {
  const edited = editConfig(story.before, story.edits);
  const graph = makeDesired(story.isRotated ? rotateProjects(edited) : edited);
  const [, , isInModule] = story.module;
  const placed = isInModule ? placeInModule(graph.resources, story) : graph.resources;
  const resources = giveLifecycles(placed, story);
  const movedModule = moveModule(story);
  const wanted = new Set(resources.map(({ address }) => address));
  const isIn = (address: ResourceAddress, parent: ResourceAddress) =>
    `${address}.`.startsWith(`${parent}.`);
  const isFree = (address: ResourceAddress) =>
    !movedModule.some(({ from, to }) => isIn(address, from) || isIn(address, to));
  const left = [...managed.keys()].filter((one) => !wanted.has(one) && isFree(one)).sort();
  const came = resources.filter(({ address }) => !managed.has(address) && isFree(address));
  const taken = new Set<string>();
  const moved = story.moved.flatMap(([a, b]): MovedEntry[] => {
    const from = at(left, a);
    const kind = from === undefined ? undefined : parseResourceAddress(from)?.kind;
    const to = at(
      came.filter((one) => one.kind === kind),
      b,
    );
    if (from === undefined || to === undefined) return [];
    if (taken.has(from) || taken.has(to.address)) return [];
    taken.add(from).add(to.address);
    return [{ from, to: to.address, source }];
  });
  const removed = story.given.flatMap((number) => {
    const from = at(left, number);
    if (from === undefined || taken.has(from)) return [];
    taken.add(from);
    return [{ from, destroy: false, source }];
  });
  const projects = resources.flatMap(({ kind, address }) => (kind === 'project' ? address : []));
  return {
    ...graph,
    resources,
    moved: [...movedModule, ...moved],
    removed,
    ...(story.isExclusive && { exclusive: projects }),
    ...(story.lost === 'import' && { imports: nameAll(resources, managed) }),
  };
}

/** An entry for each resource that stands, at its address. */
const nameAll = (
  resources: readonly DesiredResource[],
  managed: State['resources'],
): ImportEntry[] =>
  resources.flatMap(({ address, kind }) => {
    const { id } = managed.get(address) ?? {};
    if (id === undefined || kind === 'account') return [];
    return [{ to: address, id, isAsLive: true, source } as const];
  });

/** The resources, each with the lifecycle that the story gives it. */
function giveLifecycles(
  resources: readonly DesiredResource[],
  { ignored, createdFirst, triggered }: Story,
): readonly DesiredResource[] {
  const ones = resources.filter(({ kind }) => kind !== 'project');
  const first = new Set(createdFirst.map((number) => at(ones, number)));
  return resources.map((one) => {
    const fields = Object.keys(kindRegistry[one.kind].fields);
    const ignoreChanges = ignored.flatMap(([number, field]) =>
      at(resources, number) === one ? (at(fields, field) ?? []) : [],
    );
    // Circles are refused when the configuration is read.
    const replaceTriggeredBy = triggered.flatMap(([number, by]) => {
      const cause = at(ones, by);
      const isLater = cause !== undefined && ones.indexOf(cause) < ones.indexOf(one);
      return at(ones, number) === one && isLater ? [cause.address] : [];
    });
    const createBeforeDestroy = one.kind === 'vm' && first.has(one);
    const lifecycle = { preventDestroy: false, ignoreChanges, createBeforeDestroy };
    return { ...one, lifecycle: { ...lifecycle, replaceTriggeredBy } };
  });
}

/** Does it in the account; what the service refuses does not happen. */
async function actByHand(
  world: World,
  acts: Story['byHand'],
  others: ReadonlySet<string>,
): Promise<void> {
  for (const [act, number] of acts) {
    const ours = (await world.readAccount()).filter(({ id }) => !others.has(id));
    const one: LiveResource | undefined = at(ours, number);
    if (!one || one.kind === 'project') continue;
    const request = act === 'delete' ? deletionOf(one) : renamingOf(one, `by-hand-${number}`);
    if (!request) continue;
    await world.time.run(world.connect().call(request)).catch(() => undefined);
    await world.settle();
  }
}

/** What others have in the account, who never heard of us: their ids. */
async function openOthers(world: World): Promise<ReadonlySet<string>> {
  await world.apply(makeDesired({ others: { networks: { lan: {} } } }));
  await world.loseState();
  return new Set((await world.readAccount()).map(({ id }) => id));
}

/** Refused although the service would do it: it would cost what nobody gave up, or is not one thing that was asked for. */
const refusals: ReadonlySet<string> = new Set([
  'cannot-create-first',
  'import-would-destroy',
  'import-not-found',
  'forgotten-in-exclusive',
  'move-target-taken',
  // The create and what takes away what it needs are sent at one time: the service may take either first.
  'needs-what-goes',
]);

/** Expects a plan to be carried out as its rehearsal foretells, and whole; and one that is refused to fail in its rehearsal. */
async function expectWhole(
  world: World,
  desired: DesiredGraph,
  options: RunOptions,
): Promise<'refused' | 'done'> {
  const start = markStart(world);
  const end = await world.apply(desired, options);
  if (end.kind === 'killed') throw new Error('Nobody killed it.');
  const rehearsal = await rehearseIn(world, end.planned, {}, start);
  const foretold = rehearsal ? foretell(rehearsal) : {};
  if (end.kind === 'refused') {
    const errors = end.planned.plan.findings.filter(({ severity }) => severity === 'error');
    if (!errors.some(({ code }) => refusals.has(code))) expect(foretold).not.toEqual({});
    return 'refused';
  }
  expect(describeFailures(end)).toEqual([]);
  expect(foretold).toEqual({});
  return 'done';
}

const changesOf = ({ plan }: PlanWithSources) =>
  plan.changes
    .filter(({ action }) => action !== 'no-op')
    .map(({ action, address, fields }) => ({ action, address, fields }));

/** Applies the second configuration, a part of it first. Returns how it ended. */
async function applySecond(world: World, desired: DesiredGraph, story: Story) {
  const planOptions = { adoptsAll: story.lost === 'adopt' };
  const [which, number] = story.part ?? [];
  const address = number === undefined ? undefined : at(desired.resources, number)?.address;
  if (which !== undefined && address !== undefined) {
    const selection = { targets: [], excludes: [], [which]: [address] };
    await expectWhole(world, desired, { planOptions: { ...planOptions, selection } });
  }
  return expectWhole(world, desired, { planOptions });
}

const runs = countRuns(1_000, { short: 8, ci: 50 });

test(`${runs} plans without errors apply`, { timeout: 1_800_000 }, async () => {
  let applied = 0;
  const property = fc.asyncProperty(anyStory, async (story) => {
    const world = await World.open();
    try {
      const others = await openOthers(world);
      await expectApplied(world, writeFirst(story));
      await actByHand(world, story.byHand, others);
      const desired = writeSecond(story, world.store.state);
      if (story.lost) await world.loseState();
      if ((await applySecond(world, desired, story)) === 'refused') return;
      applied += 1;
      const settled = { ...desired, moved: [], removed: [], imports: [] };
      const planOptions = { adoptsAll: story.lost === 'adopt' };
      // What is imported as it is changes with the next plan.
      const isLater = story.lost === 'import';
      if (isLater && (await expectWhole(world, settled, { planOptions })) === 'refused') return;
      expect(changesOf(await world.plan(settled, 'apply', planOptions))).toEqual([]);
      const ours = new Set([...world.store.state.resources.values()].map(({ id }) => id));
      const before = await world.readAccount();
      if ((await expectWhole(world, settled, { mode: 'destroy' })) === 'refused') return;
      const after = new Set((await world.readAccount()).map(({ id }) => id));
      expect([...others].filter((id) => !after.has(id))).toEqual([]);
      expect(before.filter(({ id }) => ours.has(id) && after.has(id))).toEqual([]);
    } finally {
      world.sandbox.close();
    }
  });
  await fc.assert(property, { numRuns: runs });
  // One example, which is asked for, says nothing of the others.
  if (readBudget().path === undefined) expect(applied).toBeGreaterThan(runs < 12 ? 0 : runs / 3);
});
