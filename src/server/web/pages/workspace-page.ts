import type { RunJson, WorkspaceJson } from '../../api/show-run.ts';
import type { WorkspaceVariablesJson } from '../../api/workspace-routes.ts';
import { html, type SafeHtml } from '../../../model/text/html.ts';
import {
  renderEmptyList,
  renderFactList,
  renderFormRefusal,
  renderForm,
  renderPageTable,
} from '../parts/elements.ts';
import { renderWorkspaceLock, renderLockAndDeleteForms, renderPauseButton } from './owner-part.ts';
import { formatRunName, renderTimeAgo, renderWorkspaceStatusBadge } from '../parts/words.ts';
import { formatApplyFreezeLines, formatApplyWindowLines } from '../../windows/window-lines.ts';
import { describeMinuteInterval, renderWorkspaceDrift } from './drift-part.ts';
import { describeRunResult, renderRunRows } from './run-rows.ts';

/** Content of the page of a workspace. */
export interface WorkspacePageView {
  readonly workspace: WorkspaceJson;
  readonly runs: readonly RunJson[];
  /** Run with a plan that is not applied yet; undefined without one. */
  readonly waiting: RunJson | undefined;
  /** Variables of a workspace with sets, for those who may know them; undefined otherwise. */
  readonly variables?: WorkspaceVariablesJson | undefined;
  /** The number of the oldest run here, where there are older ones. */
  readonly olderThan: number | undefined;
  readonly formToken: string;
  readonly now: number;
  /** Reason why the last form was refused; absent where none was. */
  readonly fault?: string;
  /** Set where the repository was out of reach when the workspace was created or changed, so that its address was not checked. */
  readonly isUnchecked: boolean;
}

/** Renders a workspace: its settings and status, the plan that waits, its runs, and the forms for what the viewer may do. */
export function renderWorkspacePage(view: WorkspacePageView): SafeHtml {
  const { workspace, runs, waiting, formToken, now, fault } = view;
  const { name, status, roles = [] } = workspace;
  const act = (operation: string, label: string, style: string) =>
    renderForm(
      `/workspaces/${name}/runs`,
      formToken,
      html`<button name="operation" value="${operation}" class="${style}">${label}</button>`,
    );
  const mayPlan = roles.includes('plan');
  const none = renderEmptyList(
    html`<p>Nothing has run yet. Plan the workspace to see what the server would change.</p>`,
  );
  return html`<p class="trail"><a href="/">Workspaces</a></p>
    <div class="head">
      <h1>${name} ${renderWorkspaceStatusBadge(status)}</h1>
      <div class="actions">
        ${mayPlan && [act('plan', 'Plan', waiting ? '' : 'primary'), act('drift', 'Check drift', '')]}${roles.includes('admin') && [renderPauseButton(workspace, formToken), html`<a class="button" href="/workspaces/${name}/edit">Edit</a>`]}
      </div>
    </div>
    ${renderFormRefusal(fault)}
    ${view.isUnchecked && html`<p class="callout warn" role="status">The repository is not checked, as it is out of reach. The first plan shows whether the server can read it.</p>`}
    ${renderWorkspaceLock(view)} ${waiting && renderWaiting(waiting)}
    ${workspace.drift && renderWorkspaceDrift(workspace.drift, now)} ${renderWorkspaceFacts(workspace, now)}
    <section aria-labelledby="runs">
      <h2 id="runs">Runs</h2>
      ${runs.length === 0 ? none : renderRunRows(runs, now)}
      ${view.olderThan !== undefined && html`<p class="paging"><a class="button" rel="next" href="/workspaces/${name}?before=${view.olderThan}">Older runs</a></p>`}
    </section>
    ${view.variables && renderVariableOrigins(view.variables)}
    ${roles.includes('apply') && renderDestroy(name, formToken)} ${renderLockAndDeleteForms(workspace, formToken)}`;
}

function renderWaiting(plan: RunJson): SafeHtml {
  return html`<div class="callout warn">
    <p><b>${formatRunName(plan)} waits for you:</b> ${describeRunResult(plan)}.</p>
    <a class="button primary" href="/runs/${plan.id}">Review the plan</a>
  </div>`;
}

function renderWorkspaceFacts(workspace: WorkspaceJson, now: number): SafeHtml {
  const { repository, branch, directory, poll, connection, applyOnMerge, createdAt, after } =
    workspace;
  const { driftEveryMinutes, applyDrift, allowProbes, account, stateName, reads } = workspace;
  const { windows, freezes, variableSets } = workspace;
  const undone = applyDrift ? ', undone where nothing is lost' : '';
  return renderFactList({
    Repository: html`<code>${repository}</code>`,
    Branch: html`<code>${branch}</code>`,
    Directory: html`<code>${directory}</code>`,
    Reads: reads.length > 0 && reads.join(', '),
    'New commits': poll || connection !== undefined ? 'planned' : 'not planned',
    'Git host': connection,
    Account: account,
    State: stateName !== workspace.name && html`<code>${stateName}</code>`,
    Merges: applyOnMerge && 'applied',
    Drift:
      driftEveryMinutes !== null &&
      `checked every ${describeMinuteInterval(driftEveryMinutes)}${undone}`,
    After: after.length > 0 && after.join(', '),
    'Variable sets': variableSets.length > 0 && variableSets.join(', '),
    'Probes reach': allowProbes.length > 0 && allowProbes.join(', '),
    Windows: windows.length > 0 && formatApplyWindowLines(windows).replaceAll('\n', '; '),
    Freezes: freezes.length > 0 && formatApplyFreezeLines(freezes).replaceAll('\n', '; '),
    Created: renderTimeAgo(createdAt, now),
  });
}

/** Each variable of the runs, and where it comes from. */
function renderVariableOrigins({ names, secrets, inherited }: WorkspaceVariablesJson): SafeHtml {
  const own = names.map((name) => ({ name, set: undefined, secret: secrets.includes(name) }));
  const rows = [...own, ...inherited].map(
    ({ name, set, secret }) => html`<tr>
      <th scope="row"><code>${name}</code></th>
      <td>${set === undefined ? 'this workspace' : html`<a href="/variables#of-${set}">${set}</a>`}</td>
      <td>${secret && 'Secret'}</td>
    </tr>`,
  );
  return html`<section aria-labelledby="variables">
    <h2 id="variables">Variables</h2>
    ${renderPageTable('rows', ['Variable', 'Comes from', 'Secret'], rows)}
  </section>`;
}

function renderDestroy(name: string, formToken: string): SafeHtml {
  const content = html`<label for="confirm">To destroy all managed resources of this workspace, type its name: <code>${name}</code></label>
    <div class="line">
      <input id="confirm" name="confirm" autocomplete="off" spellcheck="false" required pattern="${name}"><button name="operation" value="destroy" class="danger">Destroy all resources</button>
    </div>`;
  return html`<details class="danger-zone">
    <summary>Destroy all managed resources</summary>
    ${renderForm(`/workspaces/${name}/runs`, formToken, content)}
  </details>`;
}
