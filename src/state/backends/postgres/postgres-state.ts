import { decodeInfo } from '../../lock/lock-info.ts';
import type { LockLoss } from '../../lock/fence.ts';
import type { LeasedFence } from '../../lock/leased-fence.ts';
import type { Database, Row } from './database.ts';
import type { Statements } from './statements.ts';
import type { Tables } from './tables.ts';

/** One state of a schema. */
export interface PostgresState {
  readonly database: Database;
  readonly tables: Tables;
  readonly statements: Statements;
  /** Its name in the schema. */
  readonly name: string;
  /** For messages. */
  readonly place: string;
}

/** The row of its lock; undefined before anybody took it. @throws BackendError */
export async function readLockRow({
  database,
  statements,
  name,
}: PostgresState): Promise<Row | undefined> {
  const [row] = await database.look(statements.readLock, [name]);
  return row;
}

/** Why a lock that was held is held no longer, by its row; undefined while it is. */
export function describeLoss(
  row: Row | undefined,
  { id, epoch }: Pick<LeasedFence, 'id' | 'epoch'>,
): LockLoss | undefined {
  if (row?.lock_id === id) return undefined;
  // Who held it last stays in the row, so a successor that has ended already is named as well.
  const by = row && Number(row.epoch) > epoch ? decodeInfo(row.lock_info ?? '') : undefined;
  return by ? { kind: 'taken', by } : { kind: 'removed' };
}
