import type { Action, Change } from '../../model/plan/plan.ts';
import type { Style } from '../format/style.ts';
import type { Mark } from './value-diff.ts';

/**
 * An action as it is drawn: a replacement that is created first has its own symbol, and so has a resource that is only
 * adopted; one that only moves has none. `drift` and `gone` are what happened outside.
 */
export type ShownAction = Action | 'create-first' | 'import' | 'move' | 'drift' | 'gone';

/** How a change is drawn; `no-op` where there is nothing to show. */
export function showAction(
  change: Pick<Change, 'action' | 'isCreatedFirst' | 'isImported' | 'movedFrom'>,
): ShownAction {
  if (change.action === 'replace' && change.isCreatedFirst) return 'create-first';
  if (change.action !== 'no-op') return change.action;
  if (change.isImported) return 'import';
  return change.movedFrom === undefined ? 'no-op' : 'move';
}

/** Three cells wide, as Terraform has them. */
export function drawActionSymbol(action: ShownAction, style: Style): string {
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
    case 'forget':
      return `  ${style.cyan('.')}`;
    case 'rebuild':
      return ` ${style.red('!~')}`;
    case 'move':
    case 'no-op':
      return '   ';
  }
}

/** The symbol of a value within a resource. */
export function drawMark(mark: Mark, style: Style): string {
  return drawActionSymbol(mark === 'none' ? 'no-op' : mark, style);
}

/** In which order changes are read: what may lose most stands first. */
const order: readonly ShownAction[] = [
  'rebuild',
  'replace',
  'create-first',
  'delete',
  'expire',
  'gone',
  'forget',
  'update',
  'drift',
  'create',
  'import',
  'move',
];

/** Changes with the dangerous ones first; the order of one action stays. */
export function sortByDanger<T extends { readonly action: ShownAction }>(
  changes: readonly T[],
): T[] {
  const rank = ({ action }: T) => order.indexOf(action);
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

/** The legend, in its order: only the actions that a plan uses are printed of it. */
export const legend: readonly {
  readonly action: Exclude<ShownAction, 'no-op' | 'move' | 'drift' | 'gone'>;
  readonly words: string;
}[] = [
  { action: 'rebuild', words: 'rebuild (same VM and id, its disk is lost)' },
  { action: 'replace', words: 'destroy and then create replacement' },
  { action: 'create-first', words: 'create replacement and then destroy' },
  { action: 'delete', words: 'destroy' },
  { action: 'expire', words: 'destroy what has been retired' },
  { action: 'forget', words: 'forget' },
  { action: 'update', words: 'update in-place' },
  { action: 'create', words: 'create' },
  { action: 'import', words: 'import' },
];
