// Role checks of routes. An object that the caller may not view is a 404; an act that the caller may not do is refused with
// the name of the role that it needs.
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { SignedInCaller } from '../access/authenticate.ts';
import { isRoleGranted, findRequiredMemberRole, roles, type Role } from '../people/roles.ts';
import { isRowId } from '../database/row-id.ts';
import type { ServerStore } from '../store/store.ts';
import type { ApiRequestContext } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { routeRoles } from './route-roles.ts';

const missing = { workspace: 'There is no such workspace', run: 'There is no such run' } as const;

/** The route of a request, as `GET /api/v1/runs/:id`; undefined where there is none. */
export function nameRequestRoute(context: Context): string | undefined {
  const found = matchedRoutes(context).find(({ method }) => method !== 'ALL');
  return found && `${found.method} ${found.path}`;
}

/** Checks that the sender of a request has the role that its route needs. @throws ApiProblemError 403, 404. */
export async function requireRouteRole(
  store: Pick<ServerStore, 'members'>,
  caller: SignedInCaller,
  context: Context<ApiRequestContext>,
): Promise<void> {
  const route = nameRequestRoute(context);
  // A path without a route is answered with 404 further on.
  if (route === undefined) return;
  const rule = routeRoles[route];
  if (!rule) throw new ApiProblemError(403, 'Nobody may do this', `${route} has no role.`);
  const [role, of] = rule;
  if (of === 'list' || of === 'body') return;
  if (of !== 'server') {
    const name = readPart(route, context.req.path, of === 'workspace' ? ':name' : ':id');
    return requireWorkspaceRole(store, caller, role, { of, name });
  }
  if (role !== 'operation' && !isRoleGranted(caller.roles, role)) throw refuse(role, undefined);
}

/** A part of a path, which the route of the handler names. No name or id has a `%`, which one side could read otherwise. */
function readPart(route: string, path: string, part: string): string {
  const at = route
    .slice(route.indexOf(' ') + 1)
    .split('/')
    .indexOf(part);
  const found = path.split('/')[at] ?? '';
  return found.includes('%') ? '' : found;
}

/** Checks that a caller has a role in a workspace, or in the workspace of a run. @throws ApiProblemError 403, 404 */
export async function requireWorkspaceRole(
  { members }: Pick<ServerStore, 'members'>,
  caller: SignedInCaller,
  role: Role | 'operation',
  { of, name }: { readonly of: 'workspace' | 'run'; readonly name: string },
): Promise<void> {
  if (isRoleGranted(caller.roles, 'admin')) return;
  const place =
    of === 'workspace'
      ? await members.findWorkspace(caller.id, name)
      : isRowId(name)
        ? await members.findRun(caller.id, name)
        : undefined;
  if (!place || !isRoleGranted(place.roles, 'view')) throw new ApiProblemError(404, missing[of]);
  const needed = role === 'operation' ? findRequiredMemberRole(place.operation) : role;
  if (!isRoleGranted(place.roles, needed)) throw refuse(needed, of);
}

/** Lists all roles that a caller has in a workspace, included roles among them. */
export async function listWorkspaceRoles(
  { members }: Pick<ServerStore, 'members'>,
  { id, roles: own }: SignedInCaller,
  workspace: string,
): Promise<readonly Role[]> {
  const place = isRoleGranted(own, 'admin')
    ? undefined
    : await members.findWorkspace(id, workspace);
  const granted = place?.roles ?? own;
  return roles.filter((role) => isRoleGranted(granted, role));
}

function refuse(role: Role, of: keyof typeof missing | undefined): ApiProblemError {
  if (of === undefined && role !== 'admin') {
    return new ApiProblemError(
      403,
      `This needs the role ${role} for all workspaces`,
      `This is about the whole server: the role ${role} for single workspaces is not enough. Ask an administrator for the role ${role} for all workspaces.`,
    );
  }
  const where = role === 'admin' ? '' : ' in this workspace';
  return new ApiProblemError(
    403,
    `This needs the role ${role}`,
    `You do not have the role ${role}${where}. Ask an administrator for it.`,
  );
}
