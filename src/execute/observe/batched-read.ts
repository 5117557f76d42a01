import type { ServiceClient } from '../../api/client.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';
import type { Clock } from '../../model/runtime.ts';

/** Reads single resources as they are now, those that are asked for at once with one list. */
export interface BatchedRead {
  /** @returns undefined when the service has none of that id (any more) @throws ApiError */
  read(kind: KindName, place: ResourcePlace, id: string): Promise<LiveResource | undefined>;
}

/** Time that the first reader waits for others to join, in milliseconds. */
const gatherMs = 20;
/** Usual number of entries on a page of a list. */
export const usualListPageSize = 100;

type Found = (id: string) => Promise<LiveResource | undefined>;

interface Gathering {
  readonly ids: Set<string>;
  readonly look: Promise<Found>;
}

/** A batched read through one client. `countKnown` says about how many of a kind stand in a place. */
export function createBatchedRead(
  client: Pick<ServiceClient, 'list' | 'get'>,
  clock: Clock,
  countKnown: (kind: KindName, place: ResourcePlace) => number,
): BatchedRead {
  const gatherings = new Map<string, Gathering>();

  const open = (key: string, kind: KindName, place: ResourcePlace): Gathering => {
    const look = async (): Promise<Found> => {
      await clock.sleep(gatherMs);
      gatherings.delete(key);
      const pages = Math.max(1, Math.ceil(countKnown(kind, place) / usualListPageSize));
      if (gathering.ids.size <= pages) return (id) => client.get(kind, place, id);
      const needsWhole = ({ id }: LiveResource) => gathering.ids.has(id);
      const listed = await client.list(kind, place, { needsWhole });
      const byId = new Map<string, LiveResource>(listed.map((live) => [live.id, live]));
      // A list may lag, or have null items: what it does not show is asked for by its id.
      return async (id) => byId.get(id) ?? client.get(kind, place, id);
    };
    const gathering: Gathering = { ids: new Set(), look: look() };
    gatherings.set(key, gathering);
    return gathering;
  };

  return {
    async read(kind, place, id) {
      const key = [kind, place.projectId, place.publicIpId ?? ''].join(' ');
      const gathering = gatherings.get(key) ?? open(key, kind, place);
      gathering.ids.add(id);
      const find = await gathering.look;
      return find(id);
    },
  };
}
