import type { Address } from '../../model/address.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { projectIdOf } from '../../model/account/place-of-command.ts';
import { nameOf, type LiveResource } from '../../model/account/live.ts';
import { addTo } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { PendingCreate } from '../../model/state/state.ts';

/** What creates have asked for by name. */
export class AskedNames {
  /** The addresses whose creates ask for a name, by kind, project and name. */
  readonly #asked = new Map<string, Address[]>();
  /** Thousands of creates ask about the same list: each resource in it is looked up once. */
  readonly #found = new WeakMap<LiveResource, readonly Address[]>();

  constructor(pending: ReadonlyMap<Address, Pick<PendingCreate, 'command'>>) {
    for (const [address, { command }] of pending) {
      if (!('name' in command)) continue;
      const { kind } = commandSubjects[command.kind];
      // What lies in no project is asked for wherever it shows.
      addTo(this.#asked, keyOf(kind, projectIdOf(command) ?? '', command.name), address);
    }
  }

  /** True for what a create of another address asked for by this very name. */
  isAskedForByOthers(live: LiveResource, own: Address | undefined): boolean {
    let addresses = this.#found.get(live);
    if (!addresses) {
      addresses = this.#find(live);
      this.#found.set(live, addresses);
    }
    return addresses.some((address) => address !== own);
  }

  #find(live: LiveResource): readonly Address[] {
    const name = nameOf(live);
    if (name === undefined) return [];
    const inPlace = [live.projectId, ''].map((place) => keyOf(live.kind, place, name));
    return inPlace.flatMap((key) => this.#asked.get(key) ?? []);
  }
}

/**
 * True for what one of these creates, other than that of the address if any, asked for by its very name: it is that one's, and
 * no other name that a service has rewritten. `listAsked` is not called where nothing is asked about.
 */
export function askedForByOthers(
  listAsked: () => AskedNames,
  own: Address | undefined,
): (live: LiveResource) => boolean {
  return (live) => listAsked().isAskedForByOthers(live, own);
}

/** The same of creates that stay as they are: gone through once for all that are asked about. */
export function othersAsking(
  pending: ReadonlyMap<Address, Pick<PendingCreate, 'command'>>,
): (own: Address) => (live: LiveResource) => boolean {
  let asked: AskedNames | undefined;
  return (own) => askedForByOthers(() => (asked ??= new AskedNames(pending)), own);
}

/** The name stands last: neither a kind nor an id holds a line break. */
function keyOf(kind: KindName, projectId: string, name: string): string {
  return `${kind}\n${projectId}\n${name}`;
}
