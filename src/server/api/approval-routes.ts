// What people say about a saved plan, before it is applied.
import type { Hono } from 'hono';
import type { Approval } from '../approvals/approvals.ts';
import { decide, type NewDecision } from '../approvals/decide.ts';
import { includesRole } from '../people/roles.ts';
import type { Run } from '../runs/run.ts';
import type { ApiEnvironment, ApiMeans } from './api-means.ts';
import { Problem } from './problem.ts';
import { listRoles } from './require-role.ts';
import type { ReadBody } from './validate-body.ts';

/** The approval of a plan as JSON. */
export type ShownApproval = Omit<Approval, 'author'> & {
  /** True: the caller may say yes or no. */
  readonly mayDecide: boolean;
  /** True: the caller started the plan, so that a yes of theirs does not count. */
  readonly isOwn: boolean;
};

/** Adds the routes. `find` throws where there is no such run. */
export function addApprovals(
  app: Hono<ApiEnvironment>,
  means: ApiMeans,
  readBody: ReadBody,
  find: (id: string) => Promise<Run>,
): void {
  const { store } = means;
  const path = '/api/v1/runs/:id/approvals';
  app.get(path, async (context) => {
    const caller = context.get('caller');
    const { id, workspace } = await find(context.req.param('id'));
    const { author, ...approval } = await read(id);
    const roles = await listRoles(store, caller, workspace);
    const isOpen = approval.state !== 'notNeeded' && approval.state !== 'closed';
    return context.json({
      ...approval,
      mayDecide: isOpen && includesRole(roles, 'approve'),
      isOwn: !approval.byAuthor && author === caller.id,
    } satisfies ShownApproval);
  });
  app.post(path, async (context) => {
    const plan = await find(context.req.param('id'));
    const given = await readBody<NewDecision>(context.req.raw, 'NewDecision');
    await decide(means, plan, given, context.get('acting').by());
    const { author, ...approval } = await read(plan.id);
    const isOwn = !approval.byAuthor && author === context.get('caller').id;
    return context.json({ ...approval, mayDecide: approval.state !== 'closed', isOwn });
  });

  async function read(id: string): Promise<Approval> {
    const found = await store.approvals.read(id);
    if (!found) throw new Problem(404, 'There is no such run');
    return found;
  }
}
