// What flags and blocks ask for beside the resources themselves: whatever is wished, the service takes the plan.
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { compareResourceAddresses, type ResourceAddress } from '../../src/model/address.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { quotaNames } from '../../src/model/account/live.ts';
import { noPlanOptions } from '../../src/model/plan/plan.ts';
import { anyConfig } from '../support/arbitrary.ts';
import { changeLines, checkedPlanOf, rearrangedWorld, taskLines } from '../support/plan-lines.ts';
import { applyPlan } from '../support/simulate.ts';
import { anyStory, tell } from '../support/story.ts';
import { afterApply, type World } from '../support/world.ts';
import { countRuns } from '../support/budget/budget.ts';

const draws = fc.infiniteStream(fc.nat({ max: 10_000 }));
const pickBy = (stream: Iterator<number>) => (count: number) =>
  (stream.next().value as number) % count;

/** Every address that a plan could be about. */
function addressesOf({ desired, state }: World): ResourceAddress[] {
  const wanted = desired.resources.map(({ address }) => address);
  return [...new Set([...wanted, ...state.resources.keys()])].sort(compareResourceAddresses);
}

const some = (addresses: readonly ResourceAddress[], picks: readonly number[]) =>
  addresses.length === 0 ? [] : picks.map((pick) => addresses[pick % addresses.length] ?? '');

/** Applies the plan of a world, unless the checks refuse it. */
function applyChecked(world: World, stream: Iterator<number>): World | undefined {
  const plan = checkedPlanOf(world);
  if (hasErrors(plan.findings)) return undefined;
  return applyPlan(rearrangedWorld(world), plan, pickBy(stream));
}

describe('a plan that the checks pass', () => {
  test.prop([anyStory, fc.array(fc.nat({ max: 100 }), { minLength: 7, maxLength: 7 }), draws], {
    numRuns: countRuns(120),
  })('never meets a quota, in whatever order its tasks run', (story, shares, stream) => {
    const world = tell(story);
    const { quotas } = checkedPlanOf(world);
    // Anything from below what is used to more than all at once.
    const tight = quotas.map(({ name, used, unordered }) => {
      const share = shares[quotaNames.indexOf(name)] ?? 0;
      const limit = Math.floor((unordered * (share + 30)) / 100);
      return [name, { limit, used, remaining: Math.max(0, limit - used) }] as const;
    });
    const limits = { ...world.live.limits, quotas: Object.fromEntries(tight) };
    const done = applyChecked({ ...world, live: { ...world.live, limits } }, stream);
    fc.pre(done !== undefined);
  });

  test.prop(
    [anyStory, fc.array(fc.nat(), { maxLength: 2 }), fc.array(fc.nat(), { maxLength: 2 }), draws],
    { numRuns: countRuns(120) },
  )('of a part needs nothing of the rest', (story, targets, excludes, stream) => {
    const world = tell(story);
    const all = addressesOf(world);
    const selection = { targets: some(all, targets), excludes: some(all, excludes) };
    const part = applyChecked({ ...world, planOptions: { ...noPlanOptions, selection } }, stream);
    fc.pre(part !== undefined);
    // And the rest can be done afterwards.
    const whole = applyChecked({ ...part, planOptions: noPlanOptions }, stream);
    if (whole) expect(changeLines(checkedPlanOf(whole))).toEqual([]);
  });

  test.prop([anyStory, fc.array(fc.nat(), { maxLength: 3 }), draws])(
    'replaces what it is asked to',
    (story, picks, stream) => {
      const world = tell(story);
      const replace = some(addressesOf(world), picks);
      const done = applyChecked({ ...world, planOptions: { ...noPlanOptions, replace } }, stream);
      fc.pre(done !== undefined);
      expect(taskLines(checkedPlanOf({ ...done, planOptions: noPlanOptions }))).toEqual([]);
    },
  );
});

test.prop([anyConfig])(
  'a lost state is no disaster: with --adopt the plan is imports alone',
  (config) => {
    const world = afterApply(config);
    const state = { ...world.state, resources: new Map() };
    const plan = checkedPlanOf({
      ...world,
      state,
      planOptions: { ...noPlanOptions, adoptsAll: true },
    });
    expect(changeLines(plan)).toEqual([]);
    expect(plan.changes.every(({ isImported }) => isImported === true)).toBe(true);
  },
);

test.prop([anyStory, fc.array(fc.nat(), { maxLength: 3 }), draws])(
  'an exclusive project ends with what is configured and nothing else',
  (story, picks, stream) => {
    const world = tell(story);
    const exclusive = world.desired.resources
      .filter(({ kind }) => kind === 'project')
      .map(({ address }) => address);
    const all = addressesOf(world);
    // Of what stays in exclusive projects; a project that goes is in the way of what is not ours.
    const leaves = all.filter(
      (one) =>
        !all.some((other) => other.startsWith(`${one}.`)) &&
        exclusive.some((project) => one.startsWith(`${project}.`)),
    );
    const forgotten = new Set(some(leaves, picks));
    const resources = new Map(
      [...world.state.resources].filter(([address]) => !forgotten.has(address)),
    );
    const state = { ...world.state, resources };
    const desired = { ...world.desired, exclusive };
    const done = applyChecked({ ...world, desired, state }, stream);
    fc.pre(done !== undefined);
    const ours = [...done.state.resources.values()].flatMap((one) => [
      one.id,
      one.allocatedPublicIpId,
    ]);
    expect(done.live.resources.filter(({ id }) => !ours.includes(id))).toEqual([]);
  },
);
