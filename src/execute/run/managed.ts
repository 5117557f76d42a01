import { listUntold, readAttributes } from '../../kinds/read-attributes.ts';
import { askedOf, broughtIdOf } from '../../kinds/relations/brought.ts';
import { readAskedEntries, rememberEntries } from '../../kinds/asked-entries.ts';
import { rememberName } from '../../kinds/kept-name.ts';
import { rememberPlace } from '../../kinds/relations/parent-id.ts';
import { spellOutside, type Names } from '../../kinds/names.ts';
import { kinds } from '../../kinds/registry.ts';
import { parseAddress, parseDeposed, type Address } from '../../model/address.ts';
import { nameOf, type Catalog, type LiveResource } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import { sensitiveAfter, type Change } from '../../model/plan/plan.ts';
import { deposeResource, type ManagedResource } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';
import { builtFromOf } from './built-from.ts';
import type { RunContext } from './run-context.ts';

/** With what a read of it alone does not tell: unless this run has seen to it, that is as planned. */
function recall({ planned: { liveById } }: RunContext, live: LiveResource): LiveResource {
  const planned = liveById.get(live.id);
  return (planned && kinds[live.kind].recall?.(live, planned)) ?? live;
}

/** The attributes of a live resource in the terms of its change. */
export function readAsPlanned(context: RunContext, change: Change, live: LiveResource): Attributes {
  return describe(context, change, live, plannedNames(context, change)).attributes;
}

/** What the state remembers of a live resource after a change. */
export function managedFrom(
  context: RunContext,
  change: Change,
  live: LiveResource,
): ManagedResource {
  return describe(context, change, live, currentNames(context, context.planned.live.catalog));
}

function describe(
  context: RunContext,
  change: Change,
  live: LiveResource,
  names: Names,
): ManagedResource {
  const { address, kind, after, configured, isProtected } = change;
  const sensitive = sensitiveAfter(change);
  const before = context.store.state.resources.get(address);
  const recorded = before?.id === live.id ? before : undefined;
  const read = readAttributes(recall(context, live), names, after ?? undefined);
  const told = readAskedEntries(read, live, recorded, after ?? undefined);
  const untold = listUntold(live, names);
  const attributes = {
    ...pick(recorded?.attributes ?? {}, untold),
    ...pick(after ?? {}, untold),
    ...told,
  };
  // The service names the address of a new VM only after a while; that it is asked for must not be forgotten.
  const asked = askedOf(kind, after);
  const brought = broughtIdOf({ attributes: asked }, live);
  const resource = {
    address,
    kind,
    id: live.id,
    ...rememberPlace(live),
    ...(brought !== undefined && { allocatedPublicIpId: brought }),
    attributes: { ...attributes, ...asked },
    ...(sensitive.length > 0 && { sensitive }),
    configured,
    ...(untold.length > 0 && { untold: untold.filter((name) => name in attributes) }),
    ...rememberEntries(live),
    ...builtFromOf(context, live, before),
    ...(isProtected && { isProtected }),
  };
  return rememberName(resource, live, isNamedBy(context, change, live) ? after?.name : undefined);
}

function pick(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** True where the live name is what the service made of the name of the change, now or before. */
function isNamedBy(
  { store }: RunContext,
  { address, action, fields }: Change,
  live: LiveResource,
): boolean {
  if (action === 'create' || action === 'replace') return true;
  if (fields.some(({ name }) => name === 'name')) return true;
  const { keptName } = store.state.resources.get(address) ?? {};
  return keptName !== undefined && keptName === nameOf(live);
}

/** Before the address goes to the new resource, the old one is written down under another, so that no kill loses it. */
export async function depose(
  { store, addresses }: RunContext,
  { address, id }: Change,
  found: LiveResource,
): Promise<void> {
  const before = store.state.resources.get(address);
  if (id === null || before?.id !== id || found.id === id || !addresses.has(id)) return;
  const resource = deposeResource(before);
  addresses.set(id, resource.address);
  await store.record({ kind: 'bound', resource });
}

/**
 * Spells live ids as the plan did for a change, whatever has been done by now: what is deleted by its key, and what gives
 * its place to another by its id.
 */
function plannedNames(context: RunContext, { replacedKeys = {} }: Change): Names {
  const { live, addresses } = context.planned;
  const current = currentNames(context, live.catalog);
  return {
    ...current,
    localKey(kind, id) {
      if (replacedKeys[spellOutside(id)] !== undefined) return undefined;
      const address = addresses.get(id);
      return address === undefined ? current.localKey(kind, id) : localOf(kind, address);
    },
  };
}

/** Spells live ids by the addresses that are bound by now. */
export function currentNames(context: RunContext, catalog: Catalog): Names {
  return {
    catalog,
    localKey(kind, id) {
      const address = context.addresses.get(id);
      return address === undefined ? undefined : localOf(kind, address);
    },
  };
}

/** The key of an address of that kind; what was deposed has lost its key to another. */
function localOf(kind: KindName, address: Address): string | undefined {
  const parsed = parseDeposed(address) ? undefined : parseAddress(address);
  return parsed?.kind === kind ? parsed.local : undefined;
}
