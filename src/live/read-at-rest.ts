// Resources whose status is a word that the contract does not have: whether the service works on them, only the records of
// their operations tell.
import { readRecordsIfTold, type OperationRecordReader } from '../api/operation-records.ts';
import { defaultOperationRecordCount } from '../api/reader.ts';
import { hasUnknownStatus, mayHaveOlderRecord, markAtRestByRecords } from '../kinds/outcome.ts';
import type { LiveResource } from '../model/account/live.ts';

/** Marks the resources that are at rest by their records; reads none where every status is known. @throws ApiError */
export async function markResourcesAtRest(
  client: OperationRecordReader,
  resources: readonly LiveResource[],
): Promise<readonly LiveResource[]> {
  const unknown = resources.filter(hasUnknownStatus);
  if (unknown.length === 0) return resources;
  const projectIds = [...new Set(unknown.map(({ projectId }) => projectId))];
  const lists = await Promise.all(
    projectIds.map(async (id) => {
      return [id, await readRecordsIfTold(client, id, { toleratesOutage: true })] as const;
    }),
  );
  const byProject = new Map(lists);
  return Promise.all(
    resources.map(async (one) => {
      const newest = byProject.get(one.projectId);
      if (!newest || !hasUnknownStatus(one)) return one;
      const operations = mayHaveOlderRecord(one, newest, defaultOperationRecordCount)
        ? await readRecordsIfTold(client, one.projectId, {
            resourceId: one.id,
            toleratesOutage: true,
          })
        : newest;
      return operations ? markAtRestByRecords(one, operations) : one;
    }),
  );
}
