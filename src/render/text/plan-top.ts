import type { PlanIdentity } from '../../model/plan/identity.ts';
import { escapeText } from '../format/escape.ts';
import { wrapText } from '../format/measure.ts';
import type { Layout } from '../format/style.ts';
import { decideVerdict, nameSubject, wordSubject } from '../view/plan-subject.ts';
import type { PlanView } from '../view/view.ts';
import { describeDanger, describeRefusal } from './counts-text.ts';

/** The first lines of a plan: whose it is and what it comes to, that it is refused, and what is lost for good. */
export function drawTop(
  out: string[],
  view: PlanView,
  identity: PlanIdentity | undefined,
  layout: Layout,
): void {
  const { columns, style } = layout;
  if (identity) {
    const title = escapeText(wordSubject(nameSubject(view.mode, identity)));
    const { tone, words } = decideVerdict(view);
    const paint = tone === 'error' || tone === 'loss' ? style.red : style.green;
    // Word by word, so that no colour goes over the end of a line.
    const verdict = words.split(' ').map(paint).join(' ');
    out.push(...wrapText(`${title}: ${verdict}`, columns).map(style.bold), '');
  }
  drawDanger(out, view, layout);
}

function drawDanger(out: string[], view: PlanView, { columns, style }: Layout): void {
  const danger = describeDanger(view);
  const said = [describeRefusal(view), danger?.loss, danger?.counts].filter(
    (text): text is string => text !== undefined && text !== '',
  );
  if (said.length === 0) return;
  for (const line of said) {
    const [first = '', ...rest] = wrapText(line, columns - 2);
    const lines = [`! ${first}`, ...rest.map((text) => `  ${text}`)];
    out.push(...lines.map((text) => style.bold(style.red(text))));
  }
  out.push('');
}
