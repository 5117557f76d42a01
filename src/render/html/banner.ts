import type { PlanIdentity } from '../../model/plan/identity.ts';
import { escapeMarkup } from '../../model/text/html.ts';
import { describeDanger, describeRefusal } from '../text/counts-text.ts';
import { decideVerdict, nameSubject, wordSubject } from '../view/plan-subject.ts';
import type { PlanView } from '../view/view.ts';
import type { PageFrame } from './page.ts';

/** What stands above a page and in its tab: whose plan it is, and what it comes to. */
export function titlePage(
  view: PlanView,
  identity: PlanIdentity | undefined,
): Pick<PageFrame, 'title' | 'heading'> {
  return writeTitle(nameSubject(view.mode, identity), decideVerdict(view));
}

/** The same of a plan that could not be made. */
export function titleFailure(
  identity: PlanIdentity | undefined,
): Pick<PageFrame, 'title' | 'heading'> {
  return writeTitle(nameSubject('apply', identity), { tone: 'error', words: 'could not be made' });
}

function writeTitle(
  subject: ReturnType<typeof nameSubject>,
  { tone, words }: { readonly tone: string; readonly words: string },
): Pick<PageFrame, 'title' | 'heading'> {
  const { title, name, places } = subject;
  const code = (text: string) => `<code>${escapeMarkup(text)}</code>`;
  // An account that has no address is called by words.
  const place = (text: string) => (text.includes(' ') ? escapeMarkup(text) : code(text));
  const where = places.map(({ word, text }) => `${word} ${place(text)}`).join(' ');
  return {
    title: `${wordSubject(subject)}: ${words}`,
    heading:
      `${title}${name === undefined ? '' : ` ${code(name)}`}` +
      (where === '' ? '' : ` <span class="where">${where}</span>`) +
      `: <span class="verdict ${tone}">${escapeMarkup(words)}</span>`,
  };
}

/** Above all else: that a plan cannot be applied, and what it loses for good. */
export function renderBanner(view: PlanView): string {
  const danger = describeDanger(view);
  const refusal = describeRefusal(view);
  return [
    ...(refusal === undefined ? [] : [renderOne('error', [refusal])]),
    ...(danger ? [renderOne('loss', [danger.loss, danger.counts])] : []),
  ].join('');
}

function renderOne(tone: 'error' | 'loss', lines: readonly string[]): string {
  const paragraphs = lines
    .filter((line) => line !== '')
    .map((line) => `<p>${escapeMarkup(line)}</p>`);
  return `<div class="banner ${tone}">${paragraphs.join('')}</div>`;
}
