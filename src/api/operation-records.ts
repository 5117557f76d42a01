import type { LiveOperation } from '../model/account/operation.ts';
import type { ServiceClient } from './client.ts';
import type { WireApiOperationStatus, WireRequest } from './contract/types.ts';
import { isUntoldByService, isWithheldByService } from './errors/classify-error.ts';
import type { OperationRecordFilter } from './reader.ts';
import { decodeOperation } from './wire/decode.ts';
import type { ServiceCallOptions, ServiceCaller } from './wire/caller.ts';
import { readServiceList } from './wire/reading.ts';

const statuses: Record<WireApiOperationStatus, true> = {
  Queued: true,
  Running: true,
  InProgress: true,
  Succeeded: true,
  Failed: true,
};

/** Statuses of operations that the contract lists. A service may show others. */
export const contractOperationStatuses: readonly string[] = Object.keys(statuses);

/** Filter of a project's operation records. */
export interface ProjectOperationFilter {
  readonly resourceId?: string | undefined;
  /** Statuses in any case; one that is not in the contract is searched among the newest records. Empty: any status. */
  readonly statuses?: readonly string[];
  /** The most operation records to return; the newest are kept. */
  readonly limit: number;
}

/** Records that are searched for a status that the contract does not list, since the service may not filter by it. */
const searched = 1_000;

/** The newest operation records of a project that match, newest first. @throws ApiError */
export async function listOperationRecords(
  client: ServiceCaller,
  projectId: string,
  { resourceId, statuses = [], limit }: ProjectOperationFilter,
): Promise<LiveOperation[]> {
  // One request for each wanted status: the service filters by a single status.
  const wanted = statuses.length === 0 ? [undefined] : statuses;
  const lists = await Promise.all(
    wanted.map((status) => listOfStatus(client, projectId, { resourceId, status, limit })),
  );
  const byId = new Map(lists.flat().map((record) => [record.id, record]));
  return [...byId.values()].sort((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0)).slice(0, limit);
}

interface StatusFilter extends Omit<ProjectOperationFilter, 'statuses'> {
  readonly status: string | undefined;
}

async function listOfStatus(
  client: ServiceCaller,
  projectId: string,
  { resourceId, status, limit }: StatusFilter,
): Promise<LiveOperation[]> {
  const known = findStatus(status);
  const query = {
    ...(resourceId !== undefined && { resourceId }),
    ...(known !== undefined && { status: known }),
  };
  const request: WireRequest = { operation: 'listOperations', params: { projectId }, query };
  const isUnpublished = status !== undefined && known === undefined;
  const reading = { request, decode: decodeOperation };
  const records = await readServiceList(client, reading, {
    atMost: isUnpublished ? searched : limit,
  });
  // That the service filters is assumed: one that does not know a parameter answers all.
  return records
    .filter((record) => resourceId === undefined || record.resourceId === resourceId)
    .filter((record) => status === undefined || mayHaveStatus(record.status, status, known))
    .slice(0, limit);
}

/** Finds a published status of operations by its name, in upper or lower case. */
function findStatus(status: string | undefined): WireApiOperationStatus | undefined {
  const wanted = status?.toLowerCase();
  return (contractOperationStatuses as readonly WireApiOperationStatus[]).find(
    (one) => one.toLowerCase() === wanted,
  );
}

/** A status that is not published stays in when the service was asked to filter: it knows its own names better. */
function mayHaveStatus(shown: string, wanted: string, known: string | undefined): boolean {
  if (shown.toLowerCase() === wanted.toLowerCase()) return true;
  return known !== undefined && findStatus(shown) === undefined;
}

/** The part of the client that reads operation records. */
export type OperationRecordReader = Pick<ServiceClient, 'listOperations'>;

/** The operation records that are worth reading, and what is made of an outage. */
interface ToldRecordFilter extends OperationRecordFilter {
  /**
   * Tells whether an outage leaves the reader without records, too. Else it is an error: afterwards they may tell what nothing
   * else does.
   */
  readonly toleratesOutage?: boolean;
}

/**
 * The newest operation records of a project, or of one resource in it; undefined where the service withholds them, so that
 * other evidence has to do. @throws ApiError
 */
export async function readRecordsIfTold(
  client: OperationRecordReader,
  projectId: string,
  { toleratesOutage = false, ...filter }: ToldRecordFilter = {},
  options?: ServiceCallOptions,
): Promise<readonly LiveOperation[] | undefined> {
  const isUntold = toleratesOutage ? isUntoldByService : isWithheldByService;
  try {
    return await client.listOperations(projectId, filter, options);
  } catch (error) {
    if (isUntold(error)) return undefined;
    throw error;
  }
}
