import type { Diagnostic } from '../../model/diagnostic.ts';
import { DiagnosticError } from '../../model/errors.ts';
import type { FleetChange } from '../../model/fleet/fleet-plan.ts';
import type { PreparedFleetChange, PreparedFleetPlan } from './plan-fleet.ts';
import { splitVariables } from './split-variables.ts';
import { ServerRefusal, type TeamServer } from './team-server.ts';

/** Listeners to the apply of a file of workspaces. */
export interface FleetApplyListeners {
  readonly done: (change: FleetChange) => void;
  readonly tell: (diagnostics: readonly Diagnostic[]) => void;
}

/**
 * Makes the changes of a plan, one after the other. One that the server refuses is reported, and the others made. Where it
 * takes none of them any more, that is reported, and nothing else sent.
 * @returns the changes that were made
 */
export async function applyFleetPlan(
  { prepared }: PreparedFleetPlan,
  server: TeamServer,
  { done, tell }: FleetApplyListeners,
): Promise<readonly FleetChange[]> {
  const made: FleetChange[] = [];
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
      if (!(error instanceof ServerRefusal)) throw error;
      tell([describeRefusal(change, error)]);
      if (!error.isOfRequest) return made;
    }
  }
  return made;
}

function describeUnchecked({ name, source }: FleetChange, detail: string): Diagnostic {
  return {
    severity: 'warning',
    code: 'repository-unchecked',
    summary: `The repository of the workspace ${name} is not checked`,
    detail,
    source,
  };
}

function describeRefusal(
  { kind, name, source }: FleetChange,
  { message, detail, hint }: ServerRefusal,
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
  { change: { kind, name, action }, fields, variables }: PreparedFleetChange,
  server: TeamServer,
): Promise<Answer> {
  const [first = {}, ...more] = splitVariables(variables);
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
