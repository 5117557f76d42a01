import type { Address } from '../../model/address.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { projectOf } from '../../model/account/place-of-command.ts';
import { nameOf, type LiveResource } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { PendingCreate } from '../../model/state/state.ts';

/**
 * True for what one of these creates, other than that of the address, asked for by its very name: it is that one's, and
 * no other name that a service has rewritten.
 */
export function askedForByOthers(
  pending: ReadonlyMap<Address, Pick<PendingCreate, 'command'>>,
  own: Address,
): (live: LiveResource) => boolean {
  let asked: ReadonlySet<string> | undefined;
  return (live) => {
    // Gone through once for all that are asked about, and not at all where nothing is.
    asked ??= listAsked(pending, own);
    const name = nameOf(live);
    return (
      name !== undefined &&
      (asked.has(keyOf(live.kind, live.projectId, name)) || asked.has(keyOf(live.kind, '', name)))
    );
  };
}

function listAsked(
  pending: ReadonlyMap<Address, Pick<PendingCreate, 'command'>>,
  own: Address,
): ReadonlySet<string> {
  const asked = new Set<string>();
  for (const [address, { command }] of pending) {
    if (address === own || !('name' in command)) continue;
    // What lies in no project is asked for wherever it shows.
    asked.add(keyOf(commandSubjects[command.kind].kind, projectOf(command) ?? '', command.name));
  }
  return asked;
}

function keyOf(kind: KindName, projectId: string, name: string): string {
  return JSON.stringify([kind, projectId, name]);
}
