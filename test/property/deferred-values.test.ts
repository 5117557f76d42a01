import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { hasErrors, type Finding } from '../../src/model/diagnostic.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { readDeferred } from '../support/defer.ts';
import { changeLines, checkedPlanOf, findingLine, taskLines } from '../support/plan-lines.ts';
import { applyPlan } from '../support/simulate.ts';
import { anyRoughStory, anyStory, tell } from '../support/story.ts';
import type { World } from '../support/world.ts';
import { countRuns } from '../support/budget/budget.ts';

const draws = fc.infiniteStream(fc.nat({ max: 10_000 }));
const pickBy = (stream: Iterator<number>) => (count: number) =>
  (stream.next().value as number) % count;

const index = fc.nat({ max: 40 });
const anyReads = fc.array(fc.tuple(index, index, index), { minLength: 1, maxLength: 8 });

/** How far each quota is from what the end of the plan needs. */
const anySlack = fc.constantFrom(0, 0, 1, 2);

/** The account with quotas that leave just so much room, and never less than it holds. */
function withQuotas(world: World, { quotas }: Plan, slack: number): World {
  const limits = quotas.map(({ name, used, after }) => {
    const limit = Math.max(used, after) + slack;
    return [name, { limit, used, remaining: limit - used }] as const;
  });
  const { live } = world;
  const all = { ...live.limits.quotas, ...Object.fromEntries(limits) };
  return { ...world, live: { ...live, limits: { ...live.limits, quotas: all } } };
}

/** Of a size that is not known yet nothing is proved, and the plan says so. */
const isUnproved = ({ code }: Finding) => code === 'size-known-on-apply';

describe('deferred values', () => {
  test.prop([anyStory, anyReads, fc.boolean(), draws], { numRuns: countRuns(150) })(
    'leave nothing to do once they are applied, in whatever order the tasks allow',
    (story, reads, turnsProjects, stream) => {
      const world = readDeferred(tell(story), reads, turnsProjects);
      const plan = checkedPlanOf(world);
      fc.pre(!hasErrors(plan.findings));
      const after = checkedPlanOf(applyPlan(world, plan, pickBy(stream)));
      expect(changeLines(after)).toEqual([]);
      expect(taskLines(after)).toEqual([]);
    },
  );

  test.prop([anyStory, anyReads, fc.boolean(), anySlack, draws], { numRuns: countRuns(100) })(
    'are applied within exactly the quotas that the checks passed, in whatever order the tasks allow',
    (story, reads, turnsProjects, slack, stream) => {
      const world = readDeferred(tell(story), reads, turnsProjects);
      const tight = withQuotas(world, checkedPlanOf(world), slack);
      const plan = checkedPlanOf(tight);
      fc.pre(!hasErrors(plan.findings) && !plan.findings.some(isUnproved));
      applyPlan(tight, plan, pickBy(stream));
    },
  );

  test.prop([anyRoughStory, anyReads, fc.boolean()], { numRuns: countRuns(150) })(
    'never let tasks wait in a circle, and are planned alike whatever the order of the configuration',
    (story, reads, turnsProjects) => {
      const world = readDeferred(tell(story), reads, turnsProjects);
      const plan = checkedPlanOf(world);
      const seen = new Set<string>();
      for (const { id, dependsOn } of plan.tasks) {
        expect(dependsOn.filter(({ on }) => !seen.has(on))).toEqual([]);
        seen.add(id);
      }
      const { resources } = world.desired;
      const turned = { ...world, desired: { ...world.desired, resources: resources.toReversed() } };
      const again = checkedPlanOf(turned);
      expect(again.findings.map(findingLine)).toEqual(plan.findings.map(findingLine));
      expect(again).toEqual(plan);
    },
  );
});
