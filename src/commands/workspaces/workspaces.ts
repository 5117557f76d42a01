// `server plan` and `server apply`: workspaces of a server from a file.
import { readWorkspacesFile } from '../../config/workspaces/read-workspaces-file.ts';
import { ConfigurationFaultList } from '../../config/source/fault-list.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { Runtime } from '../../model/runtime.ts';
import type { WorkspacesPlan, WorkspacesResult } from '../../model/workspaces/workspaces-plan.ts';
import { isAddressRangeList } from '../planning/probe-permission.ts';
import { readFileNamedByFlag } from '../session/read-given-file.ts';
import { applyWorkspacesPlan, type WorkspacesApplyListeners } from './apply-workspaces-plan.ts';
import { buildWorkspacesPlan, type PreparedWorkspacesPlan } from './build-workspaces-plan.ts';
import {
  openTeamServerClient,
  TeamServerRefusal,
  type TeamServerRuntime,
  type TeamServerClient,
} from './team-server.ts';

/** Parts of the runtime that these commands use. */
export type WorkspacesRuntime = TeamServerRuntime & Pick<Runtime, 'cwd'>;

/** Options of `server plan` and `server apply`: the workspaces file, and the server to change. */
export interface WorkspacesFileOptions {
  readonly file: string;
  /** Address of the server; that of the environment unless given. */
  readonly server?: string | undefined;
}

/**
 * Plans the changes that make a team server's workspaces as a workspaces file describes them.
 * @throws DiagnosticError with every fault of the file
 */
export async function planWorkspacesFile(
  runtime: WorkspacesRuntime,
  options: WorkspacesFileOptions,
): Promise<WorkspacesResult> {
  return withPlan(runtime, options, (plan) => Promise.resolve({ plan }));
}

/** Shows the plan of a workspaces file, asks for its approval, and follows its apply. */
export interface WorkspacesApplyReporter extends WorkspacesApplyListeners {
  /** @returns false where the plan is not to be applied */
  readonly approve: (plan: WorkspacesPlan) => Promise<boolean>;
}

/**
 * Plans a workspaces file, asks for approval, and makes the changes on the team server.
 * @throws DiagnosticError with every fault of the file
 */
export async function applyWorkspacesFile(
  runtime: WorkspacesRuntime,
  options: WorkspacesFileOptions,
  reporter: WorkspacesApplyReporter,
): Promise<WorkspacesResult> {
  return withPlan(runtime, options, async (plan, server) => {
    if (plan.changes.length === 0) return { plan };
    if (!(await reporter.approve(plan))) return { plan, isDeclined: true };
    return { plan, made: await applyWorkspacesPlan(plan, server, reporter) };
  });
}

async function withPlan(
  runtime: WorkspacesRuntime,
  { file: path, server: address }: WorkspacesFileOptions,
  work: (plan: PreparedWorkspacesPlan, server: TeamServerClient) => Promise<WorkspacesResult>,
): Promise<WorkspacesResult> {
  const text = await readFileNamedByFlag(runtime.cwd, path, 'The command');
  const faults = new ConfigurationFaultList();
  const file = readWorkspacesFile(text, path, isAddressRangeList, faults);
  if (!file || !faults.isEmpty) throw new DiagnosticError(faults.toDiagnostics());
  const server = openTeamServerClient(runtime, address);
  try {
    const plan = await buildWorkspacesPlan(file, server, runtime.env, faults);
    if (!plan) throw new DiagnosticError(faults.toDiagnostics());
    return await work(plan, server);
  } catch (error) {
    throw error instanceof TeamServerRefusal ? explainRefusal(error) : error;
  } finally {
    server.close();
  }
}

function explainRefusal({ message, detail, hint }: TeamServerRefusal): DiagnosticError {
  return new DiagnosticError([
    {
      severity: 'error',
      code: 'server-refused',
      summary: `The server refuses the request: ${message}`,
      ...(detail !== undefined && { detail }),
      hint,
    },
  ]);
}
