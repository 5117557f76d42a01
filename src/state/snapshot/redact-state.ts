import { isDeepStrictEqual } from 'node:util';
import { setServiceShownValues } from '../../model/state/shown.ts';
import type { ManagedResource, SentCommand } from '../../model/state/state.ts';
import type { Attributes } from '../../model/value.ts';

/** Removes the sensitive values from a resource, for a file. */
export function redactResourceForFile(resource: ManagedResource): ManagedResource {
  const { attributes, shown = {}, sensitive = [], wayBack, failedTarget } = resource;
  const all = [attributes, shown, wayBack?.asked, wayBack?.target, failedTarget];
  if (!all.some((values) => values && sensitive.some((name) => name in values))) return resource;
  const omit = (values: Attributes) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !sensitive.includes(name)));
  const { asked = {}, target = {} } = wayBack ?? {};
  const redacted = {
    ...resource,
    attributes: omit(attributes),
    ...(wayBack && { wayBack: { ...wayBack, asked: omit(asked), target: omit(target) } }),
    ...(failedTarget && { failedTarget: omit(failedTarget) }),
  };
  return setServiceShownValues(redacted, omit(shown));
}

/** Tells whether two resources are equal in the form that a snapshot file has. */
export function isResourceSameInFile(a: ManagedResource, b: ManagedResource | undefined): boolean {
  return b !== undefined && isDeepStrictEqual(redactResourceForFile(a), redactResourceForFile(b));
}

/** Tells whether a command may be written to a file: it has none of the sensitive values of its resource. */
export function isCommandFitForFile(
  { command }: SentCommand,
  { sensitive = [] }: Pick<ManagedResource, 'sensitive'> = {},
): boolean {
  return !sensitive.some((name) => name in command || `${name}Id` in command);
}

/** A resource in format 2, which recorded the service's stored value for the name alone (`keptName`). */
type FormerResource = ManagedResource & { readonly keptName?: string };

/** Converts a resource that was read from a file of an older format to the present format. */
export function upgradeResourceFormat(resource: FormerResource): ManagedResource {
  const { keptName, ...rest } = resource;
  return keptName === undefined ? resource : { ...rest, shown: { name: keptName } };
}
