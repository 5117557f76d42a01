// A plan without errors applies: whatever is configured, edited, ignored, moved, given up and done by hand.
import { fc } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/registry.ts';
import type { LiveResource } from '../../src/model/account/live.ts';
import { parseAddress } from '../../src/model/address.ts';
import type { DesiredGraph, DesiredResource, MovedEntry } from '../../src/model/resource.ts';
import type { State } from '../../src/model/state/state.ts';
import { anyConfig } from '../support/arbitrary.ts';
import { countRuns } from '../support/budget/budget.ts';
import { makeDesired, type Config } from '../support/desired.ts';
import { editConfig, editNames, type DrawnEdit } from '../support/edits.ts';
import { deletionOf, renamingOf } from './simulation/console-requests.ts';
import { describeFailures, World } from './world.ts';

/** What is done, in few words: a counterexample is read. */
interface Story {
  readonly before: Config;
  readonly edits: readonly DrawnEdit[];
  /** Resources of the second configuration by number, with fields that their `ignoreChanges` name, by number. */
  readonly ignored: readonly (readonly [resource: number, field: number])[];
  /** Resources that are created before they are destroyed, and such that are replaced when another changes. */
  readonly createdFirst: readonly number[];
  readonly triggered: readonly (readonly [resource: number, by: number])[];
  /** `exclusive`: whatever nobody configures in the projects is destroyed; `lost`: the state is, and the account adopted. */
  readonly way: 'plain' | 'exclusive' | 'lost';
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
  way: fc.constantFrom('plain', 'exclusive', 'lost'),
  moved: fc.array(fc.tuple(index, index), few),
  given: fc.array(index, { maxLength: 2 }),
  byHand: fc.array(fc.tuple(fc.constantFrom('delete' as const, 'rename' as const), index), few),
});

const at = <T>(items: readonly T[], number: number): T | undefined =>
  items.length === 0 ? undefined : items[number % items.length];

const source = { file: 'main.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 };

/** The second configuration, with what a person has written beside it. */
function writeSecond(story: Story, { resources: managed }: State): DesiredGraph {
  const graph = makeDesired(editConfig(story.before, story.edits));
  const resources = giveLifecycles(graph.resources, story);
  const wanted = new Set(resources.map(({ address }) => address));
  const left = [...managed.keys()].filter((address) => !wanted.has(address)).sort();
  const came = resources.filter(({ address }) => !managed.has(address));
  const taken = new Set<string>();
  const moved = story.moved.flatMap(([a, b]): MovedEntry[] => {
    const from = at(left, a);
    const kind = from === undefined ? undefined : parseAddress(from)?.kind;
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
    moved,
    removed,
    ...(story.way === 'exclusive' && { exclusive: projects }),
  };
}

/** The resources, each with the lifecycle that the story gives it. */
function giveLifecycles(
  resources: readonly DesiredResource[],
  { ignored, createdFirst, triggered }: Story,
): readonly DesiredResource[] {
  const ones = resources.filter(({ kind }) => kind !== 'project');
  const first = new Set(createdFirst.map((number) => at(ones, number)));
  return resources.map((one) => {
    const fields = Object.keys(kinds[one.kind].fields);
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
async function actByHand(world: World, acts: Story['byHand']): Promise<void> {
  for (const [act, number] of acts) {
    const one: LiveResource | undefined = at(await world.readAccount(), number);
    if (!one || one.kind === 'project') continue;
    const request = act === 'delete' ? deletionOf(one) : renamingOf(one, `by-hand-${number}`);
    if (!request) continue;
    await world.time.run(world.connect().call(request)).catch(() => undefined);
    await world.settle();
  }
}

const runs = countRuns(1_000, 40);

test(`${runs} plans without errors apply`, { timeout: 1_800_000 }, async () => {
  let applied = 0;
  const property = fc.asyncProperty(anyStory, async (story) => {
    const world = await World.open();
    try {
      expect(describeFailures(await world.apply(makeDesired(story.before)))).toEqual([]);
      await actByHand(world, story.byHand);
      const desired = writeSecond(story, world.store.state);
      if (story.way === 'lost') await world.loseState();
      const planOptions = { adoptsAll: story.way === 'lost' };
      const end = await world.apply(desired, { planOptions });
      // What a plan refuses is not applied.
      if (end.kind === 'refused') return;
      applied += 1;
      expect(describeFailures(end)).toEqual([]);
      const settled = { ...desired, moved: [], removed: [] };
      const next = await world.plan(settled, 'apply', planOptions);
      const left = next.plan.changes.filter(({ action }) => action !== 'no-op');
      expect(left.map(({ action, address, fields }) => ({ action, address, fields }))).toEqual([]);
    } finally {
      world.sandbox.close();
    }
  });
  await fc.assert(property, { numRuns: runs });
  expect(applied).toBeGreaterThan(runs / 3);
});
