import { isEqual, type Attributes } from '../value.ts';
import type { ManagedResource } from './state.ts';

/** The part of a record with the attributes that were set, and those that the account showed. */
export type AskedAndShownValues = Pick<ManagedResource, 'attributes' | 'shown' | 'accepted'>;

/** A resource with new shown values of its fields; acceptances of other values are dropped. */
export function setServiceShownValues<R extends AskedAndShownValues>(
  resource: R,
  shown: Attributes,
): R {
  const accepted = (resource.accepted ?? []).filter(
    (name) => name in shown && isEqual(shown[name], resource.shown?.[name]),
  );
  const record: R = { ...resource, shown, accepted };
  if (Object.keys(shown).length === 0) Reflect.deleteProperty(record, 'shown');
  if (accepted.length === 0) Reflect.deleteProperty(record, 'accepted');
  return record;
}

/** Removes from a resource's record the values that the service showed for these fields. */
export function forgetServiceShownValues<R extends AskedAndShownValues>(
  resource: R,
  names: readonly string[],
): R {
  const kept = Object.entries(resource.shown ?? {}).filter(([name]) => !names.includes(name));
  return setServiceShownValues(resource, Object.fromEntries(kept));
}
