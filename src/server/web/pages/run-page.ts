import type { ShownApproval } from '../../api/approval-routes.ts';
import type { ShownComparison, ShownStep } from '../../api/report-routes.ts';
import type { ShownRun } from '../../api/show-run.ts';
import { isApproved } from '../../approvals/approvals.ts';
import { roleOfOperation } from '../../people/roles.ts';
import { renderForm } from '../parts/layout.ts';
import { html, nothing, type Html } from '../../../model/text/html.ts';
import { count, nameRun, showAge, showDuration, showRunStatus } from '../parts/words.ts';
import { renderApproval } from './approval-part.ts';
import { renderLive, renderTimeline } from './progress-part.ts';
import { describeResult } from './run-rows.ts';

/** What the page shows. */
export interface RunView {
  readonly run: ShownRun;
  /** True: there is a page of the plan. */
  readonly hasReport: boolean;
  /** How the plan differs from the one before. */
  readonly comparison: ShownComparison | undefined;
  /** When which of its steps ran; none while it is carried out. */
  readonly steps: readonly ShownStep[];
  /** True: the plan is the last word on its workspace, and not applied yet. */
  readonly isWaiting: boolean;
  /** What the viewer may do in the workspace. */
  readonly roles: readonly string[];
  /** Of a plan. */
  readonly approval: ShownApproval | undefined;
  readonly formToken: string;
  readonly now: number;
  readonly fault?: string;
}

