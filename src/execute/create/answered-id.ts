import type { ServiceClient } from '../../api/client.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { isRecordedAsOperation } from '../../kinds/operation-types.ts';
import type { CreateAttempt } from '../../kinds/recognise/recognise.ts';
import { mayRecordCreate } from '../../kinds/recognise/unexplained-records.ts';
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
