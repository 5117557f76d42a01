// Routes of approvals: decisions of people about a saved plan, before it is applied.
import type { Hono } from 'hono';
import type { SignedInCaller } from '../access/authenticate.ts';
import type { PlanApprovalStatus } from '../store/approvals.ts';
import { findReplacedApprovedPlan } from '../runs/carry-approvals.ts';
import { recordPlanDecision } from '../runs/decide-on-plan.ts';
import { isRoleGranted } from '../people/roles.ts';
import type { StoredRun } from '../store/run.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { listWorkspaceRoles } from './require-role.ts';
import type { ReadValidatedBody } from './validate-body.ts';
import type { Schemas } from '../contract.ts';

/** The approval of a plan as JSON. */
export type ApprovalJson = Schemas['Approval'];

/** Adds the API routes of approvals; `find` throws where there is no such run. */
export function addApprovalRoutes(
  app: Hono<ApiRequestContext>,
  means: ApiDependencies,
  readBody: ReadValidatedBody,
  find: (id: string) => Promise<StoredRun>,
): void {
  const { store } = means;
  const path = '/api/v1/runs/:id/approvals';
  const show = async (
    { id, workspace }: StoredRun,
    caller: SignedInCaller,
  ): Promise<ApprovalJson> => {
    const found = await store.approvals.read(id);
    if (!found) throw new ApiProblemError(404, 'There is no such run');
    const { author, ...approval } = found;
    const roles = await listWorkspaceRoles(store, caller, workspace);
    const isOpen = approval.state !== 'notNeeded' && approval.state !== 'closed';
    const note = isOpen ? explainIgnored(approval, caller.id) : undefined;
    const replaced = isOpen ? await findReplacedApprovedPlan(store, id) : undefined;
    return {
      ...approval,
      mayDecide: isOpen && isRoleGranted(roles, 'approve'),
      isOwn: !approval.byAuthor && author === caller.id,
      ...(note !== undefined && { note }),
      ...(replaced && {
        replaced: {
          id: replaced.id,
          number: replaced.number,
          approvedBy: [...replaced.approvedBy],
        },
      }),
    };
  };
  app.get(path, async (context) =>
    context.json(await show(await find(context.req.param('id')), context.get('caller'))),
  );
  app.post(path, async (context) => {
    const plan = await find(context.req.param('id'));
    const given = await readBody(context.req.raw, 'NewDecision');
    await recordPlanDecision(means, plan, given, context.get('acting').by());
    return context.json(await show(plan, context.get('caller')));
  });
}

/** Explains that an approval by the person who started the plan does not count. */
function explainIgnored(
  { decisions, needed, given }: Omit<PlanApprovalStatus, 'author'>,
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
