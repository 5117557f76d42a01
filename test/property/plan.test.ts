import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { InternalError } from '../../src/model/errors.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { anyConfig, anyStory, tell } from '../support/arbitrary.ts';
import { changeLines, checkedPlanOf, taskLines } from '../support/plan-lines.ts';
import { applyPlan } from '../support/simulate.ts';
import { afterApply, destroyAll, makeWorld, reconfigure } from '../support/world.ts';

const seeds = fc.infiniteStream(fc.nat({ max: 1000 }));
const pickBy = (stream: Iterator<number>) => (count: number) =>
  (stream.next().value as number) % count;

describe('a plan', () => {
  test.prop([anyConfig])('of what was applied and not touched is empty', (config) => {
    const plan = checkedPlanOf(afterApply(config));
    expect(changeLines(plan)).toEqual([]);
    expect(taskLines(plan)).toEqual([]);
  });

  test.prop([anyConfig, seeds])('from nothing, applied in any order, is empty', (config, stream) => {
    const empty = makeWorld({ config });
    const done = applyPlan(empty, checkedPlanOf(empty), pickBy(stream));
    expect(changeLines(checkedPlanOf(done))).toEqual([]);
  });

  test.prop([anyStory, seeds], { numRuns: 400 })('applied in any order is empty', (story, stream) => {
    const world = tell(story);
    const plan = checkedPlanOf(world);
    fc.pre(!hasErrors(plan.findings));
    const done = applyPlan(world, plan, pickBy(stream));
    const next = checkedPlanOf(done);
    expect(changeLines(next)).toEqual([]);
    expect(taskLines(next)).toEqual([]);
  });
});
