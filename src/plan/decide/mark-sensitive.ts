import type { ResourceAddress } from '../../model/address.ts';
import type { Change } from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import type { ManagedResource } from '../../model/state/state.ts';

/** The state's record of a resource, with the attributes marked that the configuration now calls sensitive. */
export function markSensitiveAttributes(
  managed: ManagedResource,
  desired: Pick<DesiredResource, 'sensitive'> | undefined,
): ManagedResource {
  const isSecret = desired?.sensitive !== undefined && desired.sensitive.length > 0;
  if (!desired || (!isSecret && managed.sensitive === undefined)) return managed;
  const marked: { -readonly [K in keyof ManagedResource]: ManagedResource[K] } = { ...managed };
  if (isSecret) marked.sensitive = desired.sensitive;
  else delete marked.sensitive;
  return marked;
}

/** Marks the sensitive attributes of every resource of a state. */
export function markSensitiveInState<
  T extends { readonly resources: ReadonlyMap<ResourceAddress, ManagedResource> },
>(state: T, desired: ReadonlyMap<ResourceAddress, Pick<DesiredResource, 'sensitive'>>): T {
  const marked = [...state.resources].map(
    ([address, managed]) =>
      [address, markSensitiveAttributes(managed, desired.get(address))] as const,
  );
  return { ...state, resources: new Map(marked) };
}

/** An attribute that was sensitive at the last apply is hidden while it changes, too. */
export function listSensitiveAttributes(
  { sensitive = [] }: DesiredResource,
  managed: ManagedResource | undefined,
): Pick<Change, 'sensitive' | 'noLongerSensitive'> {
  const former = (managed?.sensitive ?? []).filter((name) => !sensitive.includes(name));
  return {
    sensitive: [...sensitive, ...former],
    ...(former.length > 0 && { noLongerSensitive: former }),
  };
}
