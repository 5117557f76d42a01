// One run after another, each killed at a later point and gone on with.
import { expect } from 'vitest';
import type { DesiredGraph } from '../../src/model/resource.ts';
import { describeFailures, findViolations, type RunOptions, type World } from './world.ts';

/** A run that is to be killed. */
export interface KilledRun {
  /** The service and the state as that run finds them. */
  readonly open: () => Promise<World>;
  readonly desired: DesiredGraph;
  readonly options?: RunOptions;
  /** The first point; 1 unless given. */
  readonly from?: number;
  /** How far the points lie apart; 1 unless given. */
  readonly step?: number;
  /** Where the points end; with the run unless given. */
  readonly to?: number;
  /** Goes on after a kill: applies again, and judges the account, unless given. @returns what is wrong then */
  readonly goOn?: (world: World, killAt: number) => Promise<readonly string[]>;
}

/** Kills a run at its points until it comes to its end, and expects nothing wrong after any. @returns how many there were */
export async function killEverywhere(run: KilledRun): Promise<number> {
  const { from = 1, step = 1, to = Infinity, goOn = applyAgain(run) } = run;
  const faults: string[] = [];
  let points = 0;
  for (let killAt = from; killAt < to; killAt += step) {
    const world = await run.open();
    const { kind } = await world.apply(run.desired, { ...run.options, killAt });
    if (kind !== 'killed') break;
    points += 1;
    try {
      faults.push(...(await goOn(world, killAt)).map((fault) => `killed at ${killAt}: ${fault}`));
    } catch (error) {
      throw new Error(`killed at ${killAt}`, { cause: error });
    }
  }
  expect(faults).toEqual([]);
  return points;
}

function applyAgain({ desired, options }: KilledRun) {
  return async (world: World): Promise<readonly string[]> => {
    const failures = describeFailures(await world.apply(desired, options));
    await world.settle();
    return [...failures, ...(await findViolations(world, desired))];
  };
}
