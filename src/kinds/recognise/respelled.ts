import { nameOf, type LiveResource } from '../../model/account/live.ts';
import type { ResolvedCommand } from '../../model/account/command.ts';
import type { ManagedResource } from '../../model/state/state.ts';
import { hasIdentity } from './recognise.ts';

/** What may be the second result of a create, and what looks like it. */
interface Extras {
  readonly ours: readonly LiveResource[];
  readonly alike: readonly LiveResource[];
}

/**
 * A service that has kept the name of one thing rewrites that of no other. `bound`: what the same create made, as far as it
 * is known; where it has the very name, what has another spelling of it is merely alike: a person has made or renamed it.
 */
export function dropRespelled(
  command: ResolvedCommand,
  { bound, ours, alike }: Extras & { readonly bound: LiveResource | undefined },
): Extras {
  const isKept = bound !== undefined && hasIdentity(command, bound);
  if (!isKept || ours.some((live) => hasIdentity(command, live))) return { ours, alike };
  return { ours: [], alike: [...ours, ...alike] };
}

/**
 * True for what bears another spelling of the name that was asked for, where the service is not known to rewrite names:
 * somebody else may have made it.
 */
export function isOddlySpelled(
  command: ResolvedCommand,
  live: LiveResource,
  managed: Iterable<ManagedResource>,
): boolean {
  if (!('name' in command) || nameOf(live) === command.name) return false;
  for (const { shown } of managed) if (shown?.name !== undefined) return false;
  return true;
}
