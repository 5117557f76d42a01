import type { Action, Change } from '../../model/plan/plan.ts';
import type { TextStyle } from '../format/style.ts';
import type { ValueMark } from './value-diff.ts';

/**
 * Action that decides the symbol of a change. Beside the actions of a plan: a replacement that is created first, a mere
 * import, a mere move, and the changes made outside of Hostwright, `drift` and `gone`.
 */
export type ShownAction = Action | 'create-first' | 'import' | 'move' | 'drift' | 'gone';

/** Finds the action that decides the symbol of a change; `no-op` where there is nothing to draw. */
export function findShownAction(
  change: Pick<Change, 'action' | 'isCreatedFirst' | 'isImported' | 'movedFrom'>,
): ShownAction {
  if (change.action === 'replace' && change.isCreatedFirst) return 'create-first';
  if (change.action !== 'no-op') return change.action;
  if (change.isImported) return 'import';
  return change.movedFrom === undefined ? 'no-op' : 'move';
}

/** Draws the symbol of an action, three cells wide as in Terraform. */
export function drawActionSymbol(action: ShownAction, style: TextStyle): string {
  switch (action) {
    case 'create':
      return `  ${style.green('+')}`;
    case 'update':
    case 'drift':
      return `  ${style.yellow('~')}`;
    case 'delete':
    case 'expire':
    case 'gone':
      return `  ${style.red('-')}`;
    case 'replace':
      return `${style.red('-')}/${style.green('+')}`;
    case 'create-first':
      return `${style.green('+')}/${style.red('-')}`;
    case 'import':
      return ` ${style.cyan('<=')}`;
    case 'due':
      return `  ${style.cyan('@')}`;
    case 'forget':
      return `  ${style.cyan('.')}`;
    case 'rebuild':
      return ` ${style.red('!~')}`;
    case 'move':
    case 'no-op':
      return '   ';
  }
}

/** Draws the symbol of a value within a resource: added, changed or removed. */
export function drawValueMark(mark: ValueMark, style: TextStyle): string {
  return drawActionSymbol(mark === 'none' ? 'no-op' : mark, style);
}

/** Order in which changes are read: the most dangerous actions first. */
const order: readonly ShownAction[] = [
  'rebuild',
  'replace',
  'create-first',
  'delete',
  'expire',
  'gone',
  'forget',
  'due',
  'update',
  'drift',
  'create',
  'import',
  'move',
];

/** Sorts changes, the dangerous actions first; changes with one action stay in their order. */
export function sortChangesByDanger<T extends { readonly action: ShownAction }>(
  changes: readonly T[],
): T[] {
  const rank = ({ action }: T) => order.indexOf(action);
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

/** Legend of the symbols, in its order: only the actions that a plan uses are printed. */
export const symbolLegend: readonly {
  readonly action: Exclude<ShownAction, 'no-op' | 'move' | 'drift' | 'gone'>;
  readonly words: string;
}[] = [
  { action: 'rebuild', words: 'rebuild (same VM and id, its disk is lost)' },
  { action: 'replace', words: 'destroy and then create replacement' },
  { action: 'create-first', words: 'create replacement and then destroy' },
  { action: 'delete', words: 'destroy' },
  { action: 'expire', words: 'destroy what has been retired' },
  { action: 'forget', words: 'forget' },
  { action: 'due', words: 'back up' },
  { action: 'update', words: 'update in-place' },
  { action: 'create', words: 'create' },
  { action: 'import', words: 'import' },
];
