import type { ServiceClient } from '../api/client.ts';
import {
  isNotFound,
  isUntoldByService,
  isWithheldByService,
} from '../api/errors/classify-error.ts';
import type { OperationRecordFilter } from '../api/reader.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { projectKind } from '../model/kind-table.ts';

/** The part of the client that reads operation records. */
export type OperationRecordReader = Pick<ServiceClient, 'listOperations' | 'get'>;

/** The newest operation records of a project, newest first; none of one that is gone, records and all. @throws ApiError */
export async function readOperationRecords(
  client: OperationRecordReader,
  projectId: string,
  filter?: OperationRecordFilter,
): Promise<readonly LiveOperation[]> {
  try {
    return await client.listOperations(projectId, filter);
  } catch (error) {
    // A list that is not there may also mean that its path is another: then the project still stands.
    if (isNotFound(error) && !(await client.get(projectKind, { projectId }, projectId))) return [];
    throw error;
  }
}

/** The newest records of a project, or of one resource in it; undefined where the service does not tell them. @throws ApiError */
export async function readRecordsIfTold(
  client: OperationRecordReader,
  projectId: string,
  filter?: OperationRecordFilter,
): Promise<readonly LiveOperation[] | undefined> {
  try {
    return await readOperationRecords(client, projectId, filter);
  } catch (error) {
    if (isUntoldByService(error)) return undefined;
    throw error;
  }
}

/**
 * The newest records of a project; undefined where the service withholds them. An outage is an error: the records may tell
 * afterwards what nothing else does. @throws ApiError
 */
export async function readRecordsUnlessWithheld(
  client: Pick<ServiceClient, 'listOperations'>,
  projectId: string,
): Promise<readonly LiveOperation[] | undefined> {
  try {
    return await client.listOperations(projectId);
  } catch (error) {
    if (isWithheldByService(error)) return undefined;
    throw error;
  }
}
