import type { ResourceAddress } from '../../model/address.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { findProjectIdOfCommand } from '../../model/account/place-of-command.ts';
import { getLiveName, type LiveResource } from '../../model/account/live.ts';
import { addToGroup } from '../../model/group-by.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { PendingCreate } from '../../model/state/state.ts';

/** Names that pending creates have asked for, to see which of them a resource may come from. */
export class RequestedCreateNames {
  /** The addresses whose creates ask for a name, by kind, project and name. */
  readonly #asked = new Map<string, ResourceAddress[]>();
  /** Lookups by resource: thousands of creates ask about the same list, and each resource in it is looked up once. */
  readonly #found = new WeakMap<LiveResource, readonly ResourceAddress[]>();

  constructor(pending: ReadonlyMap<ResourceAddress, Pick<PendingCreate, 'command'>>) {
    for (const [address, { command }] of pending) {
      if (!('name' in command)) continue;
      const { kind } = commandSubjects[command.kind];
      // Kinds outside of projects have an empty project in their key, so that one lookup finds them.
      addToGroup(
        this.#asked,
        keyOf(kind, findProjectIdOfCommand(command) ?? '', command.name),
        address,
      );
    }
  }

  /** Tells whether a create of another address asked for a resource by its exact name. */
  isAskedForByOthers(live: LiveResource, own: ResourceAddress | undefined): boolean {
    let addresses = this.#found.get(live);
    if (!addresses) {
      addresses = this.#find(live);
      this.#found.set(live, addresses);
    }
    return addresses.some((address) => address !== own);
  }

  #find(live: LiveResource): readonly ResourceAddress[] {
    const name = getLiveName(live);
    if (name === undefined) return [];
    const inPlace = [live.projectId, ''].map((place) => keyOf(live.kind, place, name));
    return inPlace.flatMap((key) => this.#asked.get(key) ?? []);
  }
}

/**
 * Makes the test whether another create than that of the address asked for a resource by its exact name: the resource is then
 * that create's, and no other name that a service has rewritten. `listAsked` is only called where there is a question.
 */
export function createRequestedByOtherFilter(
  listAsked: () => RequestedCreateNames,
  own: ResourceAddress | undefined,
): (live: LiveResource) => boolean {
  return (live) => listAsked().isAskedForByOthers(live, own);
}

/**
 * Makes, for an unchanging set of creates, the test of each address whether another create asked for a resource by its exact
 * name. The creates are indexed once for all questions.
 */
export function indexRequestedByOtherFilters(
  pending: ReadonlyMap<ResourceAddress, Pick<PendingCreate, 'command'>>,
): (own: ResourceAddress) => (live: LiveResource) => boolean {
  let asked: RequestedCreateNames | undefined;
  return (own) =>
    createRequestedByOtherFilter(() => (asked ??= new RequestedCreateNames(pending)), own);
}

/** The name stands last: neither a kind nor an id holds a line break. */
function keyOf(kind: KindName, projectId: string, name: string): string {
  return `${kind}\n${projectId}\n${name}`;
}
