import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { WorkspacesChange } from '../../model/workspaces/workspaces-plan.ts';
import type { PreparedWorkspacesChange, PreparedWorkspacesPlan } from './build-workspaces-plan.ts';
import { splitVariablesByRequest } from './split-variables.ts';
import { TeamServerRefusal, type TeamServerClient } from './team-server.ts';

/** Listeners to the apply of a workspaces file, which sets up the workspaces of a team server. */
export interface WorkspacesApplyListeners {
  readonly done: (change: WorkspacesChange) => void;
  readonly tell: (diagnostics: readonly Diagnostic[]) => void;
}

/**
 * Sends the changes of a plan to the team server, one after the other. A change that the server refuses is reported, and the
 * others go on. Once it refuses every request, that is reported, and no more are sent.
 * @returns the changes that were made
 */
export async function applyWorkspacesPlan(
  { prepared }: PreparedWorkspacesPlan,
  server: TeamServerClient,
  { done, tell }: WorkspacesApplyListeners,
): Promise<readonly WorkspacesChange[]> {
  const made: WorkspacesChange[] = [];
  for (const one of prepared) {
    const { change } = one;
    try {
      const { warning } = await send(one, server);
      made.push(change);
      done(change);
      if (warning !== undefined) tell([describeUnchecked(change, warning)]);
    } catch (error) {
      if (error instanceof DiagnosticError) {
        tell(error.diagnostics);
        return made;
      }
      if (!(error instanceof TeamServerRefusal)) throw error;
      tell([describeRefusal(change, error)]);
      if (!error.isOfRequest) return made;
    }
  }
  return made;
}

function describeUnchecked({ name, source }: WorkspacesChange, detail: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'repository-unchecked',
    summary: `The repository of the workspace ${name} is not checked`,
    detail,
    source,
  };
}

function describeRefusal(
  { kind, name, source }: WorkspacesChange,
  { message, detail, hint }: TeamServerRefusal,
): Diagnostic {
  return {
    severity: 'error',
    code: 'server-refused',
    summary: `The server refuses the ${kind} ${name}: ${message}`,
    ...(detail !== undefined && { detail }),
    hint,
    source,
  };
}

interface Answer {
  readonly warning?: string;
}

/** Sends a change, in several requests where its variables are too large for one. */
async function send(
  { change: { kind, name, action }, fields, variables }: PreparedWorkspacesChange,
  server: TeamServerClient,
): Promise<Answer> {
  const [first = {}, ...more] = splitVariablesByRequest(variables);
  const isSet = kind === 'variable set';
  const path = isSet ? `/variable-sets/${name}` : `/workspaces/${name}`;
  const body = {
    ...fields,
    ...((isSet || Object.keys(first).length > 0) && { variables: first }),
  };
  const answer = await (action === 'update'
    ? server.change<Answer>('PATCH', path, body)
    : isSet
      ? server.change<Answer>('PUT', path, body)
      : server.change<Answer>('POST', '/workspaces', { name, ...body }));
  for (const part of more) await server.change('PATCH', path, { variables: part });
  return answer;
}
