import type { ServiceClient } from '../../api/client.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Clock } from '../../model/runtime.ts';

/** The resources of a collection as listed a moment ago. */
export interface CollectionListing {
  readonly resources: readonly LiveResource[];
  /** The service's time by then: nothing that is sent now is created before it. Undefined where the service tells none. */
  readonly serviceAt: number | undefined;
  /** Time of the list by this computer's clock, in milliseconds. */
  readonly at: number;
}

/** Lists a collection right before something is created in it: one list for all creates of a moment. */
export interface CollectionLister {
  read(kind: KindName, place: ResourcePlace): Promise<CollectionListing>;
  /** Takes a list that was read for another reason. */
  note(kind: KindName, place: ResourcePlace, resources: readonly LiveResource[]): void;
  /** The newest list of a collection, whoever read it. */
  shown(kind: KindName, place: ResourcePlace): readonly LiveResource[];
  /** Keeps all that is listed there from now on, whoever asks for it, until it is stopped. */
  follow(kind: KindName, place: ResourcePlace): FollowedListing;
  /** Notes an empty new project, made by that time of our clock: its lists at that moment are known without a request. */
  noteNewProject(projectId: string, at: number): void;
  /** Drops what is known of a list that is about to change by something else than a create of its own kind. */
  forget(kind: KindName, place: ResourcePlace): void;
}

/** Resources that lists have shown since a follower began to follow them. */
export interface FollowedListing {
  /** Resources by id, each as the latest list showed it. */
  readonly shown: ReadonlyMap<string, LiveResource>;
  stop(): void;
}

/** Time that the first look waits for others to join, in milliseconds. */
const gatherMs = 20;
/** Milliseconds for which a list still counts as the content of the collection before a create. */
const freshMs = 500;

/** Looks through one client. `isNew`: what must be told whole, since a create may have made it; all unless given. */
export function createCollectionLister(
  client: Pick<ServiceClient, 'list' | 'isFromPast' | 'serviceTime' | 'latestServiceTime'>,
  clock: Clock,
  isNew: (live: LiveResource) => boolean = () => true,
): CollectionLister {
  const last = new Map<string, CollectionListing>();
  const underWay = new Map<string, Promise<CollectionListing>>();
  /** Empty lists of projects that were just created, by project, which need no request. */
  const empty = new Map<string, CollectionListing>();
  const followed = new Map<string, Set<Map<string, LiveResource>>>();
  const keyOf = (kind: KindName, { projectId, publicIpId }: ResourcePlace) =>
    [kind, projectId, publicIpId ?? ''].join(' ');
  const keep = (
    key: string,
    listed: readonly LiveResource[],
    resources = listed,
  ): CollectionListing => {
    // A request that is sent now creates its resource now, however old the list is.
    const serviceAt = client.isFromPast(listed) ? client.latestServiceTime() : client.serviceTime();
    const look = { resources, serviceAt, at: clock.now() };
    last.set(key, look);
    for (const shown of followed.get(key) ?? [])
      for (const one of resources) shown.set(one.id, one);
    return look;
  };
  return {
    read(kind, place) {
      const key = keyOf(kind, place);
      const known = last.get(key) ?? empty.get(place.projectId);
      if (known && clock.now() - known.at <= freshMs) return Promise.resolve(known);
      let look = underWay.get(key);
      if (!look) {
        look = (async () => {
          await clock.sleep(gatherMs);
          // Callers from now on need a newer list than the one that is about to be read.
          underWay.delete(key);
          return keep(key, await client.list(kind, place, { needsWhole: isNew }));
        })();
        underWay.set(key, look);
      }
      return look;
    },
    note(kind, place, resources) {
      const key = keyOf(kind, place);
      const known = last.get(key);
      const isFresh = known && clock.now() - known.at <= freshMs;
      // A list that lags takes nothing back of what another has shown a moment before.
      keep(key, resources, isFresh ? joinById(known.resources, resources) : resources);
    },
    shown: (kind, place) => last.get(keyOf(kind, place))?.resources ?? [],
    follow(kind, place) {
      const key = keyOf(kind, place);
      const followers = followed.get(key) ?? new Set();
      const shown = new Map<string, LiveResource>();
      followed.set(key, followers.add(shown));
      return { shown, stop: () => void followers.delete(shown) };
    },
    noteNewProject(projectId, at) {
      empty.set(projectId, { resources: [], serviceAt: client.serviceTime(), at });
    },
    forget(kind, place) {
      last.delete(keyOf(kind, place));
      empty.delete(place.projectId);
    },
  };
}

/** Adds to the newer list what only the older one has. */
function joinById(
  older: readonly LiveResource[],
  younger: readonly LiveResource[],
): readonly LiveResource[] {
  if (older === younger) return younger;
  const ids = new Set(younger.map(({ id }) => id));
  const missing = older.filter(({ id }) => !ids.has(id));
  return missing.length === 0 ? younger : [...younger, ...missing];
}
