import type { OverviewJson } from '../../api/overview-routes.ts';
import type { WorkspaceJson } from '../../api/show-run.ts';
import { workspaceStatuses } from '../../store/overview.ts';
import { renderDriftLine } from './drift-part.ts';
import type { PageViewer } from '../parts/layout.ts';
import { html, type SafeHtml } from '../../../model/text/html.ts';
import { renderEmptyList, renderServerHold, renderPageTable } from '../parts/elements.ts';
import {
  formatGroupedCount,
  formatRunName,
  renderTimeAgo,
  renderRunStatusBadge,
  renderWorkspaceStatusBadge,
  sumUpPlanCounts,
  workspaceStatusWords,
} from '../parts/words.ts';

/** Filters in the query string of the overview page. */
export interface OverviewFilter {
  readonly status: string | undefined;
  readonly search: string;
}

/** Renders the page of all workspaces with their totals; those that need attention are first. */
export function renderOverviewPage(
  overview: OverviewJson,
  filter: OverviewFilter,
  { isAdmin }: PageViewer,
  now: number,
): SafeHtml {
  const { counts, workspaces } = overview;
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const isEmpty = all === 0 && filter.search === '';
  const list = html`${renderFilters(counts, all, filter)}${renderList(workspaces, now)}${renderPaging(overview, filter)}`;
  return html`<div class="head">
      <h1>Workspaces</h1>
      ${isAdmin && html`<a class="button primary" href="/new-workspace">New workspace</a>`}
    </div>
    ${renderServerHold(overview.hold?.reason)}
    ${isEmpty ? renderNone(isAdmin) : list}`;
}

function renderNone(isAdmin: boolean): SafeHtml {
  if (!isAdmin)
    return renderEmptyList(html`<h2>No workspace to view</h2>
      <p>You have no role in any workspace. Ask an administrator for one.</p>`);
  return renderEmptyList(html`<h2>No workspace yet</h2>
    <p>
      A workspace is a directory of a git repository, with an account and a state. The server plans
      and applies it.
    </p>
    <p><a class="button primary" href="/new-workspace">Create the first workspace</a></p>`);
}

function renderFilters(
  counts: OverviewJson['counts'],
  all: number,
  { status, search }: OverviewFilter,
): SafeHtml {
  const chip = (value: string | undefined, label: string, amount: number, sign = '') => {
    const isCurrent = value === status;
    const tone = value === undefined ? 'plain' : (workspaceStatusWords[value]?.tone ?? 'plain');
    const mark = sign !== '' && html`<span class="mark" aria-hidden="true">${sign}</span> `;
    return html`<li>
      <a class="chip ${tone}" href="${addressOf({ status: value, search })}"${isCurrent && html` aria-current="true"`}>${mark}${label} <b>${amount.toLocaleString('en-US')}</b></a>
    </li>`;
  };
  const chips = workspaceStatuses
    .filter((one) => counts[one] > 0 || one === status)
    .map((one) => {
      const { label = one, sign } = workspaceStatusWords[one] ?? {};
      return chip(one, label, counts[one], sign);
    });
  return html`<div class="tools">
    <form class="find" role="search" action="/">
      ${status !== undefined && html`<input type="hidden" name="status" value="${status}">`}
      <label class="unseen" for="search">Search workspaces</label>
      <input id="search" type="search" name="search" value="${search}" maxlength="200" placeholder="Search by name or repository"><button>Search</button>
    </form>
    <nav aria-label="Filter by status"><ul class="chips">${chip(undefined, 'All', all)}${chips}</ul></nav>
  </div>`;
}

function renderList(rows: readonly WorkspaceJson[], now: number): SafeHtml {
  if (rows.length === 0)
    return renderEmptyList(html`<p>No workspace matches the search and the filter.</p>
      <p><a href="/">Show all workspaces</a></p>`);
  return renderPageTable(
    'rows workspaces',
    ['Status', 'Workspace', 'Last run', 'When'],
    rows.map((row) => renderRow(row, now)),
  );
}

function renderRow(row: WorkspaceJson, now: number): SafeHtml {
  const { name, repository, branch, directory, status, lastRun, planCounts, settledRun } = row;
  const { approval, drift } = row;
  const plan =
    planCounts &&
    settledRun !== undefined &&
    html`<a class="next" href="/runs/${settledRun}">${describeApproval(approval)}: ${sumUpPlanCounts(planCounts)}</a>`;
  const run = lastRun
    ? html`<a href="/runs/${lastRun.id}">${formatRunName(lastRun)}</a> ${renderRunStatusBadge(lastRun.status)}`
    : html`<span class="dim">none</span>`;
  const place = `${shortenRepository(repository)}${directory === '.' ? '' : ` / ${directory}`}${branch === 'main' ? '' : ` @ ${branch}`}`;
  return html`<tr>
    <td>${renderWorkspaceStatusBadge(status)}</td>
    <th scope="row"><a href="/workspaces/${name}">${name}</a><span class="place">${place}${describeHandling(row)}</span></th>
    <td>${run}${plan}${drift && renderDriftLine(drift, now)}</td>
    <td>${lastRun && renderTimeAgo(lastRun.endedAt ?? lastRun.createdAt, now)}</td>
  </tr>`;
}

/** Describes a paused or locked workspace: ` · paused · locked`. */
function describeHandling({ paused, lock }: WorkspaceJson): string {
  return `${paused ? ' · paused' : ''}${lock ? ' · locked' : ''}`;
}

/** Describes the approvals that a waiting plan needs. */
function describeApproval(approval: WorkspaceJson['approval']): string {
  if (!approval) return 'Review';
  const { needed, given, isRejected, isYours } = approval;
  if (isRejected) return 'Rejected';
  if (given >= needed) return 'Approved';
  const figures = `${given} of ${needed}`;
  return isYours ? `Waiting for your approval (${figures})` : `Needs approval (${figures})`;
}

/** Shortens the URL of a repository: `git.example.com/acme/infra`. */
function shortenRepository(repository: string): string {
  return repository.replace(/^https:\/\/(?:[^@/]*@)?/, '').replace(/\.git$/, '');
}

function renderPaging({ total, page, pageSize }: OverviewJson, filter: OverviewFilter): SafeHtml {
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1) return html`<p class="paging dim">${formatGroupedCount(total, 'workspace')}</p>`;
  const link = (to: number, label: string, rel: string) =>
    to >= 1 &&
    to <= last &&
    html`<a class="button" rel="${rel}" href="${addressOf(filter, to)}">${label}</a>`;
  const from = Math.min(total, (page - 1) * pageSize + 1);
  const until = Math.min(total, page * pageSize);
  return html`<nav class="paging" aria-label="More workspaces">
    <span class="dim">${from.toLocaleString('en-US')} to ${until.toLocaleString('en-US')} of ${formatGroupedCount(total, 'workspace')}</span>${link(page - 1, 'Previous', 'prev')}${link(page + 1, 'Next', 'next')}
  </nav>`;
}

function addressOf({ status, search }: OverviewFilter, page = 1): string {
  const query = new URLSearchParams({
    ...(status !== undefined && { status }),
    ...(search !== '' && { search }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? '/' : `/?${query.toString()}`;
}
