// A plan has seven forms. Whoever reads one of them has to find what the readers of the others find.
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { ProjectConfig } from '../support/desired.ts';
import { expectOneStory } from '../support/expect-one-story.ts';
import { checkedPlanOf } from '../support/plan-lines.ts';
import { anyRoughStory, tell } from '../support/story.ts';
import { editProject, lose, touch } from '../support/world.ts';
import { countRuns } from '../support/budget/budget.ts';

/** Many VMs of one resource, mostly alike: some of them are shown as one. */
const anyFarm: fc.Arbitrary<ProjectConfig> = fc
  .record({
    keys: fc.uniqueArray(fc.oneof(fc.nat({ max: 14 }), fc.constantFrom('"a"', '"b"', '"c"')), {
      maxLength: 14,
    }),
    images: fc.array(fc.constantFrom('ubuntu-24.04', 'ubuntu-24.04', 'debian-12'), {
      minLength: 14,
      maxLength: 14,
    }),
    power: fc.constantFrom('running' as const, 'stopped' as const),
  })
  .map(({ keys, images, power }) => ({
    networks: { lan: {} },
    vms: Object.fromEntries(
      keys.map((key, index) => [
        `web[${key}]`,
        {
          ...{ name: `web-${String(key).replaceAll('"', '')}`, configuration: 'c1-r1-d20', power },
          image: images[index] ?? 'debian-12',
        },
      ]),
    ),
  }));

describe('every form of a plan says the same', () => {
  test.prop([anyRoughStory, fc.boolean()], { numRuns: countRuns(150) })(
    'counts, addresses with their actions, and findings',
    (story, isRefresh) => {
      const world = tell(story);
      expectOneStory(checkedPlanOf(isRefresh ? { ...world, mode: 'refresh' } : world));
    },
  );

  test.prop(
    [anyFarm, anyFarm, fc.constantFrom('apply', 'destroy', 'refresh'), fc.nat({ max: 9 })],
    { numRuns: countRuns(150) },
  )('of many that are alike', (before, after, mode, touched) => {
    const world = editProject(before, after);
    const addresses = [...world.state.resources.keys()].filter((one) => one.includes('.vms.'));
    const changed = addresses
      .slice(0, touched)
      .reduce((sum, address) => touch(sum, address, { name: 'by-hand' }), world);
    const lost = addresses
      .slice(-touched)
      .slice(0, 5)
      .reduce((sum, one) => lose(sum, one), changed);
    expectOneStory(checkedPlanOf({ ...(touched % 2 === 0 ? lost : changed), mode }));
  });
});
