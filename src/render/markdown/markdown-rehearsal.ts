import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import { escapeText } from '../format/escape.ts';
import { describeRehearsal } from '../view/rehearsal-words.ts';
import { fence } from './diff-fence.ts';

/** How a plan was rehearsed: a line, and below it what keeps the plan from ending whole. */
export function drawRehearsal(rehearsal: Rehearsal): string[] {
  const { headline, lines } = describeRehearsal(rehearsal);
  const problems = lines
    .filter(({ isProblem }) => isProblem)
    .map(({ label, text }) => `! ${label}: ${escapeText(text)}`);
  return [
    `**Rehearsal:** ${headline}`,
    '',
    ...(problems.length > 0 ? [...fence(problems), ''] : []),
  ];
}
