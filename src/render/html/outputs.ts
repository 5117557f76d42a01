import type { OutputView } from '../view/output-view.ts';
import { escapeMarkup } from '../../model/text/html.ts';
import { renderRows } from './sides.ts';

/** What happens to the outputs, side by side. */
export function renderOutputs(outputs: readonly OutputView[]): string {
  if (outputs.length === 0) return '';
  return [
    '<section aria-labelledby="outputs"><h2 id="outputs">Changes to outputs</h2>',
    '<div class="scroll"><table class="diff both"><thead><tr><th scope="col">Output</th>',
    '<th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>',
    ...outputs.map(({ name, diff }) => renderRows(diff, escapeMarkup(name), 'both')),
    '</tbody></table></div></section>',
  ].join('');
}
