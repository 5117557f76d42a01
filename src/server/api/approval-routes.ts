// Routes of approvals: decisions of people about a saved plan, before it is applied.
import type { Hono } from 'hono';
import type { SignedInCaller } from '../access/authenticate.ts';
import type { Approval } from '../store/approvals.ts';
import { decideOnPlan } from '../runs/decide-on-plan.ts';
import { includesRole } from '../people/roles.ts';
import type { Run } from '../store/run.ts';
import type { ApiEnvironment, ApiMeans } from './api-means.ts';
import { Problem } from '../errors/problem.ts';
import { listRoles } from './require-role.ts';
import type { ReadBody } from './validate-body.ts';
import type { Schemas } from '../contract.ts';

/** The approval of a plan as JSON. */
export type ShownApproval = Schemas['Approval'];

/** Adds the API routes of approvals; `find` throws where there is no such run. */
export function addApprovals(
  app: Hono<ApiEnvironment>,
  means: ApiMeans,
  readBody: ReadBody,
  find: (id: string) => Promise<Run>,
): void {
  const { store } = means;
  const path = '/api/v1/runs/:id/approvals';
  const show = async ({ id, workspace }: Run, caller: SignedInCaller): Promise<ShownApproval> => {
    const found = await store.approvals.read(id);
    if (!found) throw new Problem(404, 'There is no such run');
    const { author, ...approval } = found;
    const roles = await listRoles(store, caller, workspace);
    const isOpen = approval.state !== 'notNeeded' && approval.state !== 'closed';
    const note = isOpen ? explainIgnored(approval, caller.id) : undefined;
    return {
      ...approval,
      mayDecide: isOpen && includesRole(roles, 'approve'),
      isOwn: !approval.byAuthor && author === caller.id,
      ...(note !== undefined && { note }),
    };
  };
  app.get(path, async (context) =>
    context.json(await show(await find(context.req.param('id')), context.get('caller'))),
  );
  app.post(path, async (context) => {
    const plan = await find(context.req.param('id'));
    const given = await readBody(context.req.raw, 'NewDecision');
    await decideOnPlan(means, plan, given, context.get('acting').by());
    return context.json(await show(plan, context.get('caller')));
  });
}

/** Explains that an approval by the person who started the plan does not count. */
function explainIgnored(
  { decisions, needed, given }: Omit<Approval, 'author'>,
  callerId: string,
): string | undefined {
  const own = decisions.find(({ member }) => member === callerId);
  if (own?.ignored !== 'author') return undefined;
  const missing = Math.max(0, needed - given);
  const more = missing === 1 ? '1 approval is missing' : `${missing} approvals are missing`;
  const what =
    'Your yes does not count: you started this plan, and this workspace asks for somebody else.';
  return missing === 0 ? what : `${what} ${more}.`;
}
