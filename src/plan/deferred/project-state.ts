// The configured resources as they will stand once a plan is applied, and as they do after it was.
import { completeAttributes, listAttributes } from '../../kinds/attribute-names.ts';
import type { Address } from '../../model/address.ts';
import { sensitiveAfter, type Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { Standing } from '../../model/state/projected-state.ts';
import type { State } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';

function stand(
  { address, kind, sensitive = [] }: DesiredResource,
  values: Attributes,
  unknown: readonly string[] = [],
): Standing {
  const names = listAttributes(kind);
  return { address, names, values: completeAttributes(kind, values), unknown, sensitive };
}

function miss({ address, kind, sensitive = [] }: DesiredResource): Standing {
  const names = listAttributes(kind);
  return { address, names, values: {}, unknown: names, sensitive, isMissing: true };
}

/** What an expression read may have made more of a resource sensitive than its configuration tells by itself. */
function withSensitive(
  resource: DesiredResource,
  change: Pick<Change, 'sensitive' | 'noLongerSensitive'> | undefined,
): DesiredResource {
  return change ? { ...resource, sensitive: sensitiveAfter(change) } : resource;
}

/** What will stand. `changes` are those of the plan; `others` those that it leaves out: these stay as they are. */
export function standAfterPlan(
  desired: readonly DesiredResource[],
  changes: ReadonlyMap<Address, Change>,
  others: ReadonlyMap<Address, Change>,
): Standing[] {
  return desired.map((wanted) => {
    const change = changes.get(wanted.address);
    const resource = withSensitive(wanted, change ?? others.get(wanted.address));
    if (change?.after) return stand(resource, change.after, change.unknown);
    const before = others.get(resource.address)?.before;
    return before ? stand(resource, before) : miss(resource);
  });
}

/** What stands by the state. `undone` are addresses whose change went wrong: nothing is sure about them. */
export function standByState(
  desired: readonly DesiredResource[],
  state: State,
  undone: ReadonlySet<Address> = new Set(),
  changes: ReadonlyMap<Address, Change> = new Map(),
): Standing[] {
  return desired.map((wanted) => {
    const resource = withSensitive(wanted, changes.get(wanted.address));
    const managed = state.resources.get(resource.address);
    if (!managed || undone.has(resource.address)) return miss(resource);
    return stand(resource, managed.attributes);
  });
}
