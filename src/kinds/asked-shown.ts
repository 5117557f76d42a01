// What was asked of a field, and what the account showed of it once the operation had ended. A service may show another value
// than it was asked for; asked again, it would come to the same. So a plan goes by the two: where the configuration is as it
// was asked and the account as it was shown, there is nothing to change.
import type { Catalog } from '../model/account/live.ts';
import type { KindName } from '../model/kind-places.ts';
import { withShown, type AskedShown } from '../model/state/shown.ts';
import type { ManagedResource } from '../model/state/state.ts';
import type { Attributes, Value } from '../model/value.ts';
import { kinds } from './registry.ts';
import { isSameField, isSpelling } from './spelling.ts';

/**
 * The attributes of a live resource, with those that are as they were shown by what was asked for. What the account shows to be
 * equal to the configuration is left as it is, whatever was asked. `wanted` is what the configuration asks for now.
 */
export function readAsRecorded(
  read: Attributes,
  managed: ManagedResource | undefined,
  wanted: Attributes = {},
  catalog?: Catalog,
): Attributes {
  if (!managed) return read;
  const { kind, attributes, shown = {}, sensitive = [] } = managed;
  const asked = [...new Set([...Object.keys(shown), ...sensitive])].flatMap((name) => {
    const value = read[name];
    if (value === undefined || isSameField(kind, name, value, wanted[name])) return [];
    const before = attributes[name];
    if (before !== undefined) {
      return name in shown && isSameField(kind, name, value, shown[name]) ? [[name, before]] : [];
    }
    // A sensitive value is in no state, so nobody can tell which one was asked for.
    const now = wanted[name];
    return now !== undefined && isSpelling(kind, name, now, value, catalog) ? [[name, now]] : [];
  });
  return asked.length === 0 ? read : { ...read, ...(Object.fromEntries(asked) as Attributes) };
}

/** A field that a change has set, and of which the account shows something else that is no spelling of it. */
export interface OtherField {
  readonly name: string;
  readonly asked: Value;
  readonly shown: Value;
  /** True: that is what it showed before, too. */
  readonly isAsBefore: boolean;
}

/** True where the change has failed that set it: what it showed before, or what nobody could mean by it. */
export function isFailure(kind: KindName, { name, isAsBefore }: OtherField): boolean {
  return isAsBefore || kinds[kind].fields[name]?.isEssential === true;
}

/** A resource as it is read after a change, and what that change was about. */
export interface ReadAfter {
  readonly kind: KindName;
  readonly catalog: Catalog;
  /** The live attributes in the configuration's terms. */
  readonly read: Attributes;
  /** The same before the change; undefined where there was none of this resource. */
  readonly before: Attributes | undefined;
  /** The record before; undefined where there was none of this resource. */
  readonly had: AskedShown | undefined;
  /** The configuration, with what the change comes to. */
  readonly wanted: Attributes;
  /** The fields that the configuration gives. */
  readonly configured: readonly string[];
  /** Those that the change has set. */
  readonly set: ReadonlySet<string>;
  /** Those whose changes are ignored. */
  readonly ignored: ReadonlySet<string>;
}

/** The fields that a change has set, and that show something else. */
export function findOthers({ kind, catalog, read, before, wanted, set }: ReadAfter): OtherField[] {
  const others: OtherField[] = [];
  for (const name of set) {
    const [asked, shown] = [wanted[name], read[name]];
    if (asked === undefined || shown === undefined) continue;
    if (isSameField(kind, name, asked, shown)) continue;
    if (isSpelling(kind, name, asked, shown, catalog)) continue;
    const isAsBefore = before !== undefined && isSameField(kind, name, before[name], shown);
    others.push({ name, asked, shown, isAsBefore });
  }
  return others;
}

/**
 * What is recorded of a resource after a change. What the change has not set keeps what was asked and shown, unless the account
 * shows what the configuration says. `hasEnded`: false while the service is still at it, so that only spellings are recorded.
 */
export function recordFields(after: ReadAfter, hasEnded: boolean): AskedShown {
  const { kind, read, had, wanted, configured, set, ignored } = after;
  const others = new Map(findOthers(after).map((one) => [one.name, one]));
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
    else if (isSameField(kind, name, asked, value)) attributes[name] = asked;
    else if (set.has(name) && !(other && (!hasEnded || isFailure(kind, other)))) {
      attributes[name] = asked;
      shown[name] = value;
    } else if (isKnown && (!set.has(name) || other?.isAsBefore)) keep(name);
    else attributes[name] = value;
  }
  const { shown: wasShown = {}, accepted = [] } = had ?? {};
  // What is untold now may be told again.
  for (const [name, value] of Object.entries(wasShown)) {
    if (!(name in read) && !set.has(name)) shown[name] = value;
  }
  if (Object.keys(shown).length === 0) return { attributes };
  return withShown({ attributes, shown: wasShown, accepted }, shown);
}
