import { isResourceBusy } from '../../kinds/outcome.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { compareResourceAddresses, type ResourceAddress } from '../../model/address.ts';
import type { Finding } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/account/live.ts';
import {
  leavesAttributesUnchanged,
  formatEntryNameWithId,
  type Change,
  type Drift,
  type Plan,
} from '../../model/plan/plan.ts';
import type { DesiredResource } from '../../model/resource.ts';
import { forgetServiceShownValues } from '../../model/state/shown.ts';
import type { ManagedResource, State } from '../../model/state/state.ts';
import { isEqual, type Attributes, type Value } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';
import type { DecisionContext } from './decision.ts';
import { addCatalogEntryNames } from './name-offered-entries.ts';
import { isAttributeAsApplied, readResourceAsApplied } from './drift.ts';

/** Changes and deletions outside since the last apply, as far as the state shows them; in address order. */
export function listDrift(state: State, context: DecisionContext): Drift[] {
  const drift: Drift[] = [];
  for (const managed of state.resources.values()) {
    const { address, kind, id, attributes: before } = managed;
    const live = context.index.liveAt(address);
    if (!live && context.removed.has(id)) continue;
    // A resource that the service still works on has no final values yet.
    if (live && isResourceBusy(live)) continue;
    // Nobody sees to what is retired, or on the way there or back.
    if (live && managed.retired) continue;
    const decided = context.decided.get(address)?.change;
    if (live && decided && isWordForWord(managed, decided)) continue;
    const after = live ? readResourceAsApplied(managed, live, context) : null;
    // A field that `ignoreChanges` no longer names is compared again.
    const wanted = context.configured.get(address);
    const { ignoreChanges = [] } = wanted?.lifecycle ?? {};
    const isSeen = (name: string) =>
      !ignoreChanges.includes(name) && !(live && isUnreadSaleField(name, live, wanted));
    const names = live && after ? listDifferent(managed, live, after).filter(isSeen) : [];
    if (after !== null && names.length === 0) continue;
    const { project } = parseKnownAddress(address);
    const marked = decided ?? context.configured.get(address) ?? managed;
    const { sensitive = [] } = marked;
    const found: Drift = { address, kind, project, id, before, after, names, sensitive };
    drift.push(addCatalogEntryNames(found, context.catalog));
  }
  return drift.sort((a, b) => compareResourceAddresses(a.address, b.address));
}

/**
 * Tells whether a plan reads the resource in the very words of the last apply, as nearly always: then it need not be read
 * again for that. The resources that it was built from are compared by id.
 */
function isWordForWord(
  { attributes, builtFrom = [] }: ManagedResource,
  { before }: Change,
): boolean {
  if (builtFrom.length > 0 || !before) return false;
  for (const name in attributes) {
    if (!isEqual(attributes[name] ?? null, before[name] ?? null)) return false;
  }
  return true;
}

/** True for a field of the sale where nobody configures it: then the sales of the account need not have been read. */
function isUnreadSaleField(
  name: string,
  live: LiveResource,
  wanted: DesiredResource | undefined,
): boolean {
  const isOfSale = kindRegistry[live.kind].traits.sale?.field === name;
  return isOfSale && !(name in live) && wanted?.attributes[name] === undefined;
}

function listDifferent(managed: ManagedResource, live: LiveResource, has: Attributes): string[] {
  const { attributes } = managed;
  const kind = kindRegistry[managed.kind];
  return Object.keys(attributes)
    .filter((attribute) => {
      const applied = attributes[attribute] ?? null;
      // The service may assign a computed value some time after the apply, which is no drift.
      if (attribute === 'id' || (applied === null && kind.computed.includes(attribute)))
        return false;
      return !isAttributeAsApplied(attribute, managed, live, has);
    })
    .sort();
}

/** Changes made outside to attributes that nobody configures: the plan neither reverts nor removes them. */
export function listUnrevertedDrift({
  drift = [],
  changes,
}: Pick<Plan, 'drift' | 'changes'>): Drift[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  return drift.flatMap((one) => {
    const change = byAddress.get(one.address);
    if (one.after === null || !change || !isKept(change)) return [];
    const changing = new Set(change.fields.map(({ name }) => name));
    // A field that waits for a rebuild is configured, and has a note of its own.
    const unknown = new Set([...change.unknown, ...change.sensitive]);
    const waiting = change.waiting ?? {};
    const names = one.names.filter(
      (name) => !changing.has(name) && !unknown.has(name) && !(name in waiting),
    );
    return names.length > 0 ? [{ ...one, names }] : [];
  });
}

function isKept({ action }: Change): boolean {
  return leavesAttributesUnchanged({ action }) || action === 'update' || action === 'rebuild';
}

/** The most attributes that the note about drift names. */
const maxShown = 10;

/** A note, for all resources at once, about drift that the plan keeps because the configuration does not set the attribute. */
export function noteUnrevertedDrift(all: readonly Drift[], changes: readonly Change[]): Finding[] {
  const configured = new Map(changes.map((change) => [change.address, change.configured]));
  const isUnset = (address: ResourceAddress) => (name: string) =>
    !configured.get(address)?.includes(name);
  const left = all.filter(({ address, names }) => names.some(isUnset(address)));
  const lines = left.flatMap(({ address, names, before, after, entryNames }) =>
    names.filter(isUnset(address)).map((name) => {
      const spell = (value: Value | undefined) =>
        JSON.stringify(formatEntryNameWithId(entryNames, name, value ?? null));
      return `${address}: ${name} ${spell(before[name])} -> ${spell(after?.[name])}`;
    }),
  );
  if (lines.length === 0) return [];
  const rest = lines.length > maxShown ? [`and ${lines.length - maxShown} more`] : [];
  const [only] = left;
  return [
    {
      severity: 'note',
      code: 'changed-outside',
      summary: `${lines.length === 1 ? '1 attribute was' : `${lines.length} attributes were`} changed outside of Hostwright and ${lines.length === 1 ? 'is' : 'are'} left as ${lines.length === 1 ? 'it is' : 'they are'}`,
      detail: [...lines.slice(0, maxShown), ...rest].join('\n'),
      hint: 'Apply to record them, or run "apply --refresh-only". The configuration does not set them.',
      ...(left.length === 1 && only && { address: only.address }),
    },
  ];
}

/** The state with drifted attributes recorded as reported, so that the next plan does not report them again. */
export function rememberReportedDrift(state: State, drift: readonly Drift[]): State {
  if (drift.length === 0) return state;
  const resources = new Map<ResourceAddress, ManagedResource>(state.resources);
  for (const { address, names, after } of drift) {
    const managed = resources.get(address);
    if (!managed) continue;
    if (after === null) {
      resources.delete(address);
      continue;
    }
    const now = Object.fromEntries(names.map((name) => [name, after[name] ?? null]));
    const kept = forgetServiceShownValues(
      { ...managed, attributes: { ...managed.attributes, ...now } },
      names,
    );
    // Catalog ids of drifted fields are dropped; the next apply finds them anew.
    if (managed.entryIds && names.some((name) => name in (managed.entryIds ?? {}))) {
      Reflect.deleteProperty(kept, 'entryIds');
      Reflect.deleteProperty(kept, 'entryTexts');
    }
    // Somebody has rebuilt the resource from others: the next apply finds out from which.
    if (names.includes(kindRegistry[managed.kind].traits.builtFrom?.field ?? '')) {
      Reflect.deleteProperty(kept, 'builtFrom');
    }
    resources.set(address, kept);
  }
  return { ...state, resources };
}
