// A plan of a world, rehearsed, and then applied there: what was foretold, and what came of it.
import { rehearsePlan, type RehearsalOptions } from '../../../src/commands/rehearsal/rehearse.ts';
import type { PlanWithSources } from '../../../src/engine/make-plan.ts';
import type { Rehearsal } from '../../../src/model/plan/rehearsal.ts';
import type { State } from '../../../src/model/state/state.ts';
import { serviceName, type RunEnd, type World } from '../world.ts';

const parallelism = 10;

/** What a rehearsal begins from. */
export interface Start {
  readonly state: State;
  readonly now: number;
}

/** Where a world is at the moment: a plan that is made now can be rehearsed from there once the world has moved on. */
export function markStart({ store, time }: World): Start {
  // A run writes into its state as it goes.
  return { state: structuredClone(store.state), now: time.now() };
}

/** Rehearses a plan as `plan --rehearse` does in a world. Undefined where there is nothing to rehearse. */
export const rehearseIn = (
  world: World,
  planned: PlanWithSources,
  wish: Partial<RehearsalOptions> = {},
  { state, now }: Start = { state: world.store.state, now: world.time.now() },
): Promise<Rehearsal | undefined> =>
  rehearsePlan(
    planned,
    { ...{ state, now, parallelism }, service: serviceName, pace: { maxConnections: 128 } },
    { times: 1, ...wish },
  );

/** How long a rehearsal says that an apply takes, in milliseconds. */
export const lengthOf = ({ timeline: { startedAt, endedAt } }: Rehearsal): number =>
  endedAt - startedAt;

/** How the changes of a plan ended, by address, as far as that depends on no chance. */
export type Ends = Readonly<Record<string, string>>;

/**
 * What was left since something else failed is the same whether it was in the middle by then or not begun; of a failure,
 * the code tells.
 */
const leftCode = 'needed-failed';

/** As a rehearsal foretells them: what came about is not named. */
export function foretell({ failures, skipped }: Rehearsal): Ends {
  const failed = failures.map(({ address, diagnostic: { code } }) => [
    address,
    code === leftCode ? 'left' : code,
  ]);
  return Object.fromEntries([...failed, ...skipped.map((address) => [address, 'left'])]) as Ends;
}

/** As an apply tells them. */
export function tellEnds(end: RunEnd): Ends {
  if (end.kind !== 'ended') return { '': end.kind };
  const ends = end.summary.changes.flatMap(({ address, result }): (readonly [string, string])[] => {
    if (result.kind === 'applied') return [];
    const code = 'diagnostic' in result ? result.diagnostic.code : leftCode;
    return [[address, code === leftCode ? 'left' : code]];
  });
  return Object.fromEntries(ends);
}
