import type { Address } from '../../model/address.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { projectOf } from '../../model/account/place-of-command.ts';
import { nameOf, type LiveResource } from '../../model/account/live.ts';
import type { PendingCreate } from '../../model/state/state.ts';

/**
 * True for what one of these creates, other than that of the address, asked for by its very name: it is that one's, and
 * no other name that a service has rewritten.
 */
export function askedForByOthers(
  pending: ReadonlyMap<Address, Pick<PendingCreate, 'command'>>,
  own: Address,
): (live: LiveResource) => boolean {
  return (live) => {
    for (const [address, { command }] of pending) {
      if (address === own || live.kind !== commandSubjects[command.kind].kind) continue;
      if ((projectOf(command) ?? live.projectId) !== live.projectId) continue;
      if ('name' in command && command.name === nameOf(live)) return true;
    }
    return false;
  };
}
