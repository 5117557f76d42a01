// The accounts that workspaces share, with the budget of requests of each.
import type { Hono } from 'hono';
import { findRestrictedViewer } from '../access/authenticate.ts';
import type { ServedAccount } from '../accounts/accounts.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import type { ReadValidatedBody } from './validate-body.ts';
import type { Schemas } from '../contract.ts';

/** An account as JSON, with the quotas that its last plans saw. */
export type AccountJson = Schemas['Account'];

/** Adds the API routes of accounts. */
export function addAccountRoutes(
  app: Hono<ApiRequestContext>,
  { store }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const { accounts } = store;
  app.get('/api/v1/accounts', async (context) => {
    const found = await accounts.list(findRestrictedViewer(context.get('caller')));
    return context.json({ accounts: found.map(showAccount) });
  });
  app.patch('/api/v1/accounts/:accountId', async (context) => {
    const id = context.req.param('accountId');
    const find = async () => {
      const found = /^\d{1,15}$/.test(id) ? await accounts.find(id) : undefined;
      if (!found) throw new ApiProblemError(404, 'There is no such account');
      return found;
    };
    const { service, mark } = await find();
    const given = await readBody(context.req.raw, 'AccountEdit');
    const { requestsPerSecond, burst } = given;
    const budget =
      requestsPerSecond === null
        ? undefined
        : { requestsPerSecond, burst: burst ?? Math.max(1, Math.ceil(requestsPerSecond)) };
    await context.get('acting').record(
      () => accounts.setBudget(id, budget),
      () => ({
        act: 'account.edit',
        target: `account/${mark}`,
        detail: { service, requestsPerSecond, ...(budget && { burst: budget.burst }) },
      }),
    );
    return context.json(showAccount(await find()));
  });
}

function showAccount({ seenAt, budget, heldUntil, name, ...account }: ServedAccount): AccountJson {
  return {
    ...account,
    seenAt: seenAt.toISOString(),
    ...(name !== undefined && { name }),
    ...budget,
    ...(heldUntil && { heldUntil: heldUntil.toISOString() }),
  };
}
