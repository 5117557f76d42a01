import { DiagnosticError } from '../model/errors.ts';
import { BackendError } from '../state/backends/backend-error.ts';
import {
  explainDatabaseError,
  isDatabaseError,
  isMissingTableError,
} from '../state/backends/postgres/database-errors.ts';
import { describeDatabaseAddress } from '../state/backends/postgres/read-connection.ts';

/**
 * Turns an error of the database at the start of a server process into one that people can act on; any other error stays as
 * it is.
 */
export function explainStartDatabaseError(error: unknown, databaseUrl: string): unknown {
  if (!isDatabaseError(error)) return error;
  const place = describeDatabaseAddress(databaseUrl) ?? '';
  const named = `The database of the server at ${place}`;
  const { fault, message } =
    error instanceof BackendError ? error : explainDatabaseError(error, named);
  const said = { severity: 'error', detail: message } as const;
  if (isMissingTableError(error)) {
    const code = 'server-database-empty';
    const summary = `There is no server in the database at ${place} yet`;
    const hint = 'Start "hostwright server" once, or correct the address of the database.';
    return new DiagnosticError([{ ...said, code, summary, hint }], { cause: error });
  }
  const code = 'server-database-unusable';
  const hint =
    fault === 'denied'
      ? 'Check the user and the password. The role of the server owns the database, or may create schemas in it.'
      : 'Check that PostgreSQL runs, that the database is there, and its address in --database or HOSTWRIGHT_SERVER_DATABASE.';
  return new DiagnosticError([{ ...said, code, summary: `${named} cannot be used`, hint }], {
    cause: error,
  });
}
