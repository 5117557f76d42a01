// Which role each route and each page asks for. A route that is in no row is refused.
import type { Role } from '../people/roles.ts';

/**
 * What a role is asked for. `server`: for all workspaces. `workspace` and `run`: for the one in the path; whoever may not view
 * it gets the answer of one that does not exist. `list`: whoever has signed in sees what they may view. `body`: the handler
 * asks, since the body names the workspace.
 */
export type RouteScope = 'server' | 'workspace' | 'run' | 'list' | 'body';

/** A row. `operation` is the role that starts such a run. */
export type RouteRule = readonly [role: Role | 'operation', of: RouteScope];

/** All routes and pages, but for those that are open to everybody. */
export const routeRoles: Readonly<Record<string, RouteRule>> = {
  'GET /api/v1/me': ['view', 'list'],
  'GET /api/v1/workspaces': ['view', 'list'],
  'POST /api/v1/workspaces': ['admin', 'server'],
  'GET /api/v1/workspaces/:name': ['view', 'workspace'],
  'PATCH /api/v1/workspaces/:name': ['admin', 'workspace'],
  'GET /api/v1/workspaces/:name/variables': ['admin', 'workspace'],
  'GET /api/v1/connections': ['admin', 'server'],
  'POST /api/v1/connections': ['admin', 'server'],
  'GET /api/v1/connections/:name': ['admin', 'server'],
  'PATCH /api/v1/connections/:name': ['admin', 'server'],
  'DELETE /api/v1/connections/:name': ['admin', 'server'],
  'POST /api/v1/connections/:name/webhook-secret': ['admin', 'server'],
  'GET /api/v1/overview': ['view', 'list'],
  'GET /api/v1/accounts': ['view', 'list'],
  'GET /api/v1/server': ['admin', 'server'],
  'DELETE /api/v1/sessions': ['admin', 'server'],
  'GET /api/v1/runs': ['view', 'list'],
  'POST /api/v1/runs': ['operation', 'body'],
  'GET /api/v1/runs/:id': ['view', 'run'],
  'POST /api/v1/runs/:id/cancel': ['operation', 'run'],
  'POST /api/v1/runs/:id/retry': ['operation', 'run'],
  'GET /api/v1/runs/:id/report': ['view', 'run'],
  'GET /api/v1/runs/:id/comparison': ['view', 'run'],
  'GET /api/v1/runs/:id/log': ['view', 'run'],
  'GET /api/v1/runs/:id/approvals': ['view', 'run'],
  'POST /api/v1/runs/:id/approvals': ['approve', 'run'],
  'GET /api/v1/members': ['admin', 'server'],
  'POST /api/v1/members': ['admin', 'server'],
  'GET /api/v1/members/:member': ['admin', 'server'],
  'PATCH /api/v1/members/:member': ['admin', 'server'],
  'DELETE /api/v1/members/:member': ['admin', 'server'],
  'GET /api/v1/audit': ['admin', 'server'],
  'GET /api/v1/message-targets': ['admin', 'server'],
  'POST /api/v1/message-targets': ['admin', 'server'],
  'DELETE /api/v1/message-targets/:name': ['admin', 'server'],
  'POST /api/v1/message-targets/:name/test': ['admin', 'server'],
  'GET /api/v1/messages': ['admin', 'server'],
  'POST /api/v1/messages/:message/send-again': ['admin', 'server'],

  'GET /': ['view', 'list'],
  'GET /new-workspace': ['admin', 'server'],
  'GET /workspaces/:name': ['view', 'workspace'],
  'GET /workspaces/:name/edit': ['admin', 'workspace'],
  'GET /runs/:id': ['view', 'run'],
  'GET /runs/:id/report': ['view', 'run'],
  'GET /connections': ['admin', 'server'],
  'GET /accounts': ['view', 'list'],
  'GET /settings': ['admin', 'server'],
  'GET /audit': ['admin', 'server'],
  'GET /messages': ['admin', 'server'],
  'GET /people': ['admin', 'server'],
  'GET /people/:member': ['admin', 'server'],
  'POST /workspaces': ['admin', 'server'],
  'POST /workspaces/:name/edit': ['admin', 'workspace'],
  'POST /workspaces/:name/runs': ['view', 'workspace'],
  'POST /connections': ['admin', 'server'],
  'POST /connections/:name/secrets': ['admin', 'server'],
  'POST /connections/:name/webhook-secret': ['admin', 'server'],
  'POST /connections/:name/remove': ['admin', 'server'],
  'POST /runs/:id/apply': ['apply', 'run'],
  'POST /runs/:id/approvals': ['approve', 'run'],
  'POST /runs/:id/cancel': ['operation', 'run'],
  'POST /runs/:id/retry': ['operation', 'run'],
  'POST /tokens': ['admin', 'server'],
  'POST /people': ['admin', 'server'],
  'POST /people/:member': ['admin', 'server'],
  'POST /people/:member/remove': ['admin', 'server'],
  'POST /message-targets': ['admin', 'server'],
  'POST /message-targets/:name/test': ['admin', 'server'],
  'POST /message-targets/:name/remove': ['admin', 'server'],
  'POST /messages/:message/again': ['admin', 'server'],
  'POST /sign-out': ['view', 'list'],
  'POST /sign-out-everywhere': ['admin', 'server'],
};
