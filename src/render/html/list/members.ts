import type { Address } from '../../../model/address.ts';
import { escapeMarkup } from '../../../model/text/html.ts';
import { drawDiffValue } from '../../text/inline-value.ts';
import type { ValueDiff } from '../../view/value-diff.ts';
import type { ChangeView } from '../../view/view.ts';

/** What the row of a folded change cannot say: which it stands for, with the values that each has of its own. */
export function renderMembers(
  folded: ChangeView,
  originals: ReadonlyMap<Address, ChangeView>,
): string {
  const { members } = folded;
  if (members === undefined) return '';
  const own = folded.attributes.flatMap(({ name, diff }) => (isVarious(diff) ? [name] : []));
  const heads = ['Address', ...own].map((head) => `<th scope="col">${escapeMarkup(head)}</th>`);
  const rows = members.map((address) => {
    const attributes = originals.get(address)?.attributes ?? [];
    const cells = own.map((name) => {
      const diff = attributes.find((attribute) => attribute.name === name)?.diff;
      return `<td>${diff ? escapeMarkup(drawDiffValue(takeKnown(diff))) : ''}</td>`;
    });
    return `<tr><th scope="row">${escapeMarkup(address)}</th>${cells.join('')}</tr>`;
  });
  return (
    `<div class="scroll"><table class="values"><thead><tr>${heads.join('')}</tr></thead>` +
    `<tbody>${rows.join('')}</tbody></table></div>`
  );
}

function isVarious(diff: ValueDiff): boolean {
  return diff.kind === 'various' || (diff.kind === 'swap' && diff.before.kind === 'various');
}

/** Of a value that is only known after apply, the one that goes. */
function takeKnown(diff: ValueDiff): ValueDiff {
  return diff.kind === 'swap' && diff.after.kind === 'unknown' ? diff.before : diff;
}
