import type { DataFileTableName } from '../store/rows.ts';
import { dataFileTables } from '../store/rows.ts';
import type { SandboxStore, RowMatch } from '../store/store.ts';

type Columns = Readonly<Record<string, string | number | null>>;

/** A change of one row at the end of an operation, kept with the operation until then. */
export type RowEffect =
  | { readonly kind: 'insert'; readonly table: DataFileTableName; readonly row: Columns }
  | {
      readonly kind: 'update';
      readonly table: DataFileTableName;
      readonly where: RowMatch;
      readonly set: Columns;
    }
  | { readonly kind: 'delete'; readonly table: DataFileTableName; readonly where: RowMatch };

/** Changes of the data that an operation makes when it ends, by its outcome. */
export interface OperationEffects {
  readonly success: readonly RowEffect[];
  readonly failure: readonly RowEffect[];
}

export const makeInsertEffect = (table: DataFileTableName, row: Columns): RowEffect => ({
  kind: 'insert',
  table,
  row,
});

export const makeUpdateEffect = (
  table: DataFileTableName,
  where: RowMatch,
  set: Columns,
): RowEffect => ({
  kind: 'update',
  table,
  where,
  set,
});

export const makeDeleteEffect = (table: DataFileTableName, where: RowMatch): RowEffect => ({
  kind: 'delete',
  table,
  where,
});

/** A row that is gone meanwhile is no fault: its effect then has nothing to do. */
export function applyRowEffect(store: SandboxStore, effect: RowEffect): void {
  switch (effect.kind) {
    case 'insert':
      store.insert<object>(dataFileTables[effect.table], effect.row);
      return;
    case 'update':
      store.update<object>(dataFileTables[effect.table], effect.where, effect.set);
      return;
    case 'delete':
      store.delete(dataFileTables[effect.table], effect.where);
      return;
  }
}
