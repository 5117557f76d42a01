// The top of a comment on a pull request, which a reviewer sees before anything else: the plan's subject, its verdict and its
// losses.
import { countSeverity } from '../../model/diagnostic.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { PlanMode } from '../../model/plan/plan.ts';
import { formatMarkdownInlineCode, replaceLoneSurrogates } from '../format/escape.ts';
import {
  describeLossWarning,
  describeNonzeroEffectCounts,
  describeBlockedPlan,
} from '../text/counts-text.ts';
import { countFoldedChanges, foldChanges } from '../view/fold-changes.ts';
import { formatCountWithNoun } from '../../model/text/count-noun.ts';
import { decidePlanVerdict, findPlanSubject } from '../view/plan-subject.ts';
import type { PlanView } from '../view/view.ts';

/** The most addresses that the list of losses names. */
const maxNamed = 10;

const titles: Readonly<Record<PlanMode, string>> = {
  apply: 'Hostwright plan',
  destroy: 'Hostwright destroy plan',
  refresh: 'Hostwright refresh-only plan',
};

/** Draws the head of a plan's comment: the hidden marker, the heading, and below it the counts and the account. */
export function drawPlanCommentTitle(view: PlanView, identity: PlanIdentity | undefined): string[] {
  const errors = countSeverity(view.findings, 'error');
  const has = errors > 0 ? [`it has ${formatCountWithNoun('error', errors)}`] : [];
  const verdict = [decidePlanVerdict(view).words, ...has].join(', ');
  const outside =
    view.drift.length > 0
      ? `${formatCountWithNoun('resource', view.drift.length)} changed outside`
      : '';
  const counts = view.changes.length > 0 ? describeNonzeroEffectCounts(view.counts) : outside;
  return drawHeading(view.mode, identity, verdict, counts);
}

/** Draws the head of a comment where no plan could be made, in the form of `drawPlanCommentTitle`. */
export function drawFailureCommentTitle(identity: PlanIdentity | undefined): string[] {
  return drawHeading('apply', identity, 'could not be made', '');
}

function drawHeading(
  mode: PlanMode,
  identity: PlanIdentity | undefined,
  verdict: string,
  counts: string,
): string[] {
  const { name, places } = findPlanSubject(mode, identity);
  const of = name === undefined ? '' : ` for ${formatMarkdownInlineCode(name)}`;
  const small = [
    counts,
    ...places.map(
      ({ word, text, isWords = false }) =>
        `${word} ${isWords ? text : formatMarkdownInlineCode(text)}`,
    ),
  ]
    .filter((text) => text !== '')
    .join(' · ');
  return [
    drawMarker(identity?.directory ?? '.'),
    `## ${titles[mode]}${of}: ${verdict}${small === '' ? '' : `<br><sub>${small}</sub>`}`,
    '',
  ];
}

/**
 * Marker by which a pipeline finds its comment to update it in place. The directory is encoded, so that it cannot end the
 * marker.
 */
function drawMarker(directory: string): string {
  return `<!-- hostwright-plan:${encodeURI(replaceLoneSurrogates(directory)).replaceAll('--', '%2D%2D')} -->`;
}

/** Draws the reason why a plan cannot be applied, and the plan's losses, each in an alert box of the code host. */
export function drawPlanAlerts(view: PlanView, isVerbose: boolean): string[] {
  const warnings = countSeverity(view.findings, 'warning');
  const danger = describeLossWarning(view);
  const refusal = describeBlockedPlan(view);
  return [
    ...(refusal === undefined ? [] : alert('CAUTION', [`**${refusal}**`])),
    ...(danger
      ? alert('CAUTION', [`**${danger.loss}**`, danger.counts, nameLosing(view, isVerbose)])
      : []),
    ...(warnings > 0 && refusal === undefined && !danger
      ? alert('WARNING', [`**This plan has ${formatCountWithNoun('warning', warnings)}.**`])
      : []),
  ];
}

function alert(kind: 'CAUTION' | 'WARNING', lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line !== '');
  const paragraphs = filled.flatMap((line, index) => (index === 0 ? [line] : ['', line]));
  return [`> [!${kind}]`, ...paragraphs.map((line) => `> ${line}`.trimEnd()), ''];
}

function nameLosing({ changes }: PlanView, isVerbose: boolean): string {
  const losing = changes.filter(({ losses }) => losses.length > 0);
  const shown = isVerbose ? losing : foldChanges(losing);
  const named = shown.slice(0, maxNamed).map(({ address }) => formatMarkdownInlineCode(address));
  const left = shown.slice(maxNamed).reduce((sum, change) => sum + countFoldedChanges(change), 0);
  return `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** Draws the link to the plan's web page. `url` comes from `URL`, so it contains no character that could end the link. */
export function drawPageLink(url: string | undefined): string[] {
  return url === undefined ? [] : [`[The whole plan as a page](${url})`, ''];
}
