import type { SandboxTableName } from '../store/rows.ts';
import { sandboxTables } from '../store/rows.ts';
import type { SandboxStore, SandboxRowMatch } from '../store/store.ts';

type Columns = Readonly<Record<string, string | number | null>>;

/** A change of one row at the end of an operation, kept with the operation until then. */
export type SandboxRowEffect =
  | { readonly kind: 'insert'; readonly table: SandboxTableName; readonly row: Columns }
  | {
      readonly kind: 'update';
      readonly table: SandboxTableName;
      readonly where: SandboxRowMatch;
      readonly set: Columns;
    }
  | { readonly kind: 'delete'; readonly table: SandboxTableName; readonly where: SandboxRowMatch };

/** Changes of the data that an operation makes when it ends, by its outcome. */
export interface SandboxOperationEffects {
  readonly success: readonly SandboxRowEffect[];
  readonly failure: readonly SandboxRowEffect[];
}

export const makeInsertEffect = (table: SandboxTableName, row: Columns): SandboxRowEffect => ({
  kind: 'insert',
  table,
  row,
});

export const makeUpdateEffect = (
  table: SandboxTableName,
  where: SandboxRowMatch,
  set: Columns,
): SandboxRowEffect => ({
  kind: 'update',
  table,
  where,
  set,
});

export const makeDeleteEffect = (
  table: SandboxTableName,
  where: SandboxRowMatch,
): SandboxRowEffect => ({
  kind: 'delete',
  table,
  where,
});

/** Applies an effect to its row. A row that was deleted meanwhile is no fault: there is then nothing to do. */
export function applyRowEffect(store: SandboxStore, effect: SandboxRowEffect): void {
  switch (effect.kind) {
    case 'insert':
      store.insert<object>(sandboxTables[effect.table], effect.row);
      return;
    case 'update':
      store.update<object>(sandboxTables[effect.table], effect.where, effect.set);
      return;
    case 'delete':
      store.delete(sandboxTables[effect.table], effect.where);
      return;
  }
}
