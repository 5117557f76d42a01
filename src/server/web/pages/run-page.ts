import type { ApprovalJson } from '../../api/approval-routes.ts';
import type { PlanComparisonJson, RunStepJson } from '../../api/report-routes.ts';
import type { RunJson } from '../../api/show-run.ts';
import { isPlanApproved } from '../../store/approvals.ts';
import { isAccountChangingRun } from '../../store/server-hold.ts';
import { findRequiredMemberRole } from '../../people/roles.ts';
import { renderFactList, renderForm, renderFormRefusal } from '../parts/elements.ts';
import { formatApplyDuration } from '../../windows/apply-windows.ts';
import { html, emptyHtml, type SafeHtml } from '../../../model/text/html.ts';
import {
  formatGroupedCount,
  formatRunName,
  renderTimeAgo,
  renderRunDuration,
  renderRunStatusBadge,
} from '../parts/words.ts';
import { renderPlanApproval } from './approval-part.ts';
import { renderLiveRunLine, renderRunStepTimeline } from './progress-part.ts';
import { describeRunResult } from './run-rows.ts';

/** The most lines of the difference of two plans that the page shows. */
const mostDifferences = 500;

/** Content of the page of a run. */
export interface RunPageView {
  readonly run: RunJson;
  /** True where the run has an HTML page of its plan. */
  readonly hasReport: boolean;
  /** Differences between the plan and the one before; undefined without one. */
  readonly comparison: PlanComparisonJson | undefined;
  /** Steps of the run with their times; empty while it is under way. */
  readonly steps: readonly RunStepJson[];
  /** Set where the plan is the newest of its workspace, and not applied yet. */
  readonly isWaiting: boolean;
  /** Roles that the viewer has in the workspace. */
  readonly roles: readonly string[];
  /** Approval of the run's plan; undefined for other runs. */
  readonly approval: ApprovalJson | undefined;
  readonly formToken: string;
  readonly now: number;
  readonly fault?: string;
}

/** Renders a run: its status, its progress and log, its plan, and the forms to approve, apply, cancel or repeat it. */
export function renderRunPage(view: RunPageView): SafeHtml {
  const { run, fault, hasReport, approval, comparison, formToken, now } = view;
  const isOpen = run.endedAt === undefined;
  const hasNewer = run.newerPlan !== undefined && run.status !== 'superseded';
  return html`<p class="trail">
      <a href="/">Workspaces</a> / <a href="/workspaces/${run.workspace}">${run.workspace}</a>
    </p>
    <div class="head">
      <h1>${formatRunName(run)} ${renderRunStatusBadge(run.status)}</h1>
      ${renderActions(view)}
    </div>
    ${renderFormRefusal(fault)}
    ${run.held !== undefined && html`<p class="callout warn"><b>This run waits.</b> ${run.held}</p>`}
    ${renderVerdict(view)}
    ${hasNewer && html`<p class="callout plain">Plan #${run.newerPlan} is of a newer commit. Run that one again.</p>`}
    ${run.deleted !== undefined && html`<p class="callout plain">${run.deleted}</p>`}
    ${renderRunFacts(view)}
    ${approval && renderPlanApproval(run.id, approval, formToken, now)}
    ${comparison && renderComparison(comparison, approval?.replaced !== undefined)}
    ${renderRunStepTimeline(run, view.steps)} ${renderLog(run, isOpen || !hasReport)}
    ${hasReport && renderReport(run)}`;
}

function renderActions({ run, isWaiting, roles, approval, formToken }: RunPageView): SafeHtml {
  const act = (action: string, label: string, style = '') =>
    renderForm(
      `/runs/${run.id}/${action}`,
      formToken,
      html`<button class="${style}">${label}</button>`,
    );
  const isOpen = run.endedAt === undefined;
  const mayStart = roles.includes(findRequiredMemberRole(run.operation));
  const mayStartAgain = mayStart && run.newerPlan === undefined;
  const mayApply = isWaiting && (!approval || isPlanApproved(approval)) && roles.includes('apply');
  return html`<div class="actions">
    ${isOpen && mayStart && act('cancel', 'Cancel', 'danger')}${!isOpen && mayApply && act('apply', 'Apply this plan', 'primary')}${!isOpen && mayStartAgain && act('retry', 'Run again')}
  </div>`;
}

function renderVerdict({ run, isWaiting, approval }: RunPageView): SafeHtml {
  if (run.endedAt === undefined) return renderLiveRunLine(run);
  const callout = (tone: 'warn' | 'bad' | 'plain', words: SafeHtml) =>
    html`<div class="callout ${tone}"><p>${words}</p></div>`;
  if (isWaiting && approval && !isPlanApproved(approval)) {
    const verdict = approval.state === 'rejected' ? 'Rejected:' : 'Needs approval:';
    return callout('warn', html`<b>${verdict}</b> ${describeRunResult(run)}.`);
  }
  if (isWaiting)
    return callout(
      'warn',
      html`<b>Waits for you:</b> ${describeRunResult(run)}. Apply carries out exactly this plan.`,
    );
  if (run.status === 'failed')
    return callout('bad', html`<b>This run failed.</b> The log below says why.`);
  if (run.status === 'cancelled') return callout('plain', describeCancel(run));
  if (run.status === 'superseded')
    return callout('plain', html`A plan of a newer commit took the place of this run.`);
  if (run.operation === 'drift' && run.hasChanges === true)
    return callout(
      'warn',
      html`<b>The account differs from the state.</b> The log below says where. Plan the workspace to see what an apply would change.`,
    );
  return emptyHtml;
}

/** Renders how far a cancelled run came before it ended. */
function describeCancel(run: RunJson): SafeHtml {
  const { startedAt, progress } = run;
  if (!isAccountChangingRun(run) || startedAt === undefined)
    return html`<b>This run was cancelled.</b> It has changed nothing.`;
  const { done = 0, total = 0 } = progress ?? {};
  return html`<b>This run was cancelled</b> after ${done} of ${total} steps. Plan the workspace to see what is left.`;
}

function renderRunFacts({ run, now }: RunPageView): SafeHtml {
  const { commit, reason, createdAt, startedAt, endedAt, attempt, worker, plan, pullRequest } = run;
  const { expectedSeconds, fits } = run;
  const result = describeRunResult(run);
  const hasEnded = startedAt !== undefined && endedAt !== undefined;
  return renderFactList({
    Result: result !== '' && result,
    Reason: reason,
    'Pull request': pullRequest !== undefined && `#${pullRequest}; its plan is not applied`,
    Commit: html`<code>${commit}</code>`,
    Plan:
      plan !== undefined &&
      html`<a href="/runs/${plan}">the plan that ${run.operation === 'preview' ? 'takes its place' : 'it applies'}</a>`,
    Queued: renderTimeAgo(createdAt, now),
    Took: hasEnded && renderRunDuration(startedAt, endedAt, now),
    'Its apply takes':
      expectedSeconds !== undefined && `about ${formatApplyDuration(expectedSeconds * 1_000)}`,
    Window: fits,
    Attempt: attempt > 1 && `${attempt}, since the worker of the one before ended`,
    Worker: worker !== undefined && html`<code>${worker.slice(0, 8)}</code>`,
  });
}

