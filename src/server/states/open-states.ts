import type { Clock } from '../../model/runtime.ts';
import { makeTimedQuery, makeConnectionPool } from '../../state/backends/postgres/open-pool.ts';
import { describeDatabaseAddress } from '../../state/backends/postgres/read-connection.ts';
import {
  openStateGateway,
  type StateGateway,
} from '../../state/backends/postgres/state-gateway.ts';

/** Name of the database schema with the states of the workspaces. */
export const workspaceStateSchema = 'hostwright';

/** Opens the states of the workspaces for those who reach them through the server; asks nothing yet. */
export function openWorkspaceStates(url: string, clock: Clock): StateGateway {
  return openStateGateway({
    openPool: async () => {
      const name = 'hostwright-states';
      const pool = await makeConnectionPool({
        connectionString: url,
        max: 4,
        application_name: name,
      });
      return {
        query: (text, values, answerMs) => pool.query(makeTimedQuery(text, values, answerMs)),
        end: () => pool.end(),
      };
    },
    schema: workspaceStateSchema,
    place: `The states at ${describeDatabaseAddress(url) ?? 'PostgreSQL'}`,
    clock,
  });
}
