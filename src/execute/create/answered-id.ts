// The id in the answer to a create, which may be that of its resource or that of its operation: the run that sent the create and
// the next one follow it alike.
import type { ServiceClient } from '../../api/client.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { readRecordsIfTold } from '../../api/operation-records.ts';
import {
  isRecordedAsOperation,
  matchRecordWithCommand,
  readOperationOutcome,
} from '../../kinds/operation-types.ts';
import type { CreateAttempt } from '../../kinds/recognise/recognise.ts';
import { mayRecordCreate } from '../../kinds/recognise/unexplained-records.ts';
import { commandSubjects } from '../../model/account/command.ts';
import type { LiveOperation } from '../../model/account/operation.ts';
import { placeOfCommand } from '../../model/account/place-of-command.ts';

/** The thing that an answered id leads to, as far as the service tells it by now. */
export type AnsweredIdReading =
  /** The result, which may not show yet. `isNamed`: by its operation; else an operation of the answered id may show later. */
  | { readonly kind: 'result'; readonly id: string; readonly isNamed: boolean }
  /**
   * The operation, which names no resource. While it is open it may name one later; `foreignIds` are those that other operations
   * of such a create name.
   */
  | { readonly kind: 'operation'; readonly isOpen: boolean; readonly foreignIds: readonly string[] }
  /** The operation has failed and names no resource, so that nothing was made. */
  | { readonly kind: 'failed'; readonly failureCode: string | null };

const leadsNowhere: AnsweredIdReading = { kind: 'operation', isOpen: false, foreignIds: [] };

/**
 * Reads where the id in the answer to a create leads. Where each kind counts its own ids, an operation of that id may be
 * somebody else's. An id of which the service tells nothing is taken for the result's. `former` is the reading before, which
 * stays where the service cannot be asked.
 */
export async function readAnsweredId(
  client: Pick<ServiceClient, 'getOperation' | 'listOperations'>,
  attempt: CreateAttempt,
  id: string,
  former?: AnsweredIdReading,
): Promise<AnsweredIdReading> {
  const { command, knownIds } = attempt;
  const unread: AnsweredIdReading = knownIds.includes(id)
    ? leadsNowhere
    : { kind: 'result', id, isNamed: false };
  if (!isRecordedAsOperation(command.kind)) return unread;
  try {
    const { projectId } = placeOfCommand(command);
    const operation = await client.getOperation(projectId, id);
    if (!operation || !mayRecordCreate(operation, attempt)) return unread;
    const { resourceId, failureCode, completedAt } = operation;
    if (resourceId !== null)
      return knownIds.includes(resourceId)
        ? unread
        : { kind: 'result', id: resourceId, isNamed: true };
    const outcome = readOperationOutcome(operation);
    if (outcome === 'failed') return { kind: 'failed', failureCode };
    const operations = (await readRecordsIfTold(client, projectId)) ?? [];
    const isOpen = outcome !== 'succeeded' && completedAt === null;
    return { kind: 'operation', isOpen, foreignIds: listForeignIds(operations, attempt, id) };
  } catch (error) {
    if (error instanceof ApiError) return former ?? unread;
    throw error;
  }
}

/** Tells whether the service may tell more of an answered id later. */
export function mayLeadElsewhere(reading: AnsweredIdReading): boolean {
  return reading.kind === 'result'
    ? !reading.isNamed
    : reading.kind === 'operation' && reading.isOpen;
}

/** Ids of resources that other operations than that of the create have made. */
function listForeignIds(
  operations: readonly LiveOperation[],
  attempt: CreateAttempt,
  operationId: string,
): readonly string[] {
  return operations.flatMap((one) => {
    const isOfCreate = matchRecordWithCommand(one, attempt.command.kind) === 'yes';
    return isOfCreate && one.id !== operationId ? (one.resourceId ?? []) : [];
  });
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
