import { readAttributesAsRequested } from '../../kinds/read-attributes.ts';
import { kindRegistry } from '../../kinds/registry.ts';
import { readIdAfterUnmanagedPrefix } from '../../kinds/names.ts';
import { isSameFieldValue, isSameValue } from '../../kinds/spelling.ts';
import type { ResourceAddress } from '../../model/address.ts';
import type { LiveResource } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { FieldChange } from '../../model/plan/plan.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import type { Attributes, Value } from '../../model/value.ts';
import { parseKnownAddress } from '../account-index.ts';
import type { DecisionContext } from './decision.ts';
import { createPlanIdTranslator } from './names.ts';

/**
 * The changing fields that somebody changed outside, with the values that were applied last. A field that changes because the
 * configuration does is not among them.
 */
export function findDriftedFields(
  fields: readonly FieldChange[],
  managed: ManagedResource,
  live: LiveResource,
  context: DecisionContext,
): Attributes | undefined {
  if (fields.length === 0) return undefined;
  const { attributes: applied } = managed;
  const has = readResourceAsApplied(managed, live, context);
  const drifted = fields.filter(
    ({ name }) => name in applied && !isAttributeAsApplied(name, managed, live, has),
  );
  if (drifted.length === 0) return undefined;
  return Object.fromEntries(drifted.map(({ name }) => [name, applied[name] ?? null]));
}

/**
 * Tells whether an attribute is as it was last applied, or unreported. The resources that one was built from are compared by
 * id: they may have been replaced or deleted since, which changes only the words.
 */
export function isAttributeAsApplied(
  name: string,
  { kind: kindName, attributes, builtFrom }: ManagedResource,
  live: LiveResource,
  has: Attributes,
): boolean {
  const { builtFrom: parts } = kindRegistry[kindName].traits;
  if (!(name in has)) return true;
  if (builtFrom && parts?.field === name) {
    const ids = builtFrom.map(({ id }) => id);
    return isSameValue(ids, parts.idsOf(live) ?? ids, true);
  }
  return isSameFieldValue(kindName, name, attributes[name], has[name]);
}

/** A live resource in the words of the last apply: another spelling is no change. */
export function readResourceAsApplied(
  managed: ManagedResource,
  live: LiveResource,
  context: DecisionContext,
): Attributes {
  const { address } = managed;
  const names = createPlanIdTranslator(address, live, context, true);
  const outside = new Set(Object.values(managed.attributes).flatMap(listOutsideIds));
  // A resource that was applied by its id may have a key by now, which is another spelling of the same.
  const localKey = (of: KindName, id: string) =>
    outside.has(id)
      ? undefined
      : (names.localKey(of, id) ?? formerKey(of, context.index.formerAddressOf(id)));
  return readAttributesAsRequested(live, { ...names, localKey }, managed);
}

function listOutsideIds(value: Value): readonly string[] {
  const texts = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) =>
    typeof text === 'string' ? (readIdAfterUnmanagedPrefix(text) ?? []) : [],
  );
}

/** The former key of a resource that this plan gives up: losing its key is no change made outside. */
function formerKey(kind: KindName, address: ResourceAddress | undefined): string | undefined {
  const former = address === undefined ? undefined : parseKnownAddress(address);
  return former?.kind === kind ? former.local : undefined;
}
