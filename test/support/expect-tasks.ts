import { expect } from 'vitest';
import { planOf, taskLines } from './plan-lines.ts';
import { applyPlan } from './simulate.ts';
import type { World } from './world.ts';

/**
 * Expects exactly these tasks of the plan for a world. The lines say what we want; the service in small says whether
 * it would take it, and whether nothing is left to do.
 */
export function expectTasks(world: World, lines: readonly string[]): void {
  const plan = planOf(world);
  expect(taskLines(plan)).toEqual(lines);
  expect(taskLines(planOf(applyPlan(world, plan)))).toEqual([]);
}
