import { checkChangesDuringApply } from '../../src/checks/deferred-values.ts';
import type { ResourceAddress } from '../../src/model/address.ts';
import type { KnownResource } from '../../src/model/deferred.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import { indexPlannedClaims } from '../../src/plan/deferred/claims.ts';
import { findResourceAfterChange } from '../../src/plan/values/known-resource.ts';
import {
  resolveDeferredChange,
  type DeferredChangeResolution,
} from '../../src/plan/deferred/resolve-change.ts';
import type { World } from './world.ts';

/** What a deferred change of the plan for a world comes to, and is checked as, with resources known as `know` has them. */
export function resolveWith(
  world: World,
  address: ResourceAddress,
  know: (planned: KnownResource, address: ResourceAddress) => KnownResource,
  isGone = false,
): DeferredChangeResolution {
  const { plan, desired } = buildPlan(world);
  const { live, state } = world;
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const change = changes.get(address);
  const deferred = plan.deferred?.find((one) => one.address === address);
  if (!change || !deferred) throw new Error(`${address} has no deferred values`);
  const resolution = resolveDeferredChange(change, deferred, {
    addresses: changes.keys(),
    read: (other) => {
      const found = changes.get(other);
      const known = found && findResourceAfterChange(found);
      return known && know(known, other);
    },
    claims: indexPlannedClaims(plan.changes),
    catalog: live.catalog,
    live: new Map([...live.projects, ...live.resources].map((one) => [one.id, one])),
    isGone,
  });
  if (resolution.kind !== 'known') return resolution;
  const check = checkChangesDuringApply({ plan, desired, live, state }, () => undefined);
  const findings = check(resolution.change);
  return findings.length > 0 ? { kind: 'fault', findings } : resolution;
}
