import {
  listUntoldAttributes,
  readAttributesAsRequested,
  readAttributesAsWritten,
} from '../../kinds/read-attributes.ts';
import { listCompanionAttributes, findCompanionResourceId } from '../../kinds/relations/brought.ts';
import { forgetEntryTexts, recordCatalogEntryIds } from '../../kinds/asked-entries.ts';
import { pickRebuiltAttributes } from '../../kinds/carry-out.ts';
import {
  findUnexpectedFields,
  recordRequestedAndShownFields,
  type ResourceAfterChange,
} from '../../kinds/asked-shown.ts';
import { recordParentPlace } from '../../kinds/relations/parent-id.ts';
import { spellUnmanagedId, type LiveIdTranslator } from '../../kinds/names.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import {
  parseResourceAddress,
  parseDeposedAddress,
  type ResourceAddress,
} from '../../model/address.ts';
import type { Catalog, LiveResource } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import { listSensitiveAfterChange, type Change } from '../../model/plan/plan.ts';
import { deposeResource, type ManagedResource } from '../../model/state/state.ts';
import { isEqual, type Attributes } from '../../model/value.ts';
import { findBuildSources } from './built-from.ts';
import { readTriggerIds } from './trigger-ids.ts';
import type { RunContext } from './run-context.ts';

/** With what a read of it alone does not tell: unless this run has seen to it, that is as planned. */
function recall({ planned: { liveById } }: RunContext, live: LiveResource): LiveResource {
  const planned = liveById.get(live.id);
  return (planned && kindRegistry[live.kind].traits.sale?.recall(live, planned)) ?? live;
}

/** The attributes of a live resource in the terms of its change; nothing of what is untold. */
export function readLiveAttributesAsPlanned(
  context: RunContext,
  change: Change,
  live: LiveResource,
): Attributes {
  const names = plannedNames(context, change);
  const recorded = findRecorded(context, change, live);
  return readAttributesAsRequested(
    recall(context, live),
    names,
    recorded,
    change.after ?? undefined,
  );
}

/** The record of the very resource of a change, where the state has it. */
function findRecorded(
  { store }: RunContext,
  { address }: Change,
  { id }: LiveResource,
): ManagedResource | undefined {
  const before = store.state.resources.get(address);
  return before?.id === id ? before : undefined;
}

/**
 * The same, to read what the change has led to once it has ended: what shows as it did before may be another entry of the
 * catalog by then. A rebuild sets all fields that need one, changed or not.
 */
function findRecordedBefore(
  context: RunContext,
  change: Change,
  live: LiveResource,
  hasEnded: boolean,
): ManagedResource | undefined {
  const had = findRecorded(context, change, live);
  if (!had || !hasEnded) return had;
  const { kind, action, after, fields } = change;
  const rebuilt =
    action === 'rebuild' ? pickRebuiltAttributes({ kind, attributes: after ?? {} }) : {};
  const set = new Set(fields.map(({ name }) => name).concat(Object.keys(rebuilt)));
  return forgetEntryTexts(had, set);
}

/** The fields that a change has set, and of which a live resource shows something else that is no spelling of it. */
export const findFieldsShownOtherwise = (context: RunContext, change: Change, live: LiveResource) =>
  findUnexpectedFields(readAfter(context, change, live));

function readAfter(
  context: RunContext,
  change: Change,
  live: LiveResource,
  hasEnded = true,
): ResourceAfterChange {
  const { planned, history } = context;
  const { kind, action, after, configured, fields, ignored = [] } = change;
  const names = createLiveIdTranslator(context, planned.live.catalog);
  const had = findRecorded(context, change, live);
  const recorded = findRecordedBefore(context, change, live, hasEnded);
  const wanted = after ?? {};
  const isMade = action === 'create' || action === 'replace';
  const before = history.prepared.get(live.id) ?? planned.liveById.get(live.id);
  return {
    kind,
    catalog: planned.live.catalog,
    had,
    wanted,
    configured,
    read: readAttributesAsWritten(recall(context, live), names, recorded, wanted),
    before: before && !isMade ? readAttributesAsWritten(before, names, had, wanted) : undefined,
    set: new Set(isMade ? configured : fields.map(({ name }) => name)),
    ignored: new Set(isMade ? [] : ignored),
  };
}

