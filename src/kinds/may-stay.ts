import type { KindName } from '../model/kind-places.ts';
import { kinds } from './registry.ts';

/** What a configured resource says of fields that stay as they are. */
interface StayingFields {
  readonly ignoreChanges?: readonly string[] | undefined;
  readonly rebuildOn?: readonly string[] | undefined;
}

/**
 * True for a field of which the configuration does not tell what an existing resource has: its changes are ignored, or wait
 * for a rebuild where it says so.
 */
export function mayStay(
  kind: KindName,
  field: string,
  { ignoreChanges, rebuildOn }: StayingFields,
): boolean {
  if (ignoreChanges?.includes(field)) return true;
  const { effect, deferrable } = kinds[kind].fields[field] ?? {};
  return effect === 'rebuild' && deferrable !== undefined && rebuildOn?.includes(field) === false;
}
