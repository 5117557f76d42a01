import type { LiveResource } from '../model/account/live.ts';
import { omitUntold } from '../model/account/told.ts';
import type { Attributes } from '../model/value.ts';
import type { ManagedResource } from '../model/state/state.ts';
import { readAskedEntries } from './asked-entries.ts';
import { readAsRecorded } from './asked-shown.ts';
import type { Names } from './names.ts';
import { kinds } from './registry.ts';

/**
 * A live resource in the configuration's terms, with what the service assigned: an attribute that is untold is absent.
 * `desired` settles spellings.
 */
export function readAttributes(
  live: LiveResource,
  names: Names,
  desired: Attributes | undefined,
): Attributes {
  return omitUntold(kinds[live.kind].read(live, names, desired));
}

/** The same with the entries that the state recorded as they were written. `wanted` is what the configuration asks for now. */
export function readAsWritten(
  live: LiveResource,
  names: Names,
  managed: ManagedResource | undefined,
  wanted?: Attributes,
): Attributes {
  const read = readAttributes(live, names, wanted ?? managed?.attributes);
  return readAskedEntries(read, live, managed, wanted);
}

/** The same as it was asked for, where the account still shows what it showed of that. */
export function readAsAsked(
  live: LiveResource,
  names: Names,
  managed: ManagedResource | undefined,
  wanted?: Attributes,
): Attributes {
  const written = readAsWritten(live, names, managed, wanted);
  return readAsRecorded(written, managed, wanted, names.catalog);
}

/** The attributes that the service leaves untold. */
export function listUntold(live: LiveResource, names: Names): readonly string[] {
  const read = kinds[live.kind].read(live, names, undefined);
  return Object.keys(read).filter((name) => read[name] === undefined);
}
