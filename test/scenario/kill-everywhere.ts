// One run after another, each killed at a later point and gone on with.
import type { DesiredGraph } from '../../src/model/resource.ts';
import { walkPoints, type PointRange } from '../support/budget/walk-points.ts';
import { describeFailures, findViolations, type RunOptions, type World } from './world.ts';

/** A run that is to be killed. */
export interface KilledRun extends PointRange {
  /** The service and the state as that run finds them. */
  readonly open: () => Promise<World>;
  readonly desired: DesiredGraph;
  readonly options?: RunOptions;
  /** Goes on after a kill: applies again, and judges the account, unless given. @returns what is wrong then */
  readonly goOn?: (world: World, killAt: number) => Promise<readonly string[]>;
}

/** Kills a run at its points, and expects nothing wrong after any. @returns how many points there are */
export function killEverywhere(run: KilledRun): Promise<number> {
  const { goOn = applyAgain(run) } = run;
  return walkPoints(run, async (killAt) => {
    const world = await run.open();
    try {
      const end = await world.apply(run.desired, { ...run.options, killAt });
      if (end.kind !== 'killed') return { kind: 'past', last: end.steps };
      return { kind: 'tried', faults: await goOn(world, killAt) };
    } finally {
      world.sandbox.close();
    }
  });
}

function applyAgain({ desired, options }: KilledRun) {
  return async (world: World): Promise<readonly string[]> => {
    const failures = describeFailures(await world.apply(desired, options));
    await world.settle();
    return [...failures, ...(await findViolations(world, desired))];
  };
}
