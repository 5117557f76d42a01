// Resources whose status is a word that the contract does not have: whether the service works on them, only the records of
// their operations tell.
import { isUntoldByService } from '../api/errors/classify-error.ts';
import { hasUnknownStatus, readStatusByRecords } from '../kinds/outcome.ts';
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
  return resources.map((one) => {
    const operations = byProject.get(one.projectId);
    return operations ? readStatusByRecords(one, operations) : one;
  });
}

/** The newest records of a project; undefined where the service does not tell them. */
async function readIfTold(
  client: OperationRecordReader,
  projectId: string,
): Promise<readonly LiveOperation[] | undefined> {
  try {
    return await readOperationRecords(client, projectId);
  } catch (error) {
    if (isUntoldByService(error)) return undefined;
    throw error;
  }
}
