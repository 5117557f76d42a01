import type { Diagnostic } from '../../model/diagnostic.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import { html, htmlLines, joinHtml, emptyHtml, type Html } from '../../model/text/html.ts';
import type { PlannedCommand } from '../../model/write-to.ts';
import { formatTime } from '../format/moment.ts';
import { commandsTitle, probesTitle, turnsTitle } from '../text/commands-text.ts';
import { describeLossWarning, describeBlockedPlan } from '../text/counts-text.ts';
import { foldChanges } from '../view/fold-changes.ts';
import type { OutputView } from '../view/outline.ts';
import {
  decidePlanVerdict,
  nameSubject,
  wordSubject,
  type PlanSubject,
  type PlanVerdict,
} from '../view/plan-subject.ts';
import { viewPlan, type PlanView } from '../view/view.ts';
import {
  anchorChanges,
  renderAddress,
  renderChanges,
  renderTable,
  type ChangeAnchors,
} from './changes.ts';
import { renderDowntime } from './downtime.ts';
import { renderFindings } from './findings.ts';
import { renderPage, type HashText, type PageFrame } from './page.ts';
import { renderPicture, type GraphPicture } from './picture.ts';
import { renderQuotas, renderSummary } from './summary.ts';
import { renderRehearsal, renderTimeline } from './timeline.ts';
import { renderValueRows } from './value-rows.ts';

/** Contents of a report that are not part of its plan. */
export interface ReportParts {
  /** Version of this program, which the report names. */
  readonly version: string;
  /** Time at which the plan was made, in milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  readonly hashOf: HashText;
  /** Directory, service and commit that the plan is for. */
  readonly identity?: PlanIdentity;
  readonly picture?: GraphPicture;
  /** Timeline of the plan's apply; absent before the apply. */
  readonly timeline?: Timeline;
  readonly rehearsal?: Rehearsal;
  /** Set to show every change on its own, equal changes of instances too. */
  readonly isVerbose?: boolean;
}

/** A plan as a page for a browser: one file that needs nothing else. */
export function renderPlanHtml(plan: Plan, parts: ReportParts): string {
  const { version, plannedAt, hashOf, picture, timeline, rehearsal, identity, isVerbose } = parts;
  const view = viewPlan(plan);
  // A plan shows its changes; a refresh-only plan shows nothing but the changes made outside.
  const shown = view.mode === 'refresh' ? view.drift : view.changes;
  const folded = isVerbose ? shown : foldChanges(shown);
  const anchors = anchorChanges(folded);
  return renderPage(
    {
      ...titlePage(nameSubject(view.mode, identity), decidePlanVerdict(view)),
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
      renderCommands('Instances', turnsTitle, view.turns, anchors),
      renderQuotas(view.quotas),
      renderChanges(
        { folded, all: shown },
        anchors,
        view.mode === 'refresh' ? 'Changed outside' : 'Changes',
      ),
      renderOutputs(view.outputs),
      rehearsal ? renderRehearsal(rehearsal, anchors) : emptyHtml,
      timeline ? renderTimeline(timeline, anchors) : emptyHtml,
      picture ? renderPicture(picture, anchors) : emptyHtml,
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

/** Title of a page and of its tab: the plan's subject, and its verdict. */
function titlePage(
  subject: PlanSubject,
  { tone, words }: PlanVerdict,
): Pick<PageFrame, 'title' | 'heading'> {
  const { title, name, places } = subject;
  // An account without an address is named by words, and words are not set as code.
  const where = places.map(
    ({ word, text }) => html`${word} ${text.includes(' ') ? text : html`<code>${text}</code>`}`,
  );
  return {
    title: `${wordSubject(subject)}: ${words}`,
    heading: html`${title}${name !== undefined && html` <code>${name}</code>`}${where.length > 0 && html` <span class="where">${joinHtml(where, ' ')}</span>`}: <span class="verdict ${tone}">${words}</span>`,
  };
}

/** Banner above all else: that the plan cannot be applied, and the data that it loses for good. */
function renderBanner(view: PlanView): Html {
  const danger = describeLossWarning(view);
  const refusal = describeBlockedPlan(view);
  const banner = (tone: PlanVerdict['tone'], lines: readonly string[]) =>
    html`<div class="banner ${tone}">${lines.filter((line) => line !== '').map((line) => html`<p>${line}</p>`)}</div>`;
  return html`${refusal !== undefined && banner('error', [refusal])}${danger && banner('loss', [danger.loss, danger.counts])}`;
}

/** The commands that an apply runs, the probes that it makes, or the order of instances, each whole. */
function renderCommands(
  name: 'Commands' | 'Probes' | 'Instances',
  title: string,
  commands: readonly PlannedCommand[],
  anchors: ChangeAnchors,
): Html {
  if (commands.length === 0) return emptyHtml;
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

/** Renders changes of the outputs, with old and new values side by side. */
function renderOutputs(outputs: readonly OutputView[]): Html {
  if (outputs.length === 0) return emptyHtml;
  const rows = outputs.map(({ name, diff }) => renderValueRows(diff, html`${name}`, 'both'));
  return html`<section aria-labelledby="outputs"><h2 id="outputs">Changes to outputs</h2>${renderTable('diff both', ['Output', 'Before', 'After'], rows)}</section>`;
}