/** The attributes that a live resource has, whatever was asked for. */
export const readLiveAttributes = (context: RunContext, change: Change, live: LiveResource) =>
  readAfter(context, change, live).read;

/**
 * The state record of a live resource after a change.
 * @param hasEnded false while the service still works on the resource, so that its fields do not count yet
 */
export function buildManagedResourceRecord(
  context: RunContext,
  change: Change,
  live: LiveResource,
  hasEnded = true,
): ManagedResource {
  const { address, kind, action, after, configured, isProtected, retireMs } = change;
  const sensitive = listSensitiveAfterChange(change);
  const before = context.store.state.resources.get(address);
  const recorded = findRecorded(context, change, live);
  const seen = readAfter(context, change, live, hasEnded);
  const entries = findRecordedBefore(context, change, live, hasEnded);
  const told = recordRequestedAndShownFields(seen, hasEnded);
  // A field that keeps its earlier record keeps the catalog entry of that record, too.
  const isKept = (field: string) =>
    field in seen.read &&
    !isEqual(told.attributes[field], seen.read[field]) &&
    !(field in (told.shown ?? {}));
  const untold = listUntoldAttributes(
    live,
    createLiveIdTranslator(context, context.planned.live.catalog),
  );
  const attributes =
    untold.length === 0
      ? told.attributes
      : {
          ...pick(recorded?.attributes ?? {}, untold),
          ...pick(after ?? {}, untold),
          ...told.attributes,
        };
  // The service names the address of a new VM only after a while; that it is asked for must not be forgotten.
  const asked = listCompanionAttributes(kind, after);
  const brought = findCompanionResourceId({ attributes: asked }, live);
  const isNotReady = context.planned.probed.has(address) && !context.history.ready.has(address);
  const { wayBack, failedTarget } = recorded ?? {};
  return {
    address,
    kind,
    id: live.id,
    ...recordParentPlace(live),
    ...(brought !== undefined && { allocatedPublicIpId: brought }),
    ...told,
    attributes: { ...attributes, ...asked },
    ...(sensitive.length > 0 && { sensitive }),
    configured,
    ...(untold.length > 0 && { untold: untold.filter((name) => name in attributes) }),
    ...recordCatalogEntryIds(live, entries, isKept),
    ...findBuildSources(context, live, before),
    ...readTriggerIds(context, change),
    ...(isNotReady && { isNotReady }),
    ...(isNotReady && wayBack && { wayBack }),
    ...(failedTarget && action !== 'rebuild' && { failedTarget }),
    ...(isProtected && { isProtected }),
    ...(retireMs !== undefined && { retireMs }),
  };
}

function pick(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = attributes[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Before the address goes to the new resource, the old one is written down under another, so that no kill loses it. */
export async function recordDeposedResource(
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
function plannedNames(context: RunContext, { replacedKeys = {} }: Change): LiveIdTranslator {
  const { live, addresses } = context.planned;
  const current = createLiveIdTranslator(context, live.catalog);
  return {
    ...current,
    localKey(kind, id) {
      if (replacedKeys[spellUnmanagedId(id)] !== undefined) return undefined;
      const address = addresses.get(id);
      return address === undefined ? current.localKey(kind, id) : localOf(kind, address);
    },
  };
}

/** Translates live ids to the addresses that they have in the state at this moment. */
export function createLiveIdTranslator(context: RunContext, catalog: Catalog): LiveIdTranslator {
  return {
    catalog,
    localKey(kind, id) {
      const address = context.addresses.get(id);
      return address === undefined ? undefined : localOf(kind, address);
    },
  };
}

/** The key of an address of that kind; what was deposed has lost its key to another. */
function localOf(kind: KindName, address: ResourceAddress): string | undefined {
  const parsed = parseDeposedAddress(address) ? undefined : parseResourceAddress(address);
  return parsed?.kind === kind ? parsed.local : undefined;
}
