import type { Clock } from '../../model/runtime.ts';
import { makeTimedQuery, makeConnectionPool } from '../../state/backends/postgres/open-pool.ts';
import { describeDatabaseAddress } from '../../state/backends/postgres/read-connection.ts';
import {
  openStateGateway,
  type StateGateway,
} from '../../state/backends/postgres/state-gateway.ts';

/** Name of the PostgreSQL schema that holds the states of the workspaces. */
export const stateDatabaseSchemaName = 'hostwright';

/** Opens the states of the workspaces for clients of the API, such as a laptop; no request is sent to the database yet. */
export function openWorkspaceStateGateway(url: string, clock: Clock): StateGateway {
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
    schema: stateDatabaseSchemaName,
    place: `The states at ${describeDatabaseAddress(url) ?? 'PostgreSQL'}`,
    clock,
  });
}
