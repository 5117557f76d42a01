import type { TableName } from '../store/rows.ts';
import { tables } from '../store/rows.ts';
import type { SandboxStore, RowMatch } from '../store/store.ts';

type Columns = Readonly<Record<string, string | number | null>>;

/** A change of one row at the end of an operation, kept with the operation until then. */
export type RowEffect =
  | { readonly kind: 'insert'; readonly table: TableName; readonly row: Columns }
  | {
      readonly kind: 'update';
      readonly table: TableName;
      readonly where: RowMatch;
      readonly set: Columns;
    }
  | { readonly kind: 'delete'; readonly table: TableName; readonly where: RowMatch };

/** Changes of the data that an operation makes when it ends, by its outcome. */
export interface OperationEffects {
  readonly success: readonly RowEffect[];
  readonly failure: readonly RowEffect[];
}

export const insertEffect = (table: TableName, row: Columns): RowEffect => ({
  kind: 'insert',
  table,
  row,
});

export const updateEffect = (table: TableName, where: RowMatch, set: Columns): RowEffect => ({
  kind: 'update',
  table,
  where,
  set,
});

export const deleteEffect = (table: TableName, where: RowMatch): RowEffect => ({
  kind: 'delete',
  table,
  where,
});

/** A row that is gone meanwhile is no fault: its effect then has nothing to do. */
export function applyEffect(store: SandboxStore, effect: RowEffect): void {
  switch (effect.kind) {
    case 'insert':
      store.insert<object>(tables[effect.table], effect.row);
      return;
    case 'update':
      store.update<object>(tables[effect.table], effect.where, effect.set);
      return;
    case 'delete':
      store.delete(tables[effect.table], effect.where);
      return;
  }
}
