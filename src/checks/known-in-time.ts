import {
  ReferenceAddressIndex,
  listDeferredReads,
} from '../expressions/deferred/deferred-reads.ts';
import { findPriceField } from '../kinds/price.ts';
import { kindRegistry } from '../kinds/registry.ts';
import type { ResourceAddress } from '../model/address.ts';
import type { DeferredValue, PolicyEntry } from '../model/deferred.ts';
import type { Change, Plan } from '../model/plan/plan.ts';
import type { Dependency, Task } from '../model/plan/task.ts';

/** Tests a reference of a policy, `after.name` or an attribute by its address: is its value known in time? */
export type IsKnownBeforeRequest = (
  policy: PolicyEntry,
  change: Change,
  reference: string,
) => boolean;

/**
 * Makes the test for a value that the plan does not know, but that is known when the first request of a change goes out: a value
 * of resources that the change waits for, or of its own expressions that are evaluated by then.
 */
export function createKnownBeforeRequestTest({
  changes,
  tasks,
  deferred = [],
}: Plan): IsKnownBeforeRequest {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const expressions = new Map(deferred.map((one) => [one.address, one.desired.deferred ?? {}]));
  const book = new ReferenceAddressIndex(byAddress.keys());
  const waits = indexWaits(tasks);
  const isMade = (change: Change, other: ResourceAddress) =>
    waits(change.address).has(`${other}#apply`);
  const areReadsMade = (change: Change, value: DeferredValue) =>
    listDeferredReads(value, book).every(({ address, attribute }) => {
      const { unknown = [] } = byAddress.get(address) ?? {};
      const isOpen = attribute === undefined ? unknown.length > 0 : unknown.includes(attribute);
      return !isOpen || isMade(change, address);
    });
  return (policy, change, reference) => {
    const [root, name = ''] = reference.split('.');
    if (root === 'after') {
      const own = expressions.get(change.address) ?? {};
      const value = own[findOrigin(change, name, Object.keys(own)) ?? ''];
      return value !== undefined && areReadsMade(change, value);
    }
    // Totals of the plan, such as its cost, are known only once all resources are created.
    if (root === 'plan') return false;
    const read = reference.slice(0, reference.lastIndexOf('.'));
    // Any other name is the address of a resource that the policy reads.
    return byAddress.has(read) ? isMade(change, read) : areReadsMade(change, policy.assert);
  };
}

/** The field of a change that gives an attribute: itself, the one that it follows from, or the one that prices it. */
function findOrigin(
  { kind }: Change,
  name: string,
  deferred: readonly string[],
): string | undefined {
  const { fields, computed } = kindRegistry[kind];
  if (name === 'cost') return findPriceField(kind);
  if (deferred.includes(name) || computed.includes(name)) return name;
  return deferred.find((field) => fields[field]?.settles?.includes(name));
}

/** The tasks that have ended before the first command of an address is sent, by their ids. */
function indexWaits(tasks: readonly Task[]): (address: ResourceAddress) => ReadonlySet<string> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const first = new Map<ResourceAddress, Task>();
  for (const task of tasks) if (!first.has(task.address)) first.set(task.address, task);
  const found = new Map<ResourceAddress, ReadonlySet<string>>();
  return (address) => {
    const known = found.get(address);
    if (known) return known;
    const over = new Set<string>();
    const open = listSure(first.get(address)).flatMap(({ on, fromCommand }) =>
      // A dependency of a later command alone is awaited only to its acceptance, with all that comes before.
      fromCommand === undefined ? [on] : listNeeded(byId.get(on)),
    );
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (over.has(next)) continue;
      over.add(next);
      open.push(...listNeeded(byId.get(next)));
    }
    found.set(address, over);
    return over;
  };
}

function listNeeded(task: Task | undefined): readonly string[] {
  return listSure(task).map(({ on }) => on);
}

/** Dependencies that must have succeeded before a task starts, and not merely ended. */
function listSure(task: Task | undefined): readonly Dependency[] {
  return (task?.dependsOn ?? []).filter(({ mayFail }) => mayFail !== true);
}
