// The pages that somebody looks at. What they show, they ask the interface for.
import type { ApprovalJson } from '../api/approval-routes.ts';
import type { ConnectionJson } from '../api/connection-routes.ts';
import type { OverviewJson, ServerInfoJson } from '../api/overview-routes.ts';
import type { PlanComparisonJson, RunStepJson } from '../api/report-routes.ts';
import type { RunJson, WorkspaceJson } from '../api/show-run.ts';
import type { WorkspaceVariablesJson } from '../api/workspace-routes.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import { answerViewerWithPage } from './answer-page.ts';
import type { WebPageApi } from './page-api.ts';
import { WebPageRequestFault, type WebPageRequest } from './page-request.ts';
import { renderAuditPage } from './pages/audit-page.ts';
import { renderOverviewPage } from './pages/overview-page.ts';
import { renderRunPage } from './pages/run-page.ts';
import { renderSettingsPage } from './pages/settings-page.ts';
import { renderWorkspaceForm, type WorkspaceFormFields } from './pages/workspace-form.ts';
import { renderWorkspacePage } from './pages/workspace-page.ts';
import { formatRunName } from './parts/words.ts';

/** Number of runs that the page of a workspace shows at a time. */
const runsShown = 20;

/** Shows the overview of workspaces at `/`. */
export async function showOverviewPage(request: WebPageRequest): Promise<Response> {
  const { api, query, viewer, now } = request;
  const filter = { status: query('status'), search: query('search') ?? '' };
  const asked = new URLSearchParams({
    page: query('page') ?? '1',
    search: filter.search,
    ...(filter.status !== undefined && { status: filter.status }),
  });
  const overview = await api.get<OverviewJson>(`/api/v1/overview?${asked.toString()}`);
  const content = renderOverviewPage(overview, filter, viewer, now);
  return answerViewerWithPage(request, { title: 'Workspaces', place: '/', content });
}

/** Shows the page `/workspaces/:name`; `fault` tells why its last form was refused. */
export async function showWorkspacePage(
  request: WebPageRequest,
  fault?: string,
): Promise<Response> {
  const { api, formToken, now, query } = request;
  const workspace = await findRequestedWorkspace(request);
  const { name, status, settledRun } = workspace;
  const before = query('before');
  const asked = new URLSearchParams({
    workspace: name,
    limit: String(runsShown + 1),
    ...(before !== undefined && { before }),
  });
  const isShared = workspace.variableSets.length > 0 && workspace.roles?.includes('admin') === true;
  const [{ runs: read }, settled, variables] = await Promise.all([
    api.get<{ runs: readonly RunJson[] }>(`/api/v1/runs?${asked.toString()}`),
    (status === 'waiting' || status === 'drifted') && settledRun !== undefined
      ? api.find<RunJson>(`/api/v1/runs/${settledRun}`)
      : undefined,
    isShared ? readVariableNames(api, workspace) : undefined,
  ]);
  // A drift check that found something does not end a plan that waits.
  const waiting = settled && isPlanWithChanges(settled) ? settled : undefined;
  const runs = read.slice(0, runsShown);
  const olderThan = read.length > runsShown ? runs.at(-1)?.number : undefined;
  const content = renderWorkspacePage({
    workspace,
    runs,
    waiting,
    variables,
    olderThan,
    formToken,
    now,
    ...(fault !== undefined && { fault }),
    isUnchecked: query('unchecked') !== undefined,
  });
  return answerViewerWithPage(request, { title: name, place: '/', content }, fault);
}

/** Finds the workspace that the path of a page names. @throws WebPageRequestFault where there is none */
export async function findRequestedWorkspace({
  api,
  param,
}: WebPageRequest): Promise<WorkspaceJson> {
  const name = param('name');
  const found = await api.find<WorkspaceJson>(`/api/v1/workspaces/${encodeURIComponent(name)}`);
  if (!found) throw new WebPageRequestFault(404, 'No such workspace', 'It may have another name.');
  return found;
}

const newFields: WorkspaceFormFields = {
  name: '',
  repository: '',
  branch: 'main',
  directory: '.',
  reads: [],
  poll: true,
  applyOnMerge: false,
  approvals: { count: 0, byAuthor: false, hostReviews: false },
  applyWhenApproved: false,
  after: [],
  variableSets: [],
  driftEveryMinutes: null,
  applyDrift: false,
  allowProbes: [],
  windows: [],
  freezes: [],
};

/** Shows the page `/new-workspace`, with the typed values where the form was refused. */
export async function showNewWorkspacePage(
  request: WebPageRequest,
  fields = newFields,
  fault?: string,
): Promise<Response> {
  const { api, formToken } = request;
  const connections = await listConnections(api);
  const view = { fields, variables: undefined, connections, fault, formToken };
  const content = renderWorkspaceForm(view);
  return answerViewerWithPage(request, { title: 'New workspace', place: '/', content }, fault);
}

