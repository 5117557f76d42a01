import { escapeMarkup } from '../../../model/text/html.ts';
import { createStyle } from '../../format/style.ts';
import { drawActionSymbol, legend, type ShownAction } from '../../view/symbols.ts';

const plain = createStyle(false);

/** The sign of an action, apart from its colour. */
export function renderSymbol(action: ShownAction): string {
  const symbol = drawActionSymbol(action, plain).trim();
  return `<span class="sym ${action}" aria-hidden="true">${escapeMarkup(symbol === '' ? '→' : symbol)}</span>`;
}

const words: ReadonlyMap<ShownAction, string> = new Map<ShownAction, string>([
  ...legend.map(({ action, words: said }) => [action, said] as const),
  ['drift', 'changed'],
  ['gone', 'deleted'],
]);

/** What an action does: `update in-place`. */
export function nameAction(action: ShownAction): string {
  return words.get(action) ?? action;
}