function renderComparison(
  { with: other, differences }: PlanComparisonJson,
  isShown: boolean,
): SafeHtml {
  const name = html`<a href="/runs/${other.id}">Plan #${other.number}</a>`;
  if (differences.length === 0)
    return html`<p class="compared">The same as ${name}, the plan before.</p>`;
  const more = differences.length - mostDifferences;
  const items = differences
    .slice(0, mostDifferences)
    .map((line) => html`<li><code>${line}</code></li>`);
  return html`<details class="compared"${isShown && html` open`}>
    <summary>${formatGroupedCount(differences.length, 'difference')} from the plan before</summary>
    <p>Compared with ${name}:</p>
    <ul>${items}</ul>
    ${more > 0 && html`<p class="dim">${formatGroupedCount(more, 'more difference')}</p>`}
  </details>`;
}

function renderLog({ id, status, endedAt }: RunJson, isShown: boolean): SafeHtml {
  const isOpen = endedAt === undefined;
  const follow = html`<p class="follow">
    <label class="check"><input type="checkbox" id="log-follow" checked> Follow the end of the log</label>
  </p>`;
  return html`<details class="log"${isShown && html` open`}>
    <summary><h2>Log</h2></summary>
    ${isOpen && follow}
    <div class="lines" tabindex="0" role="region" aria-label="Log of the run">
      <p id="log-note" class="dim">${isOpen ? 'Nothing yet.' : 'Reading the log.'}</p>
      <div id="log" data-run="${id}" data-open="${String(isOpen)}" data-status="${status}"></div>
    </div>
    <p><a href="/api/v1/runs/${id}/log?format=text" download>Download the log</a></p>
  </details>`;
}

function renderReport({ id, number }: RunJson): SafeHtml {
  const path = `/runs/${id}/report`;
  return html`<section class="report" aria-labelledby="report">
    <div class="head">
      <h2 id="report">Plan</h2>
      <a href="${path}">Open it on its own</a>
    </div>
    <iframe src="${path}" title="The plan of run ${number}" sandbox="allow-scripts"></iframe>
  </section>`;
}
