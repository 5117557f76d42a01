// Resources whose status is a word that the contract does not have: whether the service works on them, only the records of
// their operations tell.
import { isUntoldByService } from '../api/errors/classify-error.ts';
import { newestOperationCount } from '../api/reader.ts';
import { findLatestRecord, hasUnknownStatus, readStatusByRecords } from '../kinds/outcome.ts';
import type { LiveResource } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { readOperationRecords, type OperationRecordReader } from './read-records.ts';

/** Marks the resources that are at rest by their records; reads none where every status is known. @throws ApiError */
export async function readRestingResources(
  client: OperationRecordReader,
  resources: readonly LiveResource[],
): Promise<readonly LiveResource[]> {
  const unknown = resources.filter(hasUnknownStatus);
  if (unknown.length === 0) return resources;
  const projectIds = [...new Set(unknown.map(({ projectId }) => projectId))];
  const lists = await Promise.all(
    projectIds.map(async (id) => [id, await readIfTold(client, id)] as const),
  );
  const byProject = new Map(lists);
  return Promise.all(
    resources.map(async (one) => {
      const newest = byProject.get(one.projectId);
      if (!newest || !hasUnknownStatus(one)) return one;
      // An older one may go on yet.
      const hasOlder = newest.length >= newestOperationCount && !findLatestRecord(one, newest);
      const operations = hasOlder ? await readIfTold(client, one.projectId, one.id) : newest;
      return operations ? readStatusByRecords(one, operations) : one;
    }),
  );
}

/** The newest records of a project, or of one resource in it; undefined where the service does not tell them. */
async function readIfTold(
  client: OperationRecordReader,
  projectId: string,
  resourceId?: string,
): Promise<readonly LiveOperation[] | undefined> {
  try {
    return await readOperationRecords(client, projectId, { resourceId });
  } catch (error) {
    if (isUntoldByService(error)) return undefined;
    throw error;
  }
}
