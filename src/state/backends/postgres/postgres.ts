import type { Clock } from '../../../model/runtime.ts';
import type { StateBackend } from '../backend.ts';
import { PostgresDatabase, type ConnectionPool } from './database.ts';
import { findLockedStateFileWriter, openServerStateFiles } from '../server-files.ts';
import { LockedPostgresState } from './held-row.ts';
import { PostgresLock } from './postgres-lock.ts';
import { PostgresStateReader } from './postgres-state.ts';
import { buildStateTableStatements } from './statements.ts';
import { nameStateTables } from './tables.ts';

/** Name of a state in PostgreSQL, and the connections to its database. */
export interface PostgresBackendOptions {
  readonly schema: string;
  /** Name of the state within its database schema. */
  readonly name: string;
  /** Opens connections to the database; called with the first statement. */
  readonly openPool: () => Promise<ConnectionPool>;
  /** The database for messages, without any secret: `db.example.com:5432/infra`. */
  readonly database: string;
  readonly clock: Clock;
}

/** Opens a state in PostgreSQL. Nothing is read before it is used, and nothing made before its lock is taken. */
export function openPostgresBackend(options: PostgresBackendOptions): StateBackend {
  const { schema, name, clock, openPool } = options;
  const place = `PostgreSQL at ${options.database}, schema ${schema}, state ${name}`;
  const database = new PostgresDatabase({ openPool, place, clock });
  const tables = nameStateTables(schema);
  const state = { database, tables, statements: buildStateTableStatements(tables), name, place };
  const pathOf = (file: string) => `${place}: ${file}`;
  const look = () => Promise.resolve(new PostgresStateReader(state));
  return {
    kind: 'postgres',
    place,
    address: `postgres:${schema}/${name}`,
    capabilities: { epoch: true, expiry: true, history: true, compareAndSwap: true },
    lock: new PostgresLock(state),
    openFiles: (fence) =>
      openServerStateFiles(
        { pathOf, look },
        fence && findLockedStateFileWriter(fence, LockedPostgresState),
      ),
    close: () => database.close(),
  };
}
