import type { KindName } from '../model/kind-places.ts';
import { kindRegistry } from './registry.ts';

/** Settings of a configured resource that let fields stay as they are. */
interface StayingFields {
  readonly ignoreChanges?: readonly string[] | undefined;
  readonly rebuildOn?: readonly string[] | undefined;
}

/**
 * Tells whether an existing resource may keep its own value of a field, whatever the configuration says: changes of the field
 * are ignored, or wait for a rebuild.
 */
export function mayKeepFieldValue(
  kind: KindName,
  field: string,
  { ignoreChanges, rebuildOn }: StayingFields,
): boolean {
  if (ignoreChanges?.includes(field)) return true;
  const { effect, deferrable } = kindRegistry[kind].fields[field] ?? {};
  return effect === 'rebuild' && deferrable !== undefined && rebuildOn?.includes(field) === false;
}
