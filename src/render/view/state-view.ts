import { compareResourceAddresses, type ResourceAddress } from '../../model/address.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';
import { markWholeValue, type ValueMark } from './value-diff.ts';
import type { AttributeView } from './view.ts';

/** Sorts the resources of a state by address. */
export function sortStateResources(state: State): ManagedResource[] {
  return [...state.resources.values()].sort((a, b) =>
    compareResourceAddresses(a.address, b.address),
  );
}

/**
 * Lists the addresses of create requests that were sent and whose resources were not yet seen in the account, in
 * address order.
 */
export function listPendingCreates({ pending }: State): ResourceAddress[] {
  return [...pending.keys()].sort(compareResourceAddresses);
}

/** Lists the attributes of a resource by name, all with the same mark; those without a value are left out. */
export function viewResourceAttributes(
  { id, attributes, sensitive = [] }: ManagedResource,
  mark: ValueMark,
): AttributeView[] {
  const values: Attributes = { id, ...attributes };
  const known = Object.entries(values)
    .filter(([name, value]) => value !== null && !sensitive.includes(name))
    .map(([name, value]) => ({ name, diff: markWholeValue(value, mark) }));
  const hidden = sensitive.map((name) => ({ name, diff: { kind: 'sensitive', mark } as const }));
  return [...known, ...hidden].sort((a, b) => (a.name < b.name ? -1 : 1));
}