/** A run: where it is, what it says, what it plans, and what can be done about it. */
export function renderRun(view: RunView): Html {
  const { run, fault, hasReport } = view;
  const isOpen = run.endedAt === undefined;
  return html`<p class="trail">
      <a href="/">Workspaces</a> / <a href="/workspaces/${run.workspace}">${run.workspace}</a>
    </p>
    <div class="head">
      <h1>${nameRun(run)} ${showRunStatus(run.status)}</h1>
      ${renderActions(view)}
    </div>
    ${fault === undefined ? nothing : html`<p class="fault" role="alert">${fault}</p>`}
    ${renderVerdict(view)}
    ${run.newerPlan === undefined || run.status === 'superseded' ? nothing : html`<p class="callout plain">Plan #${String(run.newerPlan)} is of a newer commit. Run that one again.</p>`}
    ${run.deleted === undefined ? nothing : html`<p class="callout plain">${run.deleted}</p>`}
    ${renderFacts(view)}
    ${view.approval ? renderApproval(run.id, view.approval, view.formToken, view.now) : nothing}
    ${view.comparison ? renderComparison(view.comparison) : nothing}
    ${renderTimeline(run, view.steps)} ${renderLog(run, isOpen || !hasReport)}
    ${hasReport ? renderReport(run) : nothing}`;
}

function renderActions({ run, isWaiting, roles, approval, formToken }: RunView): Html {
  const act = (action: string, label: string, style = '') =>
    renderForm(
      `/runs/${run.id}/${action}`,
      formToken,
      html`<button class="${style}">${label}</button>`,
    );
  const mayStart = roles.includes(roleOfOperation(run.operation));
  const mayStartAgain = mayStart && run.newerPlan === undefined;
  if (run.endedAt === undefined)
    return html`<div class="actions">
      ${mayStart ? act('cancel', 'Cancel', 'danger') : nothing}
    </div>`;
  return html`<div class="actions">
    ${isWaiting && (!approval || isApproved(approval)) && roles.includes('apply') ? act('apply', 'Apply this plan', 'primary') : nothing}${mayStartAgain ? act('retry', 'Run again') : nothing}
  </div>`;
}

function renderVerdict({ run, isWaiting, approval }: RunView): Html {
  if (run.endedAt === undefined) return renderLive(run);
  if (isWaiting && approval && !isApproved(approval))
    return html`<div class="callout warn">
      <p>
        <b>${approval.state === 'rejected' ? 'Rejected:' : 'Needs approval:'}</b>
        ${describeResult(run)}.
      </p>
    </div>`;
  if (isWaiting)
    return html`<div class="callout warn">
      <p><b>Waits for you:</b> ${describeResult(run)}. Apply carries out exactly this plan.</p>
    </div>`;
  if (run.status === 'failed')
    return html`<div class="callout bad">
      <p><b>This run failed.</b> The log below says why.</p>
    </div>`;
  if (run.status === 'superseded')
    return html`<div class="callout plain">
      <p>A plan of a newer commit took the place of this run.</p>
    </div>`;
  if (run.operation === 'drift' && run.hasChanges === true)
    return html`<div class="callout warn">
      <p>
        <b>The account differs from the state.</b> The log below says where. Plan the workspace to
        see what an apply would change.
      </p>
    </div>`;
  return nothing;
}

function renderFacts({ run, now }: RunView): Html {
  const { commit, reason, createdAt, startedAt, endedAt, attempt, worker, plan, pullRequest } = run;
  const fact = (name: string, value: Html) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  const result = describeResult(run);
  return html`<dl class="facts">
    ${result === '' ? nothing : fact('Result', html`${result}`)}${fact('Reason', html`${reason}`)}${pullRequest === undefined ? nothing : fact('Pull request', html`#${pullRequest}; its plan is not applied`)}${fact('Commit', html`<code>${commit}</code>`)}${
      plan === undefined
        ? nothing
        : fact('Plan', html`<a href="/runs/${plan}">the plan that it applies</a>`)
    }${fact('Queued', showAge(createdAt, now))}${
      startedAt !== undefined && endedAt !== undefined
        ? fact('Took', html`${showDuration(startedAt, endedAt, now)}`)
        : nothing
    }${attempt > 1 ? fact('Attempt', html`${attempt}, since the worker of the one before ended`) : nothing}${
      worker === undefined ? nothing : fact('Worker', html`<code>${worker.slice(0, 8)}</code>`)
    }
  </dl>`;
}

function renderComparison({ with: other, differences }: ShownComparison): Html {
  const name = html`<a href="/runs/${other.id}">Plan #${other.number}</a>`;
  if (differences.length === 0)
    return html`<p class="compared">The same as ${name}, the plan before.</p>`;
  return html`<details class="compared">
    <summary>${count(differences.length, 'difference')} from the plan before</summary>
    <p>Compared with ${name}:</p>
    <ul>
      ${differences.slice(0, 500).map((line) => html`<li><code>${line}</code></li>`)}
    </ul>
    ${
      differences.length > 500
        ? html`<p class="dim">${count(differences.length - 500, 'more difference')}</p>`
        : nothing
    }
  </details>`;
}

function renderLog({ id, status, endedAt }: ShownRun, isShown: boolean): Html {
  const isOpen = endedAt === undefined;
  return html`<details class="log" ${isShown ? html` open` : nothing}>
    <summary><h2>Log</h2></summary>
    ${
      isOpen
        ? html`<p class="follow">
            <label class="check"
              ><input type="checkbox" id="log-follow" checked /> Follow the end of the log</label
            >
          </p>`
        : nothing
    }
    <div class="lines" tabindex="0" role="region" aria-label="Log of the run">
      <p id="log-note" class="dim">${isOpen ? 'Nothing yet.' : 'Reading the log.'}</p>
      <div id="log" data-run="${id}" data-open="${String(isOpen)}" data-status="${status}"></div>
    </div>
    <noscript
      ><p><a href="/api/v1/runs/${id}/log">Read the log</a></p></noscript
    >
  </details>`;
}

function renderReport({ id, number }: ShownRun): Html {
  const path = `/runs/${id}/report`;
  return html`<section class="report" aria-labelledby="report">
    <div class="head">
      <h2 id="report">Plan</h2>
      <a href="${path}">Open it on its own</a>
    </div>
    <iframe src="${path}" title="The plan of run ${number}" sandbox="allow-scripts"></iframe>
  </section>`;
}
