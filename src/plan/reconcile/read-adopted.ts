import { readAttributes } from '../../kinds/read-attributes.ts';
import type { EvaluationBudget } from '../../expressions/values/budget.ts';
import { listAttributes } from '../../kinds/attribute-names.ts';
import type { Address } from '../../model/address.ts';
import type { LiveSnapshot } from '../../model/account/live.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { keepIgnored } from '../values/keep-ignored.ts';
import { readExpressions } from '../values/read-order.ts';

/** The account and the configuration, before anything is decided. */
interface ReadInput {
  readonly desired: Pick<DesiredGraph, 'resources'>;
  readonly live: LiveSnapshot;
  readonly steps?: EvaluationBudget | undefined;
}

/** Values that expressions read before anything is decided: those of live resources behind addresses that are managed by then. */
export function readAdopted(
  { desired, live, steps }: ReadInput,
  ours: ReadonlyMap<Address, ManagedResource>,
): ReturnType<typeof readExpressions> {
  const wanted = new Map(desired.resources.map((one) => [one.address, one]));
  const byId = new Map(
    [...live.projects, ...live.resources].map((one) => [`${one.kind} ${one.id}`, one]),
  );
  const names = { catalog: live.catalog, localKey: () => undefined };
  const knownAt = (address: Address) => {
    const managed = ours.get(address);
    const found = managed && byId.get(`${managed.kind} ${managed.id}`);
    const resource = wanted.get(address);
    if (!resource) return undefined;
    const { kind } = resource;
    const values = found ? readAttributes(found, names, resource.attributes) : {};
    const { attributes } = found ? keepIgnored(resource, values) : resource;
    const all = listAttributes(kind);
    return {
      names: all,
      values: { ...values, ...attributes },
      unknown: found ? [] : all.filter((name) => !(name in attributes)),
    };
  };
  return readExpressions(wanted, knownAt, steps);
}
