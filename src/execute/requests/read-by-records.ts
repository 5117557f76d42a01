import type { ServiceClient } from '../../api/client.ts';
import { readRecordsIfTold } from '../../api/operation-records.ts';
import { hasUnknownStatus, markAtRest, markAtRestByRecords } from '../../kinds/outcome.ts';
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
  const asked = { resourceId: id, toleratesOutage: true };
  const operations = await readRecordsIfTold(client, place.projectId, asked);
  // Without records a request finds out: what the service works on it answers with a conflict.
  return operations ? markAtRestByRecords(live, operations) : markAtRest(live);
}
