import type { ServiceClient } from '../api/client.ts';
import { readRecordsIfTold } from '../api/operation-records.ts';
import { isRecordedAsOperation, matchRecordWithCommand } from '../kinds/operation-types.ts';
import { listUnfoundResources, type UnshownResource } from '../kinds/unfound.ts';
import type { LiveSnapshot } from '../model/account/live.ts';
import type { LiveOperation } from '../model/account/operation.ts';
import { commandNames, commandSubjects, type CommandName } from '../model/account/command.ts';
import { InternalError } from '../model/errors.ts';
import { lostCreateSearchBounds } from '../model/state/evidence.ts';
import { groupBy } from '../model/group-by.ts';
import type { KindName } from '../model/kind-places.ts';
import type { ManagedResource, State } from '../model/state/state.ts';

/**
 * Finds resources of the state that the account does not show although operation records say that they were created recently and
 * not deleted: lists that lag do not show them yet. None where the service records nothing of a kind or tells no time, and none
 * that our own requests have deleted. @throws ApiError
 */
export async function findUnshownResources(
  client: Pick<ServiceClient, 'listOperations' | 'serviceTime'>,
  { resources, sent }: Pick<State, 'resources' | 'sent'>,
  live: Pick<LiveSnapshot, 'projects' | 'resources'>,
): Promise<readonly UnshownResource[]> {
  const now = client.serviceTime();
  if (now === undefined) return [];
  const isOurDelete = (id: string) => {
    const command = sent?.get(id)?.command.kind;
    return command !== undefined && commandSubjects[command].effect === 'delete';
  };
  const recorded = listUnfoundResources({ resources }, live).filter(
    ({ kind, id }) => isRecordedAsOperation(findCommand(kind, 'create')) && !isOurDelete(id),
  );
  const groups = [...groupBy(recorded, ({ projectId }) => projectId)];
  const found = groups.map(async ([projectId, group]) => {
    const operations = (await readRecordsIfTold(client, projectId)) ?? [];
    return group.flatMap((resource) => describeUnshown(resource, operations, now) ?? []);
  });
  return (await Promise.all(found)).flat();
}

function describeUnshown(
  resource: ManagedResource,
  operations: readonly LiveOperation[],
  now: number,
): UnshownResource | undefined {
  const { kind, id } = resource;
  const records = operations.filter(({ resourceId }) => resourceId === id);
  const createdAt = readCreation(kind, records);
  if (createdAt === undefined) return undefined;
  const goneAt = createdAt + lostCreateSearchBounds.mostLookMs;
  return now < goneAt ? { resource, createdAt, goneAt, leftMs: goneAt - now } : undefined;
}

/**
 * When it was created by these records of one resource, newest first, none of which may be its deletion. The oldest is the
 * create, by its type or where its type is not published.
 */
function readCreation(kind: KindName, records: readonly LiveOperation[]): number | undefined {
  const oldest = records.at(-1);
  if (!oldest || matchRecordWithCommand(oldest, findCommand(kind, 'create')) === 'no')
    return undefined;
  const isDeleted = records
    .slice(0, -1)
    .some((one) => matchRecordWithCommand(one, findCommand(kind, 'delete')) !== 'no');
  return isDeleted ? undefined : (oldest.createdAt ?? undefined);
}

function findCommand(kind: KindName, effect: 'create' | 'delete'): CommandName {
  const found = commandNames.find(
    (name) => commandSubjects[name].kind === kind && commandSubjects[name].effect === effect,
  );
  if (!found) throw new InternalError(`no command to ${effect} a ${kind}`);
  return found;
}
