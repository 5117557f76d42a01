import { type Diagnostic, isDataLossDiagnostic, type Finding } from '../../model/diagnostic.ts';
import { groupBy } from '../../model/group-by.ts';
import type { MemberOutage } from '../../model/plan/downtime.ts';
import type { PlanIdentity } from '../../model/plan/identity.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Rehearsal } from '../../model/plan/rehearsal.ts';
import type { Timeline } from '../../model/plan/timeline.ts';
import {
  html,
  renderHtmlLines,
  joinHtml,
  emptyHtml,
  type SafeHtml,
} from '../../model/text/html.ts';
import type { PlannedWriteToCommand } from '../../model/write-to.ts';
import { formatElapsed, formatTimeSinceRunStart } from '../format/elapsed.ts';
import { cutCodeFrame, isCaretLine } from '../format/frame.ts';
import { formatTime } from '../format/moment.ts';
import { commandsTitle, probesTitle, sequentialModulesTitle } from '../text/commands-text.ts';
import { describeLossWarning, describeBlockedPlan } from '../text/counts-text.ts';
import { isYamlEntry } from '../text/diagnostics-text.ts';
import type { DowntimeView } from '../view/downtime-view.ts';
import { foldChanges } from '../view/fold-changes.ts';
import { placeTimelineBar } from '../view/fold-timeline.ts';
import { severityLabels } from '../view/labels.ts';
import type { OutputChangeView } from '../view/outline.ts';
import {
  decidePlanVerdict,
  findPlanSubject,
  formatPlanTitle,
  type PlanSubject,
  type PlanVerdict,
} from '../view/plan-subject.ts';
import { viewPlan, type PlanView } from '../view/view.ts';
import {
  anchorChanges,
  renderAddress,
  renderChanges,
  renderValuesTable,
  type ChangeAnchors,
  renderColumnHead,
} from './changes.ts';
import {
  renderReportPage,
  type HashForContentSecurityPolicy,
  type ReportPageFrame,
} from './page.ts';
import { renderGraphPicture, type GraphPicture } from './picture.ts';
import { renderChangedQuotas, renderPlanSummary } from './summary.ts';
import { renderRehearsalHtml, renderTimeline } from './timeline.ts';
import { renderDiffValueRows } from './value-rows.ts';

/** Contents of a report that are not part of its plan. */
export interface PlanReportParts {
  /** Version of this program, which the report names. */
  readonly version: string;
  /** Time at which the plan was made, in milliseconds since the Unix epoch. */
  readonly plannedAt: number;
  readonly hashOf: HashForContentSecurityPolicy;
  /** Directory, service and commit that the plan is for. */
  readonly identity?: PlanIdentity;
  readonly picture?: GraphPicture;
  /** Timeline of the plan's apply; absent before the apply. */
  readonly timeline?: Timeline;
  readonly rehearsal?: Rehearsal;
  /** Set to show every change on its own, equal changes of instances too. */
  readonly isVerbose?: boolean;
}

/** Renders a plan as a web page in one file, which needs no other file. */
export function renderPlanHtml(plan: Plan, parts: PlanReportParts): string {
  const { version, plannedAt, hashOf, picture, timeline, rehearsal, identity, isVerbose } = parts;
  const view = viewPlan(plan);
  // A plan shows its changes; a refresh-only plan shows nothing but the changes made outside.
  const shown = view.mode === 'refresh' ? view.drift : view.changes;
  const folded = isVerbose ? shown : foldChanges(shown);
  const anchors = anchorChanges(folded);
  return renderReportPage(
    {
      ...titlePage(findPlanSubject(view.mode, identity), decidePlanVerdict(view)),
      facts: [`planned ${formatTime(plannedAt)}`, `Hostwright v${version}`],
      hashOf,
    },
    [
      renderBanner(view),
      renderPlanSummary(view, anchors),
      renderDowntime(view.downtime, anchors),
      renderFindings(view.findings, anchors),
      renderCommands('Commands', commandsTitle, view.commands, anchors),
      renderCommands('Probes', probesTitle, view.probes, anchors),
      renderCommands('Instances', sequentialModulesTitle, view.turns, anchors),
      renderChangedQuotas(view.quotas),
      renderChanges(
        { folded, all: shown },
        anchors,
        view.mode === 'refresh' ? 'Changed outside' : 'Changes',
      ),
      renderOutputs(view.outputs),
      rehearsal ? renderRehearsalHtml(rehearsal, anchors) : emptyHtml,
      timeline ? renderTimeline(timeline, anchors) : emptyHtml,
      picture ? renderGraphPicture(picture, anchors) : emptyHtml,
    ],
  );
}

