import type { Action } from '../model/plan.ts';
import type { Style } from './style.ts';
import type { Mark } from './value-diff.ts';

/** Three cells wide, as Terraform has them. */
export function drawActionSymbol(action: Action, style: Style): string {
  switch (action) {
    case 'create':
      return `  ${style.green('+')}`;
    case 'update':
      return `  ${style.yellow('~')}`;
    case 'delete':
      return `  ${style.red('-')}`;
    case 'replace':
      return `${style.red('-')}/${style.green('+')}`;
    case 'rebuild':
      return ` ${style.red('!')}${style.yellow('~')}`;
    case 'no-op':
      return '   ';
  }
}

/** The symbol of a value within a resource. */
export function drawMark(mark: Mark, style: Style): string {
  return drawActionSymbol(mark === 'none' ? 'no-op' : mark, style);
}

/** The legend, in its order: only the actions that a plan uses are printed of it. */
export const legend: readonly {
  readonly action: Exclude<Action, 'no-op'>;
  readonly words: string;
}[] = [
  { action: 'create', words: 'create' },
  { action: 'update', words: 'update in-place' },
  { action: 'delete', words: 'destroy' },
  { action: 'replace', words: 'destroy and then create replacement' },
  { action: 'rebuild', words: 'rebuild (same VM and id, its disk is lost)' },
];
