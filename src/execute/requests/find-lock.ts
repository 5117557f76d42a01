import type { LiveResource, ResourcePlace } from '../../model/account/live.ts';
import { ApiError } from '../../api/errors/errors.ts';
import { isFinished } from '../../kinds/operation-types.ts';
import type { Lock, LockHolder } from '../../model/plan/result.ts';
import type { ServiceClient } from '../../api/client.ts';
import type { RunContext } from '../context/run-context.ts';

/** The parts of a run that know of locks. */
type LockSources = Pick<RunContext, 'holders' | 'addresses'> & {
  readonly client: Pick<ServiceClient, 'listOperations'>;
};

/**
 * Finds the holder of a resource's lock, as far as that can be found before `over` is aborted. Never rejects: its result is
 * only shown.
 */
export async function findLock(
  context: LockSources,
  live: LiveResource,
  place: ResourcePlace,
  over?: AbortSignal,
): Promise<Lock> {
  const resource = context.addresses.get(live.id);
  const by = await findHolder(context, live, place, over);
  return { ...(resource !== undefined && { resource }), ...(by && { by }) };
}

async function findHolder(
  { holders, client }: LockSources,
  live: LiveResource,
  { projectId }: ResourcePlace,
  over: AbortSignal | undefined,
): Promise<LockHolder | undefined> {
  const address = holders.find(live.id);
  if (address !== undefined) return { kind: 'change', address };
  if (projectId === '') return undefined;
  const operations = await client
    .listOperations(projectId, { resourceId: live.id }, { signal: over })
    .catch((error: unknown) => {
      if (error instanceof ApiError || over?.aborted) return [];
      throw error;
    });
  const found = operations.find(
    (operation) => operation.resourceId === live.id && !isFinished(operation),
  );
  if (!found) return undefined;
  return { kind: 'operation', id: found.id, type: found.type, since: found.createdAt };
}
