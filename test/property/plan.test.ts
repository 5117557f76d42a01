import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { hasErrors } from '../../src/model/diagnostic.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { anyConfig } from '../support/arbitrary.ts';
import { changeLines, checkedPlanOf, findingLine, taskLines } from '../support/plan-lines.ts';
import { applyPlan } from '../support/simulate.ts';
import { anyRoughStory, anyStory, tell } from '../support/story.ts';
import { afterApply, destroyAll, makeWorld, type World } from '../support/world.ts';
import { countRuns } from '../support/budget/budget.ts';

/** Numbers without an end, to draw orders from. */
const draws = fc.infiniteStream(fc.nat({ max: 10_000 }));
const pickBy = (stream: Iterator<number>) => (count: number) =>
  (stream.next().value as number) % count;

function expectNothingToDo(world: World): void {
  const plan = checkedPlanOf(world);
  expect(changeLines(plan)).toEqual([]);
  expect(taskLines(plan)).toEqual([]);
}

describe('a plan is empty', () => {
  test.prop([anyConfig])('for what was applied and not touched since', (config) => {
    expectNothingToDo(afterApply(config));
  });

  test.prop([anyConfig, draws])('after it was applied to an empty account', (config, stream) => {
    const empty = makeWorld({ config });
    expectNothingToDo(applyPlan(empty, checkedPlanOf(empty), pickBy(stream)));
  });

  test.prop([anyStory, draws], { numRuns: countRuns(200) })(
    'after it was applied, in whatever order its tasks allow',
    (story, stream) => {
      const world = tell(story);
      const plan = checkedPlanOf(world);
      fc.pre(!hasErrors(plan.findings));
      expectNothingToDo(applyPlan(world, plan, pickBy(stream)));
    },
  );

  test.prop([anyStory, draws])('after everything was destroyed', (story, stream) => {
    const world = destroyAll(tell(story));
    const done = applyPlan(world, checkedPlanOf(world), pickBy(stream));
    expectNothingToDo(done);
    expect([...done.live.projects, ...done.live.resources]).toEqual([]);
    expect([...done.state.resources]).toEqual([]);
  });
});

describe('a plan is the same', () => {
  /** The same items in an order of their own. */
  const shuffle = <T>(items: readonly T[], stream: Iterator<number>): T[] =>
    items
      .map((item) => ({ item, at: stream.next().value as number }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);

  function shuffleWorld({ mode, desired, live, state }: World, stream: Iterator<number>): World {
    const { catalog } = live;
    return {
      mode,
      desired: { resources: shuffle(desired.resources, stream) },
      live: {
        ...live,
        projects: shuffle(live.projects, stream),
        resources: shuffle(live.resources, stream),
        readProjectIds: shuffle(live.readProjectIds, stream),
        catalog: {
          configurations: shuffle(catalog.configurations, stream),
          images: shuffle(catalog.images, stream),
          tariffs: shuffle(catalog.tariffs, stream),
        },
      },
      state: { ...state, resources: new Map(shuffle([...state.resources], stream)) },
    };
  }

  test.prop([anyRoughStory, draws], { numRuns: countRuns(150) })(
    'whatever the order of what it is made from',
    (story, stream) => {
      const world = tell(story);
      const plan = checkedPlanOf(world);
      const shuffled = checkedPlanOf(shuffleWorld(world, stream));
      expect(shuffled.findings.map(findingLine)).toEqual(plan.findings.map(findingLine));
      expect(shuffled).toEqual(plan);
    },
  );
});

describe('the tasks of a plan', () => {
  function listDisorder({ tasks, changes }: Plan): string[] {
    const seen = new Set<string>();
    const early = tasks.flatMap(({ id, dependsOn }) => {
      const missing = dependsOn.map(({ on }) => on).filter((one) => !seen.has(one));
      const faults = missing.map((one) => `${id} stands before ${one}`);
      if (seen.has(id)) faults.push(`${id} is in one map twice`);
      seen.add(id);
      return faults;
    });
    const addresses = new Set(tasks.map(({ address }) => address));
    const idle = changes.filter(
      ({ action, address }) => action !== 'no-op' && !addresses.has(address),
    );
    return [...early, ...idle.map(({ address }) => `${address} has no task`)];
  }

  test.prop([anyStory], { numRuns: countRuns(150) })(
    'destroy nothing before its successor stands, where that is asked for, and all that reads it has switched over',
    (story) => {
      const { changes, tasks } = checkedPlanOf(tell(story));
      const first = changes.filter(({ isCreatedFirst }) => isCreatedFirst);
      const order = tasks.map(({ id }) => id);
      const early = first.flatMap(({ address, id }) => {
        const destroyAt = order.indexOf(`${address}#destroy`);
        const readers = changes
          .filter(({ kind, before }) => kind === 'portForward' && before?.vm === `id:${id}`)
          .map((reader) => reader.address);
        return [address, ...readers].filter((one) => order.indexOf(`${one}#apply`) > destroyAt);
      });
      expect(early).toEqual([]);
    },
  );

  // A circle would be an InternalError.
  test.prop([anyRoughStory], { numRuns: countRuns(300) })(
    'stand behind what they wait for, each once, and never wait in a cycle',
    (story) => {
      expect(listDisorder(checkedPlanOf(tell(story)))).toEqual([]);
    },
  );
});
