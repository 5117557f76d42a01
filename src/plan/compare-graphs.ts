import { isDeepStrictEqual } from 'node:util';
import type { ResourceAddress } from '../model/address.ts';
import type { DesiredGraph } from '../model/resource.ts';
import { removeSourcePlaces } from '../model/source.ts';

/**
 * The differences between two configurations, a line each: `ADDRESS: name, ram`. Both are without sensitive values. Places in
 * files are not compared, nor the results of `data`: expressions have used those already, and their queries are compared
 * elsewhere.
 */
export function compareDesiredGraphs(planned: DesiredGraph, now: DesiredGraph): string[] {
  const [{ resources: was, ...before }, { resources: is, ...after }] = [planned, now];
  const parts = compareFields(before, after).filter((name) => name !== 'data');
  return [...compareResources(was, is), ...parts];
}

type Resources = DesiredGraph['resources'];

function compareResources(planned: Resources, now: Resources): string[] {
  const [was, is] = [byAddress(planned), byAddress(now)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((address) => {
    const [before, after] = [was.get(address), is.get(address)];
    if (!before) return [`${address}: it is not in the plan`];
    if (!after) return [`${address}: it is not in the configuration`];
    const { attributes: had, deferred: expected = {}, ...rest } = before;
    const { attributes: has, deferred = {}, ...others } = after;
    const names = new Set([
      ...compareFields(had, has),
      ...compareFields(expected, deferred),
      ...compareFields(rest, others),
    ]);
    return names.size > 0 ? [`${address}: ${[...names].join(', ')}`] : [];
  });
}

function byAddress(resources: Resources): ReadonlyMap<ResourceAddress, Resources[number]> {
  return new Map(resources.map((one) => [one.address, one]));
}

type Fields = Readonly<Record<string, unknown>>;

/** Lists the names of members in which two objects differ. */
function compareFields(before: object, after: object): string[] {
  const [was, is] = [removeSourcePlaces(before) as Fields, removeSourcePlaces(after) as Fields];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !isDeepStrictEqual(was[name], is[name]),
  );
}
