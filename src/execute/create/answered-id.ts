import type { ServiceClient } from '../../api/client.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { isRecordedAsOperation } from '../../kinds/operation-types.ts';
import type { CreateAttempt } from '../../kinds/recognise/recognise.ts';
import { mayRecordCreate } from '../../kinds/recognise/unexplained-records.ts';
import { commandSubjects } from '../../model/account/command.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';

/**
 * The id of a create's result by that in its answer, which may be the id of the operation; undefined where that names no new
 * resource. Where each kind counts its own ids, an operation of that id may be somebody else's. An id of which the service
 * tells nothing is taken for the result's.
 */
export async function findAnsweredResourceId(
  client: Pick<ServiceClient, 'getOperation'>,
  attempt: CreateAttempt,
  id: string,
): Promise<string | undefined> {
  const { command, knownIds } = attempt;
  const newId = knownIds.includes(id) ? undefined : id;
  if (!isRecordedAsOperation(command.kind)) return newId;
  try {
    const { projectId } = placeOfCommand(command);
    const operation = await client.getOperation(projectId, id);
    if (!operation || !mayRecordCreate(operation, attempt)) return newId;
    const { resourceId } = operation;
    if (resourceId === null) return undefined;
    return knownIds.includes(resourceId) ? newId : resourceId;
  } catch (error) {
    if (error instanceof ApiError) return newId;
    throw error;
  }
}

/**
 * Tells whether the id in the answer to a create is that of a new resource of its kind. It may be that of its operation: then
 * the account has nothing of that id, now or later.
 */
export async function isAnsweredResource(
  client: Pick<ServiceClient, 'get'>,
  { command, knownIds }: CreateAttempt,
  id: string,
): Promise<boolean> {
  // The id of an operation may be that of a resource that was there before.
  if (knownIds.includes(id)) return false;
  const { kind } = commandSubjects[command.kind];
  try {
    return (await client.get(kind, placeOfCommand(command), id)) !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
