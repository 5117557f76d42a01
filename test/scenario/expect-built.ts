// What most scenarios expect of a run.
import { expect } from 'vitest';
import type { DesiredGraph } from '../../src/model/resource.ts';
import {
  describeFailures,
  findViolations,
  type RunEnd,
  type RunOptions,
  type World,
} from './world.ts';

/** Applies, and expects all changes of the run to come about. */
export async function expectApplied(
  world: World,
  desired: DesiredGraph,
  options: RunOptions = {},
): Promise<RunEnd> {
  const end = await world.apply(desired, options);
  expect(describeFailures(end)).toEqual([]);
  return end;
}

/** The same, and expects the account, the state and the next plan to agree with what is desired. */
export async function expectBuilt(
  world: World,
  desired: DesiredGraph,
  options: RunOptions = {},
): Promise<RunEnd> {
  const end = await expectApplied(world, desired, options);
  expect(await findViolations(world, desired)).toEqual([]);
  return end;
}

/** Lets the service come to its end with everything, and expects that all then agrees with what is desired. */
export async function expectSettled(
  world: World,
  desired: DesiredGraph,
  ms?: number,
): Promise<void> {
  await world.settle(ms);
  expect(await findViolations(world, desired)).toEqual([]);
}
