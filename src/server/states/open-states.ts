import type { Clock } from '../../model/runtime.ts';
import { boundQuery, makePool } from '../../state/backends/postgres/open-pool.ts';
import { describeDatabase } from '../../state/backends/postgres/read-connection.ts';
import {
  openStateGateway,
  type StateGateway,
} from '../../state/backends/postgres/state-gateway.ts';

/** Name of the database schema with the states of the workspaces. */
export const stateSchema = 'hostwright';

/** Opens the states of the workspaces for those who reach them through the server; asks nothing yet. */
export function openStates(url: string, clock: Clock): StateGateway {
  return openStateGateway({
    openPool: async () => {
      const name = 'hostwright-states';
      const pool = await makePool({ connectionString: url, max: 4, application_name: name });
      return {
        query: (text, values, answerMs) => pool.query(boundQuery(text, values, answerMs)),
        end: () => pool.end(),
      };
    },
    schema: stateSchema,
    place: `The states at ${describeDatabase(url) ?? 'PostgreSQL'}`,
    clock,
  });
}
