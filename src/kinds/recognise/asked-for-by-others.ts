import type { Address } from '../../model/address.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { projectOf } from '../../model/account/place-of-command.ts';
import { nameOf, type LiveResource } from '../../model/account/live.ts';
import { addTo } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { PendingCreate } from '../../model/state/state.ts';

/** The addresses whose creates ask for a name, by kind, project and name. */
export type AskedNames = ReadonlyMap<string, readonly Address[]>;

/** What creates have asked for by name. */
export function listAskedNames(
  pending: ReadonlyMap<Address, Pick<PendingCreate, 'command'>>,
): AskedNames {
  const asked = new Map<string, Address[]>();
  for (const [address, { command }] of pending) {
    if (!('name' in command)) continue;
    const { kind } = commandSubjects[command.kind];
    // What lies in no project is asked for wherever it shows.
    addTo(asked, keyOf(kind, projectOf(command) ?? '', command.name), address);
  }
  return asked;
}

/**
 * True for what one of these creates, other than that of the address if any, asked for by its very name: it is that one's, and
 * no other name that a service has rewritten. `listAsked` is not called where nothing is asked about.
 */
export function askedForByOthers(
  listAsked: () => AskedNames,
  own: Address | undefined,
): (live: LiveResource) => boolean {
  return (live) => {
    const name = nameOf(live);
    if (name === undefined) return false;
    const asked = listAsked();
    const isAsked = (projectId: string) =>
      asked.get(keyOf(live.kind, projectId, name))?.some((address) => address !== own) === true;
    return isAsked(live.projectId) || isAsked('');
  };
}

/** The same of creates that stay as they are: gone through once for all that are asked about. */
export function othersAsking(
  pending: ReadonlyMap<Address, Pick<PendingCreate, 'command'>>,
): (own: Address) => (live: LiveResource) => boolean {
  let asked: AskedNames | undefined;
  return (own) => askedForByOthers(() => (asked ??= listAskedNames(pending)), own);
}

/** The name stands last: neither a kind nor an id holds a line break. */
function keyOf(kind: KindName, projectId: string, name: string): string {
  return `${kind}\n${projectId}\n${name}`;
}
