import type { OutputView } from '../outputs-text.ts';
import { escapeMarkup } from '../escape-markup.ts';
import { renderSides } from './sides.ts';
import { layOutValue } from './value-rows.ts';

/** What happens to the outputs, side by side. */
export function renderOutputs(outputs: readonly OutputView[]): string {
  if (outputs.length === 0) return '';
  return [
    '<section aria-labelledby="outputs"><h2 id="outputs">Changes to outputs</h2>',
    '<div class="scroll"><table class="diff both"><thead><tr><th scope="col">Output</th>',
    '<th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>',
    ...outputs.flatMap(({ name, diff }) => {
      const rows = layOutValue(diff);
      return rows.map((row, index) => {
        const span = rows.length > 1 ? ` rowspan="${rows.length}"` : '';
        const head = index === 0 ? `<th scope="row"${span}>${escapeMarkup(name)}</th>` : '';
        return `<tr>${head}${renderSides(row, 'both')}</tr>`;
      });
    }),
    '</tbody></table></div></section>',
  ].join('');
}
