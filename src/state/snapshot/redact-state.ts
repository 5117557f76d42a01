import { isDeepStrictEqual } from 'node:util';
import { withShown } from '../../model/state/shown.ts';
import type { ManagedResource, SentCommand } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';

/** The resource as it may stand in a file: without its sensitive values. */
export function redact(resource: ManagedResource): ManagedResource {
  const { attributes, shown = {}, sensitive = [] } = resource;
  if (!sensitive.some((name) => name in attributes || name in shown)) return resource;
  const omit = (values: Attributes) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !sensitive.includes(name)));
  return withShown({ ...resource, attributes: omit(attributes) }, omit(shown));
}

/** True when a file would say the same of both. */
export function isSameInFile(a: ManagedResource, b: ManagedResource | undefined): boolean {
  return b !== undefined && isDeepStrictEqual(redact(a), redact(b));
}

/** True where a command may stand in a file: it gives none of the values of its resource that are sensitive. */
export function isFitForFile(
  { command }: SentCommand,
  { sensitive = [] }: Pick<ManagedResource, 'sensitive'> = {},
): boolean {
  return !sensitive.some((name) => name in command || `${name}Id` in command);
}

/** A resource as format 2 has it, where a name is the only field of which what the service keeps is recorded. */
type FormerResource = ManagedResource & { readonly keptName?: string };

/** A resource that was read from a file, maybe of an earlier version. */
export function upgradeResource(resource: FormerResource): ManagedResource {
  const { keptName, ...rest } = resource;
  return keptName === undefined ? resource : { ...rest, shown: { name: keptName } };
}
