import type { PlanWithSources } from '../../engine/make-plan.ts';
import { findVmConfiguration } from '../../kinds/catalog.ts';
import { findBlockAddress, type ResourceAddress } from '../../model/address.ts';
import { getLiveName } from '../../model/account/live.ts';
import type { DesiredGraph } from '../../model/resource.ts';
import type { RehearsedNames, RehearsedResource } from '../../sandbox/faults/refuse-absent.ts';

/**
 * Lists the resources, names and values that a fault script of a rehearsal may refer to: those of the account as it was read, and
 * those that the configuration creates.
 */
export function listFaultScriptTargets({
  live,
  order: { desired },
}: PlanWithSources): RehearsedNames {
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
    probed: listProbedVmAddresses(desired),
  };
}

const listValues = (record: object): ReadonlySet<string> =>
  new Set(
    Object.values(record)
      .filter((value) => value !== null)
      .map(String),
  );

/** Resource addresses of the VMs that have probes, and of their blocks. */
export const listProbedVmAddresses = ({ resources }: DesiredGraph): ReadonlySet<ResourceAddress> =>
  new Set(
    resources.flatMap(({ address, rollout }) =>
      rollout?.ready === undefined ? [] : [address, findBlockAddress(address)],
    ),
  );
