// Changing a workspace. Its variables go in, and never come out.
import type { Hono } from 'hono';
import { isAddressRangeList } from '../../commands/planning/probe-permission.ts';
import {
  explainUnfitVariable,
  isVariableAllowed,
  serviceAddressVariable,
} from '../../model/workspaces/workspace-variables.ts';
import { findRepositoryPathAtHost, findConnectionSite, gitHostNames } from '../hosts/connection.ts';
import type { Schemas } from '../contract.ts';
import type { ServerStore } from '../store/store.ts';
import type { WorkspaceSource } from '../sources/check-source.ts';
import {
  explainVariableEdit,
  readVariableEditValue,
  type StoredVariables,
} from '../variables/variables.ts';
import type { ApprovalRule, Workspace, WorkspaceEdit } from '../store/workspaces.ts';
import { explainInvalidApplySchedule, type ApplySchedule } from '../windows/apply-windows.ts';
import { listInheritedVariables } from '../runs/run-variables.ts';
import type { ApiRequestContext, ApiDependencies } from './api-means.ts';
import { ApiProblemError } from '../errors/problem.ts';
import { describeWorkspaceJson } from './show-run.ts';
import type { ReadValidatedBody } from './validate-body.ts';

/** Names of a workspace's variables, as JSON. */
export type WorkspaceVariablesJson = Schemas['WorkspaceVariables'];

/** Adds the API routes that create and change workspaces. */
export function addWorkspaceEditRoutes(
  app: Hono<ApiRequestContext>,
  { store, checkSource }: ApiDependencies,
  readBody: ReadValidatedBody,
): void {
  const find = async (name: string): Promise<Workspace> => {
    const found = await store.workspaces.find(name);
    if (!found) throw missing();
    return found;
  };
  app.patch('/api/v1/workspaces/:name', async (context) => {
    const found = await find(context.req.param('name'));
    const { name } = found;
    const edit = await readBody(context.req.raw, 'WorkspaceEdit');
    const { variables = {}, ...fields } = edit;
    const { name: newName = name } = fields;
    requireAllowedVariables(variables);
    requireValidProbeRanges(edit.allowProbes);
    requireValidApplySchedule(edit);
    const edited = mergeEdit(found, edit);
    await requireHostConnection(store, edited);
    const warning = isMoved(found, edited) ? await checkSource(edited) : undefined;
    const detail = { changed: Object.keys(fields), variables: Object.keys(variables) };
    await context.get('acting').record(
      async () => {
        if (edit.name !== undefined || edit.after) await store.dependencies.lockNames();
        // Fields that the edit leaves out keep their present values: somebody else may have just changed them.
        const workspace = await store.workspaces.hold(name);
        if (!workspace) throw missing();
        await requireHostConnection(store, mergeEdit(workspace, edit));
        await requireAcyclicWorkspaceOrder(store, name, edit.after);
        await requireKnownVariableSets(store, edit.variableSets);
        requireVariableValues(variables, await store.workspaces.readVariables(workspace.id));
        await store.workspaces.edit(workspace, edit);
        if (newName === name) return;
        if (!(await store.workspaces.rename(workspace, newName))) throw createTakenNameProblem();
      },
      () => ({
        act: 'workspace.edit',
        target: `workspace/${name}`,
        detail: { ...detail, ...(newName !== name && { name: newName }) },
      }),
    );
    const shown = describeWorkspaceJson(await find(newName));
    return context.json({ ...shown, ...(warning !== undefined && { warning }) });
  });
  app.get('/api/v1/workspaces/:name/variables', async (context) => {
    const { id } = await find(context.req.param('name'));
    const { values, secrets } = await store.workspaces.readVariables(id);
    const inherited = await listInheritedVariables(store, id);
    return context.json({ names: Object.keys(values).sort(), secrets, inherited });
  });
}

function mergeEdit(workspace: Workspace, edit: WorkspaceEdit) {
  return { ...workspace, ...edit, approvals: { ...workspace.approvals, ...edit.approvals } };
}

/** True where the runs read another branch than before, or read it in another way. */
function isMoved(before: WorkspaceSource, after: WorkspaceSource): boolean {
  return (
    before.repository !== after.repository ||
    before.branch !== after.branch ||
    (before.connection ?? undefined) !== (after.connection ?? undefined)
  );
}

const missing = () => new ApiProblemError(404, 'There is no such workspace');

/** Makes the problem for a workspace name that is in use already. */
export const createTakenNameProblem = () =>
  new ApiProblemError(409, 'A workspace with this name exists already');

