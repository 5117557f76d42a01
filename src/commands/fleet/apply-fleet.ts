import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FleetChange } from '../../model/fleet/fleet-plan.ts';
import type { PreparedFleetChange, PreparedFleetPlan, SentVariable } from './plan-fleet.ts';
import { ServerRefusal, type TeamServer } from './team-server.ts';

/** Listeners to the apply of a file of workspaces. */
export interface FleetApplyListeners {
  readonly done: (change: FleetChange) => void;
  readonly tell: (diagnostics: readonly Diagnostic[]) => void;
}

/**
 * Makes the changes of a plan, one after the other. One that the server refuses is reported, and the others made.
 * @returns the changes that were made. @throws DiagnosticError where the server does not answer any more
 */
export async function applyFleetPlan(
  { prepared }: PreparedFleetPlan,
  server: TeamServer,
  { done, tell }: FleetApplyListeners,
): Promise<readonly FleetChange[]> {
  const made: FleetChange[] = [];
  for (const one of prepared) {
    const { change } = one;
    const { kind, name, source } = change;
    try {
      const { warning } = await send(one, server);
      made.push(change);
      done(change);
      if (warning !== undefined)
        tell([
          {
            severity: 'warning',
            code: 'repository-unchecked',
            summary: `The repository of the workspace ${name} is not checked`,
            detail: warning,
            source,
          },
        ]);
    } catch (error) {
      if (!(error instanceof ServerRefusal)) throw error;
      tell([
        {
          severity: 'error',
          code: 'server-refused',
          summary: `The server refuses the ${kind} ${name}: ${error.message}`,
          ...(error.detail !== undefined && { detail: error.detail }),
          hint: 'Correct the file, and run the command again: it goes on with what is missing.',
          source,
        },
      ]);
    }
  }
  return made;
}

interface Answer {
  readonly warning?: string;
}

async function send(
  { change: { kind, name, action }, fields, variables }: PreparedFleetChange,
  server: TeamServer,
): Promise<Answer> {
  if (kind === 'variable set') {
    const all = { ...(await listKept(server, name)), ...variables };
    return server.call<Answer>('PUT', `/variable-sets/${name}`, { variables: all });
  }
  const sent = { ...fields, ...(Object.keys(variables).length > 0 && { variables }) };
  return action === 'create'
    ? server.call<Answer>('POST', '/workspaces', { name, ...sent })
    : server.call<Answer>('PATCH', `/workspaces/${name}`, sent);
}

/** The variables of a set as it is now, each to stay: the file may leave some of them out. */
async function listKept(
  server: TeamServer,
  name: string,
): Promise<Readonly<Record<string, SentVariable>>> {
  const { variableSets } = await server.call<{
    variableSets: readonly {
      readonly name: string;
      readonly names: readonly string[];
      readonly secrets: readonly string[];
    }[];
  }>('GET', '/variable-sets');
  const kept = variableSets.find((one) => one.name === name);
  return Object.fromEntries(
    (kept?.names ?? []).map((one) => [one, { secret: kept?.secrets.includes(one) === true }]),
  );
}