/** Renders a web page with the diagnostics that stopped a command before it had a plan. */
export function renderFailureHtml(
  diagnostics: readonly Diagnostic[],
  { version, hashOf, identity }: Pick<PlanReportParts, 'version' | 'hashOf' | 'identity'>,
): string {
  const verdict = { tone: 'error', words: 'could not be made' } as const;
  return renderReportPage(
    {
      ...titlePage(findPlanSubject('apply', identity), verdict),
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
): Pick<ReportPageFrame, 'title' | 'heading'> {
  const { title, name, places } = subject;
  // An account without an address is named by words, and words are not set as code.
  const where = places.map(
    ({ word, text }) => html`${word} ${text.includes(' ') ? text : html`<code>${text}</code>`}`,
  );
  return {
    title: `${formatPlanTitle(subject)}: ${words}`,
    heading: html`${title}${name !== undefined && html` <code>${name}</code>`}${where.length > 0 && html` <span class="where">${joinHtml(where, ' ')}</span>`}: <span class="verdict ${tone}">${words}</span>`,
  };
}

/** Banner above all else: that the plan cannot be applied, and the data that it loses for good. */
function renderBanner(view: PlanView): SafeHtml {
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
  commands: readonly PlannedWriteToCommand[],
  anchors: ChangeAnchors,
): SafeHtml {
  if (commands.length === 0) return emptyHtml;
  const items = commands.map(
    ({ address, command }) => html`<p>${renderAddress(address, anchors)}</p>
<pre class="frame">${renderHtmlLines(command)}</pre>`,
  );
  const id = name.toLowerCase();
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
<p>${title}:</p>
${joinHtml(items, '\n')}
</section>`;
}

/** Renders changes of the outputs, with old and new values side by side. */
function renderOutputs(outputs: readonly OutputChangeView[]): SafeHtml {
  if (outputs.length === 0) return emptyHtml;
  const rows = outputs.map(({ name, diff }) => renderDiffValueRows(diff, html`${name}`, 'both'));
  return html`<section aria-labelledby="outputs"><h2 id="outputs">Changes to outputs</h2>${renderValuesTable('diff both', ['Output', 'Before', 'After'], rows)}</section>`;
}

/** Most rows of the table: nobody reads more one by one. */
const mostRows = 200;
/** A table with more rows scrolls in a box of its own. */
const fewRows = 30;

const lost = { power: 'does not run', attachment: 'no network' } as const;

/** Downtime of a plan: its sentences, and a row for each VM on one time scale. */
function renderDowntime(downtime: DowntimeView | undefined, anchors: ChangeAnchors): SafeHtml {
  if (!downtime) return emptyHtml;
  const { title, rows, members } = downtime;
  const vms = [...groupBy(members, ({ address }) => address)];
  const words = rows
    .slice(0, mostRows)
    .map(({ label, text }) => html`<dt><code>${label}</code></dt><dd>${text}</dd>`);
  return html`<section aria-labelledby="downtime"><h2 id="downtime">Downtime</h2><p class="closing-verdict bad">${title}</p><dl class="words">${words}</dl>${renderMore(rows.length)}${vms.length > 0 && renderVms(vms, downtime, anchors)}</section>`;
}

const renderMore = (all: number): SafeHtml =>
  all > mostRows ? html`<p>and ${all - mostRows} more</p>` : emptyHtml;

function renderVms(
  vms: readonly (readonly [string, readonly MemberOutage[]])[],
  { endMs, members }: DowntimeView,
  anchors: ChangeAnchors,
): SafeHtml {
  // The bar of an outage without an end is drawn beyond the end of all others.
  const isOpen = members.some((one) => one.endMs === null);
  const endedAt = Math.max(1, isOpen ? endMs * 1.1 : endMs);
  const heads = ['Resource', 'Meanwhile', 'From', 'For', 'From the beginning of the apply'];
  return html`<div class="scroll${vms.length > fewRows && ' long'}" tabindex="0" role="group" aria-label="Timeline of the downtime"><table class="times outages"><thead><tr>${heads.map(renderColumnHead)}</tr></thead><tbody>${vms.slice(0, mostRows).map(([address, outages]) => renderVm(address, outages, { endedAt, anchors }))}</tbody></table></div>${renderMore(vms.length)}`;
}

function renderVm(
  address: string,
  outages: readonly MemberOutage[],
  { endedAt, anchors }: { endedAt: number; anchors: ChangeAnchors },
): SafeHtml {
  const scale = { startedAt: 0, endedAt };
  const bars = outages.map((one) => {
    const bar = { startedAt: one.startMs, endedAt: one.endMs ?? endedAt };
    const { from, width } = placeTimelineBar(bar, scale);
    return html`<rect class="run failed" x="${from}" y="1" width="${width}" height="12"/>`;
  });
  const list = (word: (one: MemberOutage) => string) => outages.map(word).join(', ');
  const length = ({ startMs, endMs }: MemberOutage) =>
    endMs === null ? 'no end' : formatElapsed(endMs - startMs);
  return html`<tr><th scope="row">${renderAddress(address, anchors)}</th><td>${list(({ loses }) => lost[loses])}</td><td>${list(({ startMs }) => formatTimeSinceRunStart(startMs))}</td><td>${list(length)}</td><td class="bar"><svg aria-hidden="true" viewBox="0 0 1000 14" preserveAspectRatio="none"><rect class="wait" x="0" y="5" width="1000" height="4"/>${bars}</svg></td></tr>`;
}

/** Findings of the checks, the gravest first. */
function renderFindings(findings: readonly Finding[], anchors: ChangeAnchors): SafeHtml {
  if (findings.length === 0) return emptyHtml;
  const articles = findings.map((finding) => renderFinding(finding, anchors));
  return html`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
${joinHtml(articles, '\n')}
</section>`;
}

function renderFinding(finding: Finding, anchors: ChangeAnchors): SafeHtml {
  const { severity, code, summary, detail = '', hint = '', address, source } = finding;
  const place = [
    ...(address === undefined ? [] : [html`with ${renderAddress(address, anchors)}`]),
    ...(source
      ? [html`on <code>${source.file}</code> line ${source.line}, column ${source.column}`]
      : []),
  ];
  return joinHtml(
    [
      html`<article class="finding ${severity}${isDataLossDiagnostic(finding) && ' loss'}">`,
      html`<h3><span class="severity">${severityLabels[severity]}:</span> ${summary} <code class="code">[${code}]</code></h3>`,
      html`${place.length > 0 && html`<p class="place">${joinHtml(place, ', ')}</p>`}`,
      html`${source?.frame !== undefined && renderFrame(source.frame, `${source.file}, line ${source.line}`)}`,
      ...renderParagraphs(detail, emptyHtml),
      ...renderParagraphs(hint, html`<strong>Hint:</strong> `),
      html`</article>`,
    ],
    '',
  );
}

/** Paragraphs, a line each, behind `lead`; lines of YAML stand as they would in a file, ready to be copied. */
function renderParagraphs(text: string, lead: SafeHtml): SafeHtml[] {
  const blocks: { isYaml: boolean; lines: string[] }[] = [];
  const lines = text.split('\n').filter((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const isSection = /^\w+:$/.test(line) && isYamlEntry(lines[index + 1] ?? '');
    const isYaml = isSection || isYamlEntry(line);
    const last = blocks.at(-1);
    if (isYaml && last?.isYaml) last.lines.push(line);
    else blocks.push({ isYaml, lines: [line] });
  }
  return blocks.map((block) => {
    const content = renderHtmlLines(block.lines.join('\n'));
    return block.isYaml
      ? renderCode(content, 'For the configuration')
      : html`<p>${lead}${content}</p>`;
  });
}

function renderFrame(frame: string, label: string): SafeHtml {
  const lines = cutCodeFrame(frame, Infinity).map((line) => {
    const text = html`${line}`;
    return isCaretLine(line) ? { markup: text.markup.replace(/\^+/, '<b>$&</b>') } : text;
  });
  return renderCode(joinHtml(lines, '\n'), label);
}

function renderCode(lines: SafeHtml, label: string): SafeHtml {
  return html`<pre class="frame" tabindex="0" role="group" aria-label="${label}">${lines}</pre>`;
}
