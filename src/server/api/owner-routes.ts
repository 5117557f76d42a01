// Routes of owners: a workspace is locked, unlocked and deleted.
import type { Hono } from 'hono';
import type { Workspace } from '../store/workspaces.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import type { ReadValidatedBody } from './validate-body.ts';

const workspacePath = '/api/v1/workspaces/:name';
const lockPath = `${workspacePath}/lock`;

/** Adds the API routes that only owners may use. */
export function addOwnerRoutes(
  app: Hono<ApiRequestContext>,
  { store, states, now }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const { workspaces, dependencies, runs } = store;
  const hold = async (name: string): Promise<Workspace> => {
    const found = await workspaces.hold(name);
    if (!found) throw new ApiProblemError(404, 'There is no such workspace');
    return found;
  };
  app.put(lockPath, async (context) => {
    const name = context.req.param('name');
    const { reason } = await readBody(context.req.raw, 'NewHold');
    const by = context.get('caller').person;
    const lock = { since: new Date(now()).toISOString(), by, reason };
    await context.get('acting').record(
      async () => {
        const { id } = await hold(name);
        if (!(await workspaces.lock(id, lock)))
          throw new ApiProblemError(409, 'The workspace is locked already', 'Unlock it first.');
      },
      () => ({ act: 'workspace.lock', target: `workspace/${name}`, detail: { reason } }),
    );
    return context.json(lock);
  });
  app.delete(lockPath, async (context) => {
    const name = context.req.param('name');
    await context.get('acting').record(
      async () => {
        const lock = await workspaces.unlock((await hold(name)).id);
        if (!lock) throw new ApiProblemError(409, 'The workspace is not locked');
        return lock;
      },
      ({ by, reason }) => {
        const detail = { lockedBy: by, reason };
        return { act: 'workspace.unlock', target: `workspace/${name}`, detail };
      },
    );
    return context.body(null, 204);
  });
  app.delete(workspacePath, async (context) => {
    const name = context.req.param('name');
    const leavesAccount = context.req.query('leaveAccount') === 'true';
    if (context.req.query('confirm') !== name) {
      const detail = 'Send the name of the workspace once more, in the query as confirm=NAME.';
      throw new ApiProblemError(422, 'The deletion is not confirmed', detail);
    }
    const known = await workspaces.find(name);
    if (known && !leavesAccount) await requireEmpty(known, states);
    await context.get('acting').record(
      async () => {
        await dependencies.lockNames();
        const workspace = await hold(name);
        await requireIdle(workspace);
        if (!leavesAccount) requireDestroyed(workspace);
        await workspaces.remove(workspace.id);
        return workspace;
      },
      ({ status, stateName }) => {
        const detail = { status, leavesAccount, state: stateName };
        return { act: 'workspace.delete', target: `workspace/${name}`, detail };
      },
    );
    return context.body(null, 204);
  });

  /** @throws ApiProblemError while a run, a lock or another workspace needs it */
  async function requireIdle({ id, name, lock }: Workspace): Promise<void> {
    const refuse = (detail: string) =>
      new ApiProblemError(409, 'The workspace cannot be deleted now', detail);
    if (lock) throw refuse(`It is locked by ${lock.by}: ${lock.reason} Unlock it first.`);
    const open = await runs.findOpen(id);
    if (open !== undefined)
      throw refuse(`Run #${open} has not ended. Wait for its end, or cancel it.`);
    const after = await dependencies.listAfter(name);
    if (after.length > 0)
      throw refuse(`These come after it: ${after.join(', ')}. Change their "after" first.`);
  }
}

/**
 * @throws ApiProblemError for a workspace that nobody has planned here, and whose state somebody has written from a
 * laptop
 */
async function requireEmpty(
  { status, stateName }: Workspace,
  states: ApiDependencies['states'],
): Promise<void> {
  if (status === 'neverPlanned' && (await states.read(stateName)) !== undefined)
    throw explainManaged();
}

/** @throws ApiProblemError for a workspace that may manage something */
function requireDestroyed({ status }: Workspace): void {
  if (status !== 'destroyed' && status !== 'neverPlanned') throw explainManaged();
}

function explainManaged(): ApiProblemError {
  return new ApiProblemError(
    409,
    'The workspace may still manage resources',
    'Destroy them first. To keep them in the account, where no workspace manages them any more, add leaveAccount=true.',
  );
}
