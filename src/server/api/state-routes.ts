// The state of a workspace by Terraform's http protocol, so that a laptop shares it with the server: the methods LOCK and
// UNLOCK, and the id of the lock in the query of a write.
import type { Context, Hono } from 'hono';
import { BackendError } from '../../state/backends/backend-error.ts';
import { parseLockHolder } from '../../state/backends/http/lock-holder-info.ts';
import type { StateGatewayOutcome } from '../../state/backends/postgres/state-gateway.ts';
import { decodeLockInfo, encodeLockInfo, type LockInfo } from '../../state/lock/lock-info.ts';
import { readRequestBody } from '../access/read-body.ts';
import type { Workspace } from '../store/workspaces.ts';
import { readRunVariables } from '../runs/run-variables.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';

/** Route of a workspace's state, for all of its methods. */
export const stateRoutePath = '/api/v1/workspaces/:name/state';
const mostStateBytes = 64 * 1024 * 1024;
const mostLockBytes = 64 * 1024;

/** Adds the API routes of the workspaces' states. */
export function addStateRoutes(
  app: Hono<ApiRequestContext>,
  { store, states }: ApiDependencies,
): void {
  /** The workspace, with the name of its state. @throws ApiProblemError where the server does not have it */
  const find = async (context: Context<ApiRequestContext>): Promise<Workspace> => {
    const workspace = await store.workspaces.find(context.req.param('name') ?? '');
    if (!workspace) throw new ApiProblemError(404, 'There is no such workspace');
    const { values } = await readRunVariables(store, workspace.id);
    if (values.HOSTWRIGHT_STATE !== undefined) {
      const detail = 'Its variable HOSTWRIGHT_STATE says where. Use that place.';
      throw new ApiProblemError(409, 'The workspace keeps its state elsewhere', detail);
    }
    return workspace;
  };
  const act = async (
    context: Context<ApiRequestContext>,
    { name }: Workspace,
    what: 'lock' | 'unlock' | 'write',
    work: () => Promise<StateGatewayOutcome>,
  ): Promise<Response> => {
    const verdict = await work().catch(explain);
    if (verdict.kind === 'refused') {
      const { holder } = verdict;
      const headers = { 'content-type': 'application/json' };
      return context.body(holder ? encodeLockInfo(holder) : '', holder ? 423 : 409, headers);
    }
    await context.get('acting').record(
      () => Promise.resolve(),
      () => ({ act: `state.${what}`, target: `workspace/${name}` }),
    );
    return context.body(null, 200);
  };
  app.get(stateRoutePath, async (context) => {
    const text = await states.read((await find(context)).stateName).catch(explain);
    if (text === undefined) throw new ApiProblemError(404, 'The workspace has no state yet');
    return context.body(text, 200, { 'content-type': 'application/json' });
  });
  app.post(stateRoutePath, async (context) => {
    const workspace = await find(context);
    const id = context.req.query('ID');
    if (id === undefined)
      throw new ApiProblemError(409, 'A state is written under its lock', 'Lock it.');
    const tooLarge = () => new ApiProblemError(413, 'The state is larger than 64 MB');
    const body = (await readRequestBody(context.req.raw, mostStateBytes, tooLarge)).toString(
      'utf8',
    );
    return act(context, workspace, 'write', () => states.write(workspace.stateName, body, id));
  });
  app.on('LOCK', stateRoutePath, async (context) => {
    const workspace = await find(context);
    const info = await readInfo(context.req.raw);
    const Who = `${info.Who} (${context.get('caller').person})`;
    return act(context, workspace, 'lock', () =>
      states.lock(workspace.stateName, { ...info, Who }),
    );
  });
  app.on('UNLOCK', stateRoutePath, async (context) => {
    const workspace = await find(context);
    const { ID } = await readInfo(context.req.raw);
    return act(context, workspace, 'unlock', () => states.unlock(workspace.stateName, ID));
  });
}

/** Who wants the lock. What only the server says of its own runs is not believed. */
async function readInfo(request: Request): Promise<LockInfo> {
  const tooLarge = () => new ApiProblemError(413, 'The lock info is larger than 64 KB');
  const text = (await readRequestBody(request, mostLockBytes, tooLarge)).toString('utf8');
  const info = parseLockHolder(withoutClaims(text));
  if (!info) throw new ApiProblemError(422, 'The body is no lock info', 'It is JSON with an ID.');
  return info;
}

/** The epoch is the server's to count, and that a person keeps the lock is not said here. */
function withoutClaims(text: string): string {
  const info = decodeLockInfo(text);
  return info ? JSON.stringify({ ...info, Epoch: undefined, Kept: undefined }) : '';
}

function explain(error: unknown): never {
  // Its message names the database, which is nobody's business who has a workspace only.
  if (error instanceof BackendError && error.fault === 'broken' && error.cause === undefined)
    throw new ApiProblemError(422, 'The body is no state of Hostwright', error.message);
  throw error;
}