/** The names of a workspace's variables, and those that it has by its sets. */
function readVariableNames(
  api: WebPageApi,
  { name }: WorkspaceJson,
): Promise<WorkspaceVariablesJson> {
  return api.get<WorkspaceVariablesJson>(`/api/v1/workspaces/${name}/variables`);
}

async function listConnections(api: WebPageApi): Promise<readonly string[]> {
  const { connections } = await api.get<{ connections: readonly ConnectionJson[] }>(
    '/api/v1/connections',
  );
  return connections.map(({ name }) => name);
}

/** Shows the page `/workspaces/:name/edit`, with the typed values where the form was refused. */
export async function showWorkspaceEditPage(
  request: WebPageRequest,
  typed?: WorkspaceFormFields,
  fault?: string,
): Promise<Response> {
  const { api, formToken } = request;
  const workspace = await findRequestedWorkspace(request);
  const variables = await readVariableNames(api, workspace);
  const fields = typed ?? workspace;
  const connections = await listConnections(api);
  const content = renderWorkspaceForm({
    name: workspace.name,
    fields,
    variables,
    connections,
    fault,
    formToken,
  });
  return answerViewerWithPage(
    request,
    { title: `Edit ${workspace.name}`, place: '/', content },
    fault,
  );
}

/** Shows the page `/runs/:id`; `fault` tells why its last form was refused. */
export async function showRunPage(request: WebPageRequest, fault?: string): Promise<Response> {
  const { api, formToken, now } = request;
  const run = await findRun(request);
  const path = `/api/v1/runs/${run.id}`;
  const isPlanned = run.changes !== undefined;
  const isKept = isPlanned && run.deleted === undefined;
  const [workspace, comparison, approval, timeline] = await Promise.all([
    api.find<WorkspaceJson>(`/api/v1/workspaces/${run.workspace}`),
    run.operation === 'plan' && isKept
      ? api.find<PlanComparisonJson>(`${path}/comparison`)
      : undefined,
    run.operation === 'plan' && isPlanned ? api.get<ApprovalJson>(`${path}/approvals`) : undefined,
    run.progress && run.endedAt !== undefined
      ? api.get<{ steps: readonly RunStepJson[] }>(`${path}/timeline`)
      : undefined,
  ]);
  const isSettled = workspace?.status === 'waiting' || workspace?.status === 'drifted';
  const isWaiting = isSettled && workspace.settledRun === run.id && isPlanWithChanges(run);
  const content = renderRunPage({
    run,
    hasReport: isKept,
    comparison,
    isWaiting,
    formToken,
    now,
    steps: timeline?.steps ?? [],
    roles: workspace?.roles ?? [],
    approval,
    ...(fault !== undefined && { fault }),
  });
  const title = `${formatRunName(run)} of ${run.workspace}`;
  return answerViewerWithPage(
    request,
    { title, place: '/', content, scripts: ['log.js'] },
    fault,
    409,
  );
}

function isPlanWithChanges({ operation, hasChanges }: RunJson): boolean {
  return operation === 'plan' && hasChanges === true;
}

async function findRun({ api, param }: WebPageRequest): Promise<RunJson> {
  const run = await api.find<RunJson>(`/api/v1/runs/${encodeURIComponent(param('id'))}`);
  if (!run) throw new WebPageRequestFault(404, 'No such run', 'The address may be incomplete.');
  return run;
}

/** Answers `/runs/:id/report` with the HTML page of a plan, for a frame that has no origin of its own. */
export async function showPlanReportPage({ api, param }: WebPageRequest): Promise<Response> {
  const response = await api.fetch(`/api/v1/runs/${encodeURIComponent(param('id'))}/report`);
  if (!response.ok) throw new WebPageRequestFault(404, 'No report', 'The run has no plan to show.');
  return response;
}

/** Shows the page `/settings`; `fault` tells why its last form was refused. */
export async function showSettingsPage(request: WebPageRequest, fault?: string): Promise<Response> {
  const { api, formToken, now } = request;
  const server = await api.get<ServerInfoJson>('/api/v1/server');
  const content = renderSettingsPage(server, formToken, now, fault);
  return answerViewerWithPage(request, { title: 'Settings', place: '/settings', content }, fault);
}

/** Number of audit entries that a page shows. */
const entriesShown = 100;

/** Shows the page `/audit`. */
export async function showAuditPage(request: WebPageRequest): Promise<Response> {
  const { api, query, now } = request;
  const before = query('before');
  const asked = new URLSearchParams({
    newest: String(entriesShown + 1),
    ...(before !== undefined && { before }),
  });
  const response = await api.fetch(`/api/v1/audit?${asked.toString()}`);
  if (!response.ok)
    throw new WebPageRequestFault(422, 'No such entries', 'The address may be incomplete.');
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => JSON.parse(line) as AuditEntry);
  const content = renderAuditPage(
    entries.slice(0, entriesShown),
    entries.length > entriesShown,
    now,
  );
  return answerViewerWithPage(request, { title: 'Audit', place: '/audit', content });
}