/** Checks that the connection of a workspace exists and that the repository is at its git host. @throws ApiProblemError */
export async function requireHostConnection(
  { connections }: Pick<ServerStore, 'connections'>,
  workspace: {
    readonly connection?: string | null | undefined;
    readonly repository: string;
    readonly applyOnMerge?: boolean;
    readonly approvals?: Partial<ApprovalRule>;
  },
): Promise<void> {
  const { connection: name, repository, applyOnMerge, approvals } = workspace;
  if (name === undefined || name === null) {
    if (applyOnMerge !== true && approvals?.hostReviews !== true) return;
    const detail =
      'Only a workspace with a connection learns of merges and reviews. Name a connection.';
    throw new ApiProblemError(422, 'The body is not valid', detail);
  }
  const connection = await connections.find(name);
  if (!connection)
    throw new ApiProblemError(422, 'The body is not valid', 'There is no such connection.');
  if (findRepositoryPathAtHost(connection, repository) !== undefined) return;
  const { kind } = connection;
  const place = `${findConnectionSite(connection)}/OWNER/REPOSITORY`;
  const detail = `The repository does not belong to this connection. Write it as ${gitHostNames[kind]} clones it: ${place}.`;
  throw new ApiProblemError(422, 'The body is not valid', detail);
}

/**
 * Checks that the workspaces which a workspace comes after exist and do not come after it in turn. To be called in the
 * transaction that changes the workspace.
 * @throws ApiProblemError
 */
export async function requireAcyclicWorkspaceOrder(
  { dependencies }: Pick<ServerStore, 'dependencies'>,
  name: string,
  after: readonly string[] = [],
): Promise<void> {
  if (after.length === 0) return;
  const cycle = await dependencies.findCycle(name, after);
  if (cycle) {
    const way = [name, ...cycle].join(' after ');
    throw new ApiProblemError(422, 'The body is not valid', `Dependency cycle: ${way}.`);
  }
  const [unknown] = await dependencies.listUnknown(after);
  if (unknown === undefined) return;
  const detail = `after: There is no workspace ${unknown}. Create it first.`;
  throw new ApiProblemError(422, 'The body is not valid', detail);
}

/**
 * Refuses variable sets that do not exist. To be called in the transaction that attaches the sets to a workspace.
 * @throws ApiProblemError
 */
export async function requireKnownVariableSets(
  { variableSets }: Pick<ServerStore, 'variableSets'>,
  names: readonly string[] = [],
): Promise<void> {
  const [missing] = names.length === 0 ? [] : await variableSets.holdAll(names);
  if (missing === undefined) return;
  const detail = `variableSets: There is no set ${missing}. Create it first.`;
  throw new ApiProblemError(422, 'The body is not valid', detail);
}

/** Checks that a workspace may set these variables. @throws ApiProblemError */
export function requireAllowedVariables(variables: NonNullable<WorkspaceEdit['variables']>): void {
  const refused = Object.keys(variables).filter((name) => !isVariableAllowed(name));
  if (refused.length > 0) {
    const detail = `A workspace cannot set ${refused.join(', ')}.`;
    throw new ApiProblemError(422, 'The body is not valid', detail);
  }
  for (const [name, given] of Object.entries(variables)) {
    const value = readVariableEditValue(given);
    refuse(name, value === undefined ? undefined : explainUnfitVariable(name, value));
    const isShown =
      name === serviceAddressVariable && typeof given === 'object' && given?.secret === true;
    refuse(name, isShown ? 'it is no secret, since Accounts shows it' : undefined);
  }
}

/** Checks that each text is a range of IP addresses, which probes may reach. @throws ApiProblemError */
export function requireValidProbeRanges(ranges: readonly string[] = []): void {
  const wrong = ranges.find((range) => !isAddressRangeList(range));
  if (wrong === undefined) return;
  const detail = `allowProbes: "${wrong}" is no range of addresses, such as 10.0.0.0/8.`;
  throw new ApiProblemError(422, 'The body is not valid', detail);
}

/** Checks that the time zones of apply windows exist, and that no freeze ends before it begins. @throws ApiProblemError */
export function requireValidApplySchedule(times: Partial<ApplySchedule>): void {
  const detail = explainInvalidApplySchedule(times);
  if (detail !== undefined) throw new ApiProblemError(422, 'The body is not valid', detail);
}

/**
 * Checks that each variable has a value after the edits, and that no secret stops being one without a new value.
 * @throws ApiProblemError
 */
export function requireVariableValues(
  variables: NonNullable<WorkspaceEdit['variables']>,
  kept: StoredVariables = { values: {}, secrets: [] },
): void {
  for (const [name, given] of Object.entries(variables))
    refuse(name, explainVariableEdit(kept, name, given));
}

function refuse(name: string, why: string | undefined): void {
  if (why !== undefined)
    throw new ApiProblemError(422, 'The body is not valid', `${name} cannot be set: ${why}.`);
}
