import { isDeepStrictEqual } from 'node:util';
import type { ManagedResource, SentCommand } from '../../model/state/state.ts';

/** The resource as it may stand in a file: without its sensitive values. */
export function redact(resource: ManagedResource): ManagedResource {
  const { keptName, ...rest } = resource;
  const { attributes, sensitive = [] } = resource;
  if (!sensitive.some((name) => name in attributes)) return resource;
  const kept = Object.entries(attributes).filter(([name]) => !sensitive.includes(name));
  return {
    ...rest,
    // It tells the name as well.
    ...(keptName !== undefined && !sensitive.includes('name') && { keptName }),
    attributes: Object.fromEntries(kept),
  };
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
