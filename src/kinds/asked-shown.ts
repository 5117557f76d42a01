// Requested and shown values of fields. After an operation has ended, a service may show another value than the requested
// one; the same request would show it again. So a plan compares with both: where the configuration still requests the same
// and the account still shows the same, there is nothing to change.
import type { Catalog } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import { setServiceShownValues, type AskedAndShownValues } from '../model/state/shown.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { Attributes, Value } from '../model/value.ts';
import { kindRegistry } from './registry.ts';
import { isSameFieldValue, isServiceSpelling } from './spelling.ts';

/**
 * The attributes of a live resource, where a value that is still as it was shown is replaced by the value that was requested.
 * A value that equals the configuration stays, whatever was requested. `wanted` has the configuration's present values.
 */
export function substituteRequestedValues(
  read: Attributes,
  managed: ManagedResource | undefined,
  wanted: Attributes = {},
  catalog?: Catalog,
): Attributes {
  if (!managed) return read;
  const { kind, attributes, shown = {}, sensitive = [] } = managed;
  // An adopted resource has no record yet: another spelling of the configured value is no reason to replace it.
  const adopted = Object.keys(read).filter((name) =>
    isUnrecordedAndLasting(kind, name, attributes),
  );
  const asked = [...new Set([...Object.keys(shown), ...sensitive, ...adopted])].flatMap(
    (name): [string, Value][] => {
      const value = read[name];
      if (value === undefined || isSameFieldValue(kind, name, value, wanted[name])) return [];
      const before = attributes[name];
      if (before !== undefined) {
        return name in shown && isSameFieldValue(kind, name, value, shown[name])
          ? [[name, before]]
          : [];
      }
      // A sensitive value is in no state, nor is one that was adopted: nobody can tell which value was requested.
      const now = wanted[name];
      return now !== undefined && isServiceSpelling(kind, name, now, value, catalog)
        ? [[name, now]]
        : [];
    },
  );
  return asked.length === 0 ? read : { ...read, ...Object.fromEntries(asked) };
}

/** Tells whether the state has no value of a field that no change in place sets. */
function isUnrecordedAndLasting(kind: KindName, name: string, attributes: Attributes): boolean {
  const { effect = 'update' } = kindRegistry[kind].fields[name] ?? {};
  return effect !== 'update' && !(name in attributes);
}

/** A field that a change has set, and for which the account shows another value that is no spelling of the requested one. */
export interface UnexpectedField {
  readonly name: string;
  readonly asked: Value;
  readonly shown: Value;
  /** Set where the account showed the same value before the change. */
  readonly isAsBefore: boolean;
}

/** Tells whether the change that set the field has failed: the value is as before, or nobody could have meant it. */
export function isFailedField(kind: KindName, { name, isAsBefore }: UnexpectedField): boolean {
  return isAsBefore || kindRegistry[kind].fields[name]?.isEssential === true;
}

/** A resource as it was read after a change, with the change, to find fields that show another value than was asked for. */
export interface ResourceAfterChange {
  readonly kind: KindName;
  readonly catalog: Catalog;
  /** Attributes of the live resource in the terms of the configuration. */
  readonly read: Attributes;
  /** The live attributes before the change; undefined where the resource did not exist. */
  readonly before: Attributes | undefined;
  /** The record before the change; undefined where the resource did not exist. */
  readonly had: AskedAndShownValues | undefined;
  /** The configured attributes, with the values that the change works out. */
  readonly wanted: Attributes;
  /** Names of the fields that the configuration gives. */
  readonly configured: readonly string[];
  /** Names of the fields that the change has set. */
  readonly set: ReadonlySet<string>;
  /** Names of the fields that `ignoreChanges` lists. */
  readonly ignored: ReadonlySet<string>;
}

/** The fields that a change has set, and that show another value. */
export function findUnexpectedFields({
  kind,
  catalog,
  read,
  before,
  wanted,
  set,
}: ResourceAfterChange): UnexpectedField[] {
  const others: UnexpectedField[] = [];
  for (const name of set) {
    const [asked, shown] = [wanted[name], read[name]];
    if (asked === undefined || shown === undefined) continue;
    if (isSameFieldValue(kind, name, asked, shown)) continue;
    if (isServiceSpelling(kind, name, asked, shown, catalog)) continue;
    const isAsBefore = before !== undefined && isSameFieldValue(kind, name, before[name], shown);
    others.push({ name, asked, shown, isAsBefore });
  }
  return others;
}

/**
 * Requested and shown values to record after a change. A field that the change has not set keeps its record, unless the
 * account shows the configured value. `hasEnded`: false while the operation is under way, when only spellings are recorded.
 */
export function recordRequestedAndShownFields(
  after: ResourceAfterChange,
  hasEnded: boolean,
): AskedAndShownValues {
  const { kind, catalog, read, had, wanted, configured, set, ignored } = after;
  const others = new Map(findUnexpectedFields(after).map((one) => [one.name, one]));
  const attributes: Record<string, Value> = {};
  const shown: Record<string, Value> = {};
  const keep = (name: string) => {
    attributes[name] = had?.attributes[name] ?? null;
    const before = had?.shown?.[name];
    if (before !== undefined) shown[name] = before;
  };
  for (const [name, value] of Object.entries(read)) {
    const asked = wanted[name];
    const other = others.get(name);
    const isKnown = had !== undefined && name in had.attributes;
    if (ignored.has(name) && isKnown) keep(name);
    else if (asked === undefined || !configured.includes(name)) attributes[name] = value;
    else if (isSameFieldValue(kind, name, asked, value)) attributes[name] = asked;
    else if (set.has(name) && !(other && (!hasEnded || isFailedField(kind, other)))) {
      attributes[name] = asked;
      shown[name] = value;
    } else if (isKnown && (!set.has(name) || other?.isAsBefore)) keep(name);
    else if (
      isUnrecordedAndLasting(kind, name, had?.attributes ?? {}) &&
      isServiceSpelling(kind, name, asked, value, catalog)
    ) {
      attributes[name] = asked;
      shown[name] = value;
    } else attributes[name] = value;
  }
  const { shown: wasShown = {}, accepted = [] } = had ?? {};
  // A field that the service does not report now may be reported again.
  for (const [name, value] of Object.entries(wasShown)) {
    if (!(name in read) && !set.has(name)) shown[name] = value;
  }
  if (Object.keys(shown).length === 0) return { attributes };
  return setServiceShownValues({ attributes, shown: wasShown, accepted }, shown);
}
