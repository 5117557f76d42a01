import type { ServiceClient } from '../../api/client.ts';
import { isUntoldByService } from '../../api/errors/classify-error.ts';
import { hasUnknownStatus, markAtRest, readStatusByRecords } from '../../kinds/outcome.ts';
import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import type { KindName } from '../../model/kind-places.ts';

/**
 * Reads one resource as it is now; where its status says nothing, with the records of its operations, which tell whether the
 * service works on it.
 * @returns undefined when the service has none of that id @throws ApiError
 */
export async function readResourceByRecords(
  client: Pick<ServiceClient, 'get' | 'listOperations'>,
  kind: KindName,
  place: ResourcePlace,
  id: string,
): Promise<LiveResource | undefined> {
  const live = await client.get(kind, place, id);
  if (!live || !hasUnknownStatus(live)) return live;
  try {
    const operations = await client.listOperations(place.projectId, { resourceId: id });
    return readStatusByRecords(live, operations);
  } catch (error) {
    // Then a request finds out: what the service works on it answers with a conflict.
    if (isUntoldByService(error)) return markAtRest(live);
    throw error;
  }
}
