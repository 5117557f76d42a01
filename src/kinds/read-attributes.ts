import type { LiveResource } from '../model/account/live.ts';
import { omitUntoldFields } from '../model/account/told.ts';
import type { Attributes } from '../model/value.ts';
import type { ManagedResource } from '../model/state/state.ts';
import { readAttributesWithRecordedEntries } from './asked-entries.ts';
import { substituteRequestedValues } from './asked-shown.ts';
import type { LiveIdTranslator } from './names.ts';
import { kindRegistry } from './registry.ts';

/**
 * A live resource in the configuration's terms, with the attributes that the service assigned: an unreported attribute is
 * absent. `desired` settles spellings.
 */
export function readAttributes(
  live: LiveResource,
  names: LiveIdTranslator,
  desired: Attributes | undefined,
): Attributes {
  return omitUntoldFields(kindRegistry[live.kind].read(live, names, desired));
}

/** As `readAttributes`, with the recorded entries as they were written. `wanted` has the configuration's present values. */
export function readAttributesAsWritten(
  live: LiveResource,
  names: LiveIdTranslator,
  managed: ManagedResource | undefined,
  wanted?: Attributes,
): Attributes {
  const read = readAttributes(live, names, wanted ?? managed?.attributes);
  return readAttributesWithRecordedEntries(read, live, managed, names.catalog, wanted);
}

/** As `readAttributesAsWritten`, with the requested value of each field for which the account still shows what it showed then. */
export function readAttributesAsRequested(
  live: LiveResource,
  names: LiveIdTranslator,
  managed: ManagedResource | undefined,
  wanted?: Attributes,
): Attributes {
  const written = readAttributesAsWritten(live, names, managed, wanted);
  return substituteRequestedValues(written, managed, wanted, names.catalog);
}

/** Lists attributes that the service's answer does not contain. */
export function listUntoldAttributes(
  live: LiveResource,
  names: LiveIdTranslator,
): readonly string[] {
  const read = kindRegistry[live.kind].read(live, names, undefined);
  return Object.keys(read).filter((name) => read[name] === undefined);
}
