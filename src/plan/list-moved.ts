import { isDeepStrictEqual } from 'node:util';
import type { ResourceAddress } from '../model/address.ts';
import { formatEntryNameWithId, type Plan } from '../model/plan/plan.ts';
import { isEqual, type Value } from '../model/value.ts';
import {
  compareChanges,
  describeValueDifference,
  mapChangeExecutions,
  type PlanDifference,
} from './compare-changes.ts';

/**
 * Reasons why a saved plan is stale: differences to a new plan by the same options, a line each. Without a line, both plans
 * send the same commands and resolve deferred values alike; their order may differ, since it depends on free quotas. A person
 * approves more of a plan than that: `compareWithApprovedPlan`.
 */
export function listStalePlanReasons(saved: Plan, now: Plan): string[] {
  const before = byAddress(saved.changes);
  const after = byAddress(now.changes);
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((address) =>
    compareChanges(before.get(address), after.get(address)).map(
      ({ words }) => `${address}: ${words}`,
    ),
  );
  return [
    // Changes that differ have other commands, too: these are not listed again.
    ...(changed.length > 0 ? changed : compareExecution(saved, now)),
    ...(now.mode === 'refresh' ? sayDrift(saved, now) : []),
  ];
}

/** The differences in the commands and the deferred values of each change. */
function compareExecution(saved: Plan, now: Plan): string[] {
  const [before, after] = [mapChangeExecutions(saved), mapChangeExecutions(now)];
  const addresses = [...new Set([...before.keys(), ...after.keys()])];
  const compare = (part: 'commands' | 'deferred', difference: string) =>
    addresses.flatMap((address) =>
      isDeepStrictEqual(before.get(address)?.[part], after.get(address)?.[part])
        ? []
        : [`${address}: ${difference}`],
    );
  return [
    ...compare('commands', 'other commands would be sent'),
    ...compare('deferred', 'its deferred values would be resolved otherwise'),
  ];
}

function byAddress<T extends { readonly address: string }>(all: readonly T[]) {
  return new Map(all.map((one) => [one.address, one]));
}

const sayDrift = (saved: Plan, now: Plan) =>
  comparePlanDrift(saved, now).map(({ address, words }) => `${address}: ${words}`);

/** Compares the drift of two plans, which matters for a refresh only. */
export function comparePlanDrift(
  saved: Plan,
  now: Plan,
): readonly (PlanDifference & { readonly address: ResourceAddress })[] {
  const had = byAddress(saved.drift ?? []);
  const has = byAddress(now.drift ?? []);
  return [...new Set([...had.keys(), ...has.keys()])].flatMap((address) => {
    const [was, is] = [had.get(address), has.get(address)];
    if (was && is && isEqual(was.after, is.after)) return [];
    if (!is) return [{ address, words: 'it is as it was last applied' }];
    if (is.after === null) return [{ address, words: 'it is gone' }];
    const { before, after } = is;
    const names = new Set([...is.names, ...(was?.names ?? [])]);
    const old = was ? was.after : before;
    const spell = (name: string, value: Value | undefined) =>
      formatEntryNameWithId({ ...was?.entryNames, ...is.entryNames }, name, value ?? null);
    return [...names]
      .filter((name) => !isEqual(old?.[name] ?? null, after[name] ?? null))
      .map((name) => ({
        ...describeValueDifference(name, spell(name, old?.[name]), spell(name, after[name])),
        address,
      }));
  });
}
