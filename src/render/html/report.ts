import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import { html, htmlLines, joinHtml, nothing, type Html } from '../../model/text/html.ts';
import type { PlannedCommand } from '../../model/write-to.ts';
import { formatTime } from '../format/moment.ts';
import { commandsTitle, probesTitle } from '../text/commands-text.ts';
import { describeDanger, describeRefusal } from '../text/counts-text.ts';
import { foldChanges } from '../view/fold-changes.ts';
import type { OutputView } from '../view/outline.ts';
import {
  decideVerdict,
  nameSubject,
  wordSubject,
  type PlanSubject,
  type Verdict,
} from '../view/plan-subject.ts';
import { viewPlan, type PlanView } from '../view/view.ts';
import {
  anchorChanges,
  renderAddress,
  renderChanges,
  renderTable,
  type Anchors,
} from './changes.ts';
import { renderDowntime } from './downtime.ts';
import { renderFindings } from './findings.ts';
import { renderPage, type HashText, type PageFrame } from './page.ts';
import { renderPicture, type Picture } from './picture.ts';
import { renderQuotas, renderSummary } from './summary.ts';
import { renderRehearsal, renderTimeline } from './timeline.ts';
import { renderRows } from './value-rows.ts';

/** What a report says beyond its plan. */
export interface ReportParts {
  /** Hostwright's version. */
  readonly version: string;
  /** When the plan was made; milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  readonly hashOf: HashText;
  /** Whose plan it is. */
  readonly identity?: PlanIdentity;
  readonly picture?: Picture;
  /** How its apply went; absent before it. */
  readonly timeline?: Timeline;
  readonly rehearsal?: Rehearsal;
  /** True: every change is shown on its own, equal ones too. */
  readonly isVerbose?: boolean;
}

/** A plan as a page for a browser: one file that needs nothing else. */
export function renderPlanHtml(plan: Plan, parts: ReportParts): string {
  const { version, plannedAt, hashOf, picture, timeline, rehearsal, identity, isVerbose } = parts;
  const view = viewPlan(plan);
  // A plan is about what it does, or about nothing but what was done outside.
  const shown = view.mode === 'refresh' ? view.drift : view.changes;
  const folded = isVerbose ? shown : foldChanges(shown);
  const anchors = anchorChanges(folded);
  return renderPage(
    {
      ...titlePage(nameSubject(view.mode, identity), decideVerdict(view)),
      facts: [`planned ${formatTime(plannedAt)}`, `Hostwright v${version}`],
      hashOf,
    },
    [
      renderBanner(view),
      renderSummary(view, anchors),
      renderDowntime(view.downtime, anchors),
      renderFindings(view.findings, anchors),
      renderCommands('Commands', commandsTitle, view.commands, anchors),
      renderCommands('Probes', probesTitle, view.probes, anchors),
      renderQuotas(view.quotas),
      renderChanges(
        { folded, all: shown },
        anchors,
        view.mode === 'refresh' ? 'Changed outside' : 'Changes',
      ),
      renderOutputs(view.outputs),
      rehearsal ? renderRehearsal(rehearsal, anchors) : nothing,
      timeline ? renderTimeline(timeline, anchors) : nothing,
      picture ? renderPicture(picture, anchors) : nothing,
    ],
  );
}

/** The diagnostics that stopped a command before there was a plan, as a page for a browser. */
export function renderFailureHtml(
  diagnostics: readonly Diagnostic[],
  { version, hashOf, identity }: Pick<ReportParts, 'version' | 'hashOf' | 'identity'>,
): string {
  const verdict = { tone: 'error', words: 'could not be made' } as const;
  return renderPage(
    {
      ...titlePage(nameSubject('apply', identity), verdict),
      facts: [`Hostwright v${version}`],
      hashOf,
    },
    [renderFindings(diagnostics, anchorChanges([]))],
  );
}

/** What stands above a page and in its tab: whose plan it is, and what it comes to. */
function titlePage(
  subject: PlanSubject,
  { tone, words }: Verdict,
): Pick<PageFrame, 'title' | 'heading'> {
  const { title, name, places } = subject;
  // An account that has no address is called by words.
  const where = places.map(
    ({ word, text }) => html`${word} ${text.includes(' ') ? text : html`<code>${text}</code>`}`,
  );
  return {
    title: `${wordSubject(subject)}: ${words}`,
    heading: html`${title}${name !== undefined && html` <code>${name}</code>`}${where.length > 0 && html` <span class="where">${joinHtml(where, ' ')}</span>`}: <span class="verdict ${tone}">${words}</span>`,
  };
}

/** Above all else: that a plan cannot be applied, and what it loses for good. */
function renderBanner(view: PlanView): Html {
  const danger = describeDanger(view);
  const refusal = describeRefusal(view);
  const banner = (tone: Verdict['tone'], lines: readonly string[]) =>
    html`<div class="banner ${tone}">${lines.filter((line) => line !== '').map((line) => html`<p>${line}</p>`)}</div>`;
  return html`${refusal !== undefined && banner('error', [refusal])}${danger && banner('loss', [danger.loss, danger.counts])}`;
}

/** The commands that an apply runs, or the probes that it makes, each whole. */
function renderCommands(
  name: 'Commands' | 'Probes',
  title: string,
  commands: readonly PlannedCommand[],
  anchors: Anchors,
): Html {
  if (commands.length === 0) return nothing;
  const items = commands.map(
    ({ address, command }) => html`<p>${renderAddress(address, anchors)}</p>
<pre class="frame">${htmlLines(command)}</pre>`,
  );
  const id = name.toLowerCase();
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
<p>${title}:</p>
${joinHtml(items, '\n')}
</section>`;
}

/** What happens to the outputs, side by side. */
function renderOutputs(outputs: readonly OutputView[]): Html {
  if (outputs.length === 0) return nothing;
  const rows = outputs.map(({ name, diff }) => renderRows(diff, html`${name}`, 'both'));
  return html`<section aria-labelledby="outputs"><h2 id="outputs">Changes to outputs</h2>${renderTable('diff both', ['Output', 'Before', 'After'], rows)}</section>`;
}
