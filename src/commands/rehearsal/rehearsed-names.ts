import type { PlanWithSources } from '../../engine/make-plan.ts';
import { findVmConfiguration } from '../../kinds/catalog.ts';
import { findBlockAddress, type ResourceAddress } from '../../model/address.ts';
import { getLiveName } from '../../model/account/live.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { RehearsedNames, RehearsedResource } from '../../sandbox/faults/refuse-absent.ts';

/** Lists what a rehearsal of a plan has: the account as it was read, and what the configuration makes of it. */
export function listRehearsedNames({ live, order: { desired } }: PlanWithSources): RehearsedNames {
  const copied = [...live.projects, ...live.resources].map((one): RehearsedResource => {
    return { kind: one.kind, name: getLiveName(one), values: listValues(one) };
  });
  const wanted = desired.resources.map(({ kind, attributes }): RehearsedResource => {
    const { name } = attributes;
    const values = listValues(attributes);
    return { kind, name: typeof name === 'string' ? name : undefined, values };
  });
  const unknown = desired.resources.filter(({ deferred = {} }) => Object.keys(deferred).length > 0);
  const sizes = desired.resources.flatMap(({ attributes: { configuration } }) =>
    configuration === undefined ? [] : findVmConfiguration(live.catalog, configuration),
  );
  const isOrderKnown = unknown.every(({ deferred }) => deferred?.configuration === undefined);
  return {
    resources: [...copied, ...wanted],
    open: new Set(unknown.map(({ kind }) => kind)),
    orderedSizes: isOrderKnown ? sizes.filter((size) => size !== undefined) : undefined,
    probed: listProbedAddresses(desired),
  };
}

const listValues = (record: object): ReadonlySet<string> =>
  new Set(
    Object.values(record)
      .filter((value) => value !== null)
      .map(String),
  );

/** Lists addresses of VMs with probes, and of their blocks. */
export const listProbedAddresses = ({ resources }: DesiredGraph): ReadonlySet<ResourceAddress> =>
  new Set(
    resources.flatMap(({ address, rollout }) =>
      rollout?.ready === undefined ? [] : [address, findBlockAddress(address)],
    ),
  );
