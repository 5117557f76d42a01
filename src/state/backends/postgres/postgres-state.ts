import { decodeLockInfo } from '../../lock/lock-info.ts';
import type { LockLoss } from '../../lock/fence.ts';
import type { OwnLock } from '../../lock/own-lock.ts';
import { isStateFileName, type StateFileName } from '../../files/files.ts';
import type { StateFileReader } from '../server-files.ts';
import type { PostgresDatabase, DatabaseResultRow } from './database.ts';
import type { StateTableStatements } from './statements.ts';
import type { StateTableNames } from './tables.ts';

/** One state of a schema: the database, its statements and the state's name. */
export interface PostgresState {
  readonly database: PostgresDatabase;
  readonly tables: StateTableNames;
  readonly statements: StateTableStatements;
  /** Name of the state within its database schema. */
  readonly name: string;
  /** Name of the state for messages. */
  readonly place: string;
}

/** Reads the row of the state's lock; undefined before anybody took it. @throws BackendError */
export async function readLockRow({
  database,
  statements,
  name,
}: PostgresState): Promise<DatabaseResultRow | undefined> {
  const [row] = await database.look(statements.readLock, [name]);
  return row;
}

/** Reads the texts of a state from PostgreSQL. */
export class PostgresStateReader implements StateFileReader {
  readonly #state: PostgresState;

  constructor(state: PostgresState) {
    this.#state = state;
  }

  async list(): Promise<readonly StateFileName[]> {
    const { database, statements, name } = this.#state;
    const rows = await database.look(statements.list, [name]);
    return rows.map((row) => row.name ?? '').filter(isStateFileName);
  }

  async read(file: StateFileName): Promise<string | undefined> {
    const { database, statements, name } = this.#state;
    const rows = await database.look(statements.read, [name, file]);
    return rows.length === 0 ? undefined : rows.map(({ text }) => text).join('');
  }
}

/**
 * Finds the reason why a lock was lost, by its row; undefined while it is held. Epochs and the numbers of writes only
 * rise: where they are lower than `confirmed`, the database went back to an earlier moment.
 */
export function findPostgresLockLoss(
  row: DatabaseResultRow | undefined,
  { id, epoch }: Pick<OwnLock, 'id' | 'epoch'>,
  confirmed: number,
): LockLoss | undefined {
  const nameWrite = (writes: number, of: number) => `write ${writes} of epoch ${of}`;
  const setBackTo = (found: string, foundEpoch: number): LockLoss => ({
    kind: 'set-back',
    confirmed: nameWrite(confirmed, epoch),
    found,
    epoch: foundEpoch,
  });
  if (!row) return setBackTo('no state at all', 0);
  const at = Number(row.epoch);
  const writes = Number(row.writes);
  const isHeld = row.lock_id === id;
  // No epoch is given twice, unless the database has forgotten the first time.
  const isAgain = at === epoch && !isHeld && row.lock_id !== null;
  if (at < epoch || writes < confirmed || isAgain) {
    // Another run has taken the lock since, under the epoch of this one.
    return setBackTo(nameWrite(writes, at), isAgain ? at - 1 : at);
  }
  if (isHeld) return undefined;
  // The last holder stays in the row, so a successor that has ended already is named as well.
  const by = at > epoch ? decodeLockInfo(row.lock_info ?? '') : undefined;
  return by ? { kind: 'taken', by } : { kind: 'removed' };
}
