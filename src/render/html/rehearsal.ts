import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { escapeMarkup } from '../../model/text/html.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';
import type { Anchors } from './changes.ts';
import { renderTimes } from './timeline.ts';

/** How a plan was rehearsed, with what would run when. */
export function renderRehearsal(rehearsal: Rehearsal, anchors: Anchors): string {
  const { headline, lines, isWhole } = describeRehearsal(rehearsal);
  const verdict = isWhole ? 'closing-verdict' : 'closing-verdict bad';
  return [
    '<section aria-labelledby="rehearsal"><h2 id="rehearsal">Rehearsal</h2>',
    `<p class="${verdict}">${escapeMarkup(startSentence(headline))}</p>`,
    '<p>The plan was carried out on a copy of the account. Nothing was sent to the account itself.</p>',
    '<dl class="words">',
    ...lines.map(
      ({ label, text }) => `<dt>${escapeMarkup(label)}</dt><dd>${escapeMarkup(text)}</dd>`,
    ),
    '</dl>',
    renderTimes(rehearsal.timeline, anchors, 'Timeline of the rehearsal'),
    '</section>',
  ].join('');
}

const startSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
